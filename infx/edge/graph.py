"""Graph: what only GitHub's GraphQL tells."""

from collections.abc import Sequence
from typing import Any

from infx.edge.api import Api
from infx.errors import CouldNotTell

NODES = 100
"""Nodes of one question (docs: GraphQL resource limitations)."""
VISIBLE = "query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { body isMinimized } } }"


def visible(api: Api, nodes: Sequence[str]) -> dict[str, str]:
    """Node id of each of these comments → its text now. One that was deleted or hidden is not there."""
    found: dict[str, str] = {}
    for start in range(0, len(nodes), NODES):
        asked = list(nodes[start : start + NODES])
        there = zip(asked, _nodes(api, asked), strict=True)
        found.update((node, str(one["body"])) for node, one in there if one and not one["isMinimized"])
    return found


def _nodes(api: Api, asked: Sequence[str]) -> list[dict[str, Any] | None]:
    """One answer for each of `asked`; None for what does not exist any more."""
    data, errors = api.graph(VISIBLE, ids=asked)
    unclear = [str(one.get("message", "")) for one in errors if one.get("type") != "NOT_FOUND"]
    shown = data.get("nodes")
    if unclear or not isinstance(shown, list) or len(shown) != len(asked):
        what = unclear[0] if unclear else "another number of comments"
        raise CouldNotTell(f"GitHub answered {what[:200]}", where="/graphql", todo="try again")
    return shown
