"""Charter: what each workflow listens to and may do. Tests hold our files to it, doctor those of others."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Charter:
    """One row."""

    events: frozenset[str]
    permissions: Mapping[str, str]
    """Most that any of its jobs may."""
    environment: str = ""


def _charter(events: str, environment: str = "", **permissions: str) -> Charter:
    given = {name.replace("_", "-"): level for name, level in permissions.items()}
    return Charter(events=frozenset(events.split()), permissions=given, environment=environment)


CHARTERS: Mapping[str, Charter] = {
    "control": _charter(
        "pull_request_target push schedule",
        contents="read",
        pull_requests="write",
        statuses="write",
        actions="write",
    ),
    "sweep": _charter("pull_request workflow_dispatch", contents="read"),
    "report": _charter(
        "workflow_run",
        contents="read",
        pull_requests="write",
        statuses="write",
        actions="write",
        checks="read",
    ),
    "comment": _charter(
        "issue_comment workflow_dispatch",
        "stage",
        contents="write",
        pull_requests="write",
        statuses="write",
        actions="write",
    ),
    "ingest": _charter(
        "push workflow_dispatch",
        "publish",
        contents="write",
        pull_requests="write",
        statuses="write",
        actions="write",
    ),
    "audit": _charter("workflow_run schedule workflow_dispatch", contents="read", actions="read"),
    "postmerge": _charter(
        "push workflow_run schedule",
        contents="read",
        pull_requests="write",
        actions="write",
        checks="read",
        statuses="read",
    ),
    "review-intake": _charter("pull_request_review pull_request_review_comment"),
    "signoff": _charter(
        "issue_comment workflow_run workflow_dispatch schedule",
        "signoff",
        contents="read",
        pull_requests="write",
        statuses="write",
    ),
    "operators": _charter(
        "schedule workflow_dispatch", "operate", contents="write", issues="write", actions="read"
    ),
}
