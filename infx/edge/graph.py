"""Graph: what only GitHub's GraphQL tells."""

from collections.abc import Sequence
from typing import Any

from infx.edge.api import Api
from infx.errors import CouldNotTell

NODES = 100
"""Nodes of one question (docs: GraphQL resource limitations)."""
VISIBLE = "query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { body isMinimized } } }"
WRITTEN = "query($ids: [ID!]!) { nodes(ids: $ids) { ... on Comment { body lastEditedAt editor { login } } } }"
GHOST = "ghost"
"""Stands for an account that is gone."""


def visible(api: Api, nodes: Sequence[str]) -> dict[str, str]:
    """Node id of each of these comments → its text now. One that was deleted or hidden is not there."""
    shown = _texts(api, VISIBLE, nodes)
    return {node: one["body"] for node, one in shown.items() if one.get("isMinimized") is False}


def written(api: Api, nodes: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Node id of each of these texts → its words now, and the login of who changed them last: `""` when
    nobody did, `ghost` when that account is gone. One that was deleted is not there."""
    return {node: (one["body"], _editor(one)) for node, one in _texts(api, WRITTEN, nodes).items()}


def _editor(one: dict[str, Any]) -> str:
    if not one.get("lastEditedAt"):
        return ""
    return str((one.get("editor") or {}).get("login") or GHOST)


def _texts(api: Api, query: str, nodes: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Node id → what `query` asks of it, for those that have words."""
    found: dict[str, dict[str, Any]] = {}
    for start in range(0, len(nodes), NODES):
        asked = list(nodes[start : start + NODES])
        there = zip(asked, _nodes(api, query, asked), strict=True)
        found.update(
            (node, one) for node, one in there if isinstance(one, dict) and isinstance(one.get("body"), str)
        )
    return found


def _nodes(api: Api, query: str, asked: Sequence[str]) -> list[Any]:
    """One answer for each of `asked`; None for what does not exist any more."""
    data, errors = api.graph(query, ids=asked)
    unclear = [str(one.get("message", "")) for one in errors if one.get("type") != "NOT_FOUND"]
    shown = data.get("nodes")
    if unclear or not isinstance(shown, list) or len(shown) != len(asked):
        what = unclear[0] if unclear else "another number of comments"
        raise CouldNotTell(f"GitHub answered {what[:200]}", where="/graphql", todo="try again")
    return shown
