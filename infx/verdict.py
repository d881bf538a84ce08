"""Verdict: the closed list of answers to "what does this event do"."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from infx.decision import Decision
from infx.errors import CouldNotTell, Refused
from infx.event import Run
from infx.facts import Answer


class Kind(StrEnum):
    """Every answer of the event decision."""

    START = "start"
    """A sweep starts and replaces the active one."""
    DISPATCH = "dispatch"
    """Control starts the sweep of exactly this fork's head from the default branch."""
    REPEAT = "repeat"
    """A re-run: the recorded plan once more."""
    NO_OP = "no-op"
    """The same sweep is active already."""
    PREVIEW = "preview"
    """No sweep label: gate and plan preview only."""
    NOTHING_TO_RUN = "nothing-to-run"
    """The plan is empty."""
    REPLAN = "replan"
    """The base branch is another one."""
    IGNORED = "ignored"
    """Not about sweeps: nothing starts, nothing is cancelled."""
    CANCEL = "cancel"
    """The last sweep label went: the active sweep ends."""
    CLOSED = "closed"
    """The pull request is closed or merged."""
    CLASH = "clash"
    """Several primary labels, or a modifier without one."""
    SKIPPED = "skip-marker"
    """The head commit asks for no sweep."""
    REUSE = "reuse"
    """An authorised reuse covers the new head."""
    FORK = "fork"
    """The head of a fork waits for a label."""
    FORK_GONE = "fork-gone"
    """The head repository was deleted."""
    HEAD_MOVED = "head-moved"
    """What was approved is no longer the head."""
    NOT_ALLOWED = "not-allowed"
    """The label was set by someone without the role for it."""
    PAUSED = "paused"
    """The policy stops every sweep."""
    OVER_BUDGET = "over-budget"
    """The plan waits for the grant label."""
    REFUSED_RERUN = "refused-rerun"
    """The recorded plan may not be repeated any more."""
    SKIP_WORD = "skip-word"
    """GitHub starts nothing: its own skip word."""
    CONFLICT = "conflict"
    """GitHub starts nothing: merge conflict."""
    APPROVAL_PENDING = "approval-pending"
    """GitHub waits for a person to approve the runs."""
    COULD_NOT_TELL = "could-not-tell"
    """A role could not be looked up; nothing rests on a guess."""


GO = frozenset({Kind.START, Kind.DISPATCH, Kind.REPEAT})
"""`start` and `repeat` run in the sweep's own run; `dispatch` is control's to do."""

FAILS = frozenset(
    {
        Kind.CLASH,
        Kind.FORK_GONE,
        Kind.HEAD_MOVED,
        Kind.NOT_ALLOWED,
        Kind.PAUSED,
        Kind.OVER_BUDGET,
        Kind.REFUSED_RERUN,
    }
)
"""The gate is red: somebody asked for a sweep and does not get it."""


@dataclass(frozen=True)
class Verdict:
    """Answer of one row of the gate."""

    kind: Kind
    reason: str
    cancels: Sequence[Run] = ()
    """Runs that control ends."""


def exit_number(decision: Decision) -> int:
    """Of what took the decision: 3 where nobody could tell, 1 for a no, else 0. An event that starts nothing
    is no refusal, unless somebody asked for a sweep."""
    if decision.kind in (Kind.COULD_NOT_TELL, Answer.UNKNOWN):
        return CouldNotTell.exit_code
    refused = decision.kind in FAILS if decision.decision == "event" else not decision.go
    return Refused.exit_code if refused else 0
