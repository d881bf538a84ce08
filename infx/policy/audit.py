"""Audit: has every changelog entry on the target its published rows, and was every push looked at?"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from infx.decision import Decision

SHOWN = 5
"""Most names in one sentence."""


class Kind(StrEnum):
    """Every answer."""

    COMPLETE = "complete"
    PENDING = "pending"
    """Something is missing that a run which still goes may publish."""
    UNPUBLISHED = "unpublished"
    NO_PUSH_RUN = "no-push-run"
    """Content reached the target, and no run of the ingest workflow looked at it."""


@dataclass(frozen=True, kw_only=True)
class Audited:
    """One entry on the target."""

    commit: str
    link: str
    keys: tuple[str, ...]
    rows: int
    """Published rows of its pull request and config keys."""
    looked_at: bool
    """A run of the ingest workflow looked at the push that brought it."""
    fault: str = ""
    """Why the entry cannot be read."""


@dataclass(frozen=True, kw_only=True)
class AuditFacts:
    """The target branch beside the store of record."""

    entries: tuple[Audited, ...]
    unseen: tuple[str, ...] = ()
    """Commits that touch what is measured, in no push that a run looked at."""
    active: bool = False
    """A run of the ingest workflow has not ended yet."""


def decide(facts: AuditFacts) -> Decision:
    """The first that is wrong gives the kind; all of it is in the details."""
    lacking = [one for one in facts.entries if one.rows == 0]
    unseen = list(facts.unseen)
    late = [one for one in lacking if not one.looked_at]
    if facts.active and (late or unseen) and len(late) == len(lacking):
        return _answer(facts, Kind.PENDING, f"{_named(late) or _commits(unseen)}: a run has not ended yet")
    if late or unseen:
        what = _named(late) or _commits(unseen)
        reason = f"no push run looked at {what}; `infx ingest recover`"
        return _answer(facts, Kind.NO_PUSH_RUN, reason)
    if lacking:
        reason = f"0 published rows for {_named(lacking)}; authorise with /use, then `infx ingest recover`"
        return _answer(facts, Kind.UNPUBLISHED, reason)
    rows = sum(one.rows for one in facts.entries)
    return _answer(facts, Kind.COMPLETE, f"{len(facts.entries)} entries, {rows} published rows")


def _named(found: Sequence[Audited]) -> str:
    """`the entry of …/pull/7 (key)`, and how many more."""
    texts = [f"{one.link or 'an entry without link'} at {one.commit[:7]}" for one in found[:SHOWN]]
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return ", ".join(texts) + more


def _commits(found: Sequence[str]) -> str:
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return ", ".join(commit[:7] for commit in found[:SHOWN]) + more


def _answer(facts: AuditFacts, kind: Kind, reason: str) -> Decision:
    entries: list[dict[str, Any]] = [
        {
            "commit": one.commit,
            "link": one.link,
            "config-keys": list(one.keys),
            "rows": one.rows,
            "looked-at": one.looked_at,
            "fault": one.fault,
        }
        for one in facts.entries
    ]
    return Decision(
        decision="audit",
        go=kind in (Kind.COMPLETE, Kind.PENDING),
        kind=kind,
        reason=reason,
        details={"entries": entries, "unseen": list(facts.unseen)},
    )
