"""Payloads: the published webhook examples, and small ones of our own."""

import json
from functools import cache
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parent.parent / "node_modules" / "@octokit" / "webhooks-examples"


SERVERS = ("api.github.com", *(f"ghes-{number}" for number in range(31, 36)))


@cache
def published(server: str = "api.github.com") -> tuple[tuple[str, dict[str, Any]], ...]:
    """(event, payload) of every example that GitHub publishes for `server`."""
    found = json.loads((EXAMPLES / server / "index.json").read_text())
    return tuple((event["name"], payload) for event in found for payload in event["examples"])


def payload(action: str = "labeled", *, label: str | None = None, **changes: Any) -> dict[str, Any]:
    """A pull request webhook; `changes` are those of the pull request."""
    repo = {"full_name": "acme/bench"}
    pull = {
        "number": 7,
        "state": "open",
        "labels": [],
        "head": {"sha": "a" * 40, "ref": "topic", "repo": repo},
        "base": {"sha": "b" * 40, "ref": "main", "repo": repo},
        **changes,
    }
    extra = {} if label is None else {"label": {"name": label}}
    sender = {"login": "ada"}
    return {
        "action": action,
        "number": 7,
        "pull_request": pull,
        "repository": repo,
        "sender": sender,
        **extra,
    }


def named(*names: str) -> list[dict[str, str]]:
    return [{"name": name} for name in names]
