"""Run-level concurrency groups: one run goes, one waits, newer ones replace the waiting one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from infx.forge.ports import Run

WAITING = "waiting"


@dataclass(frozen=True, kw_only=True)
class Admission:
    """What a new run of a group does to the others, and whether it must wait for them."""

    wait: bool
    cancels: tuple[int, ...] = ()


def rivals(run: Run, unfinished: Iterable[Run]) -> list[Run]:
    """Other unfinished runs of the same group; group names are compared without case."""
    return [
        other
        for other in unfinished
        if run.group
        and other.id != run.id
        and other.repository == run.repository
        and other.group.lower() == run.group.lower()
        and other.status != "completed"
    ]


def admit(run: Run, unfinished: Iterable[Run]) -> Admission:
    """A waiting rival is always replaced, a running one only when `run` says `cancel-in-progress`."""
    others = rivals(run, unfinished)
    running = [other for other in others if other.status != WAITING]
    out = [other.id for other in others if other.status == WAITING or run.cancel_in_progress]
    return Admission(wait=bool(running), cancels=tuple(out))


def next_up(finished: Run, unfinished: Iterable[Run]) -> Run | None:
    """The run that may start once `finished` ended: the newest waiting one of a group where nothing runs."""
    others: Sequence[Run] = rivals(finished, unfinished)
    if any(other.status != WAITING for other in others):
        return None
    return max(others, key=lambda other: other.id, default=None)
