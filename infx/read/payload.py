"""Payload: the JSON of any webhook becomes a Webhook. Only fields we use are read; each names its place."""

import re
from datetime import datetime
from typing import Any

from infx.event import PullRequest, Title, Webhook
from infx.read.place import At

OPENING_S = 10
"""Labels set within this many seconds came with the opening; GitHub sends them one `labeled` each."""

MODES = ("fork", "resume", "one-off")
"""Why `sweep.yml` may be dispatched."""

_TELLS = (
    ("review", "pull_request_review"),
    ("thread", "pull_request_review_thread"),
    ("comment", "issue_comment"),
    ("workflow_run", "workflow_run"),
    ("workflow_job", "workflow_job"),
    ("check_run", "check_run"),
    ("check_suite", "check_suite"),
    ("deployment", "deployment"),
    ("release", "release"),
    ("discussion", "discussion"),
    ("issue", "issues"),
    ("pull_request", "pull_request"),
    ("inputs", "workflow_dispatch"),
    ("client_payload", "repository_dispatch"),
    ("merge_group", "merge_group"),
    ("commits", "push"),
)
"""Field that only this event has, most telling first: a payload does not carry its event's name."""


def event_name(payload: Any) -> str:
    """Name of the event that `payload` belongs to; `unknown` when no field gives it away."""
    if not isinstance(payload, dict):
        return "unknown"
    name = next((event for field, event in _TELLS if field in payload), "unknown")
    if name == "issue_comment" and "pull_request" in payload:
        return "pull_request_review_comment"
    return "unknown" if name == "issue_comment" and "issue" not in payload else name


def read(payload: Any, *, where: str, name: str = "") -> Webhook:
    """What infx reads of one delivery. `name` is the event (GITHUB_EVENT_NAME), found out when empty.

    BadInput names the field when an event that infx acts on lacks what the decision needs."""
    at = At(payload, where)
    name = (name or event_name(at.mapping())).replace("pull_request_target", "pull_request")
    common: dict[str, Any] = {
        "name": name,
        "repository": _soft(at, "repository", "full_name"),
        "sender": _soft(at, "sender", "login"),
    }
    if name == "pull_request":
        return _pull_request(at, common)
    if name == "workflow_dispatch":
        return Webhook(dispatch=_dispatch(at), **common)
    return Webhook(action=_soft(at, "action"), message=_message(at), **common)


def _pull_request(at: At, common: dict[str, Any]) -> Webhook:
    action = at["action"].text()
    changed = action in ("labeled", "unlabeled")
    pull = pull_request(at["pull_request"])
    return Webhook(
        action=action,
        pull=pull,
        label=at["label"]["name"].text() if changed and not at["label"].absent else "",
        base_changed=action == "edited" and "base" in (at.mapping().get("changes") or {}),
        at_opening=action == "labeled" and _age(at["pull_request"]) <= OPENING_S,
        **common,
    )


def pull_request(at: At) -> PullRequest:
    """A pull request as webhooks and the REST API both show it."""
    head, base = at["head"], at["base"]
    state = at["state"].choice(["open", "closed"])
    mergeable = at.mapping().get("mergeable")
    return PullRequest(
        number=at["number"].integer(),
        open=state == "open",
        merged=at["merged"].flag(False) or not at["merged_at"].absent,
        draft=at["draft"].flag(False),
        author=_soft(at, "user", "login"),
        labels=tuple(label["name"].text() for label in at["labels"].items()),
        head_sha=head["sha"].text(),
        head_ref=head["ref"].text(""),
        head_repo=None if head["repo"].absent else head["repo"]["full_name"].text(),
        base_sha=base["sha"].text(),
        base_ref=base["ref"].text(""),
        base_repo=base["repo"]["full_name"].text(),
        mergeable=mergeable if isinstance(mergeable, bool) else None,
    )


def _dispatch(at: At) -> Title | None:
    """What a dispatch of `sweep.yml` asks for; None when the inputs are those of another workflow."""
    inputs = {} if at["inputs"].absent else at["inputs"].fields()
    if not {"mode", "head-sha"} <= inputs.keys():
        return None
    mode = inputs["mode"].choice(MODES)
    number = at["inputs"]["pr"].text("")
    if not re.fullmatch(r"[0-9]{0,18}", number) or (not number and mode != "one-off"):
        raise at["inputs"]["pr"].fail("the number of a pull request")
    return Title(
        pr=int(number or 0),
        action=mode,
        head_sha=_commit(inputs["head-sha"]),
        base_sha=_commit(at["inputs"]["merge-base"]),
        labels=frozenset(filter(None, at["inputs"]["labels"].text("").split(","))),
        mark=_matching(at["inputs"]["mark"], r"[0-9a-f]{0,40}", "hex digits"),
        key=_matching(at["inputs"]["key"], r"[\w.*?-]{0,200}", "a config key"),
        conc=tuple(
            int(one)
            for one in _matching(
                at["inputs"]["conc"], r"(\d{1,6}(,\d{1,6})*)?", "concurrencies with commas between them"
            ).split(",")
            if one
        ),
    )


def _matching(at: At, pattern: str, what: str) -> str:
    if not re.fullmatch(pattern, at.text("")):
        raise at.fail(what)
    return at.text("")


def _commit(at: At) -> str:
    if not re.fullmatch(r"[0-9a-f]{40}", at.text("")):
        raise at.fail("a full commit id")
    return at.text()


def _soft(at: At, *path: str) -> str:
    """Text at `path`, or `""` when any part of it is missing: the sender of some events is null."""
    value: Any = at.value
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def _message(at: At) -> str | None:
    commit = at["head_commit"]
    return commit["message"].text("") if isinstance(commit.value, dict) else None


def _age(at: At) -> float:
    """Seconds from opening to this event; infinite when the payload does not say."""
    times = [at.mapping().get(name) for name in ("created_at", "updated_at")]
    try:
        created, updated = (datetime.fromisoformat(str(time)) for time in times)
        return (updated - created).total_seconds()
    except (ValueError, TypeError):
        return float("inf")
