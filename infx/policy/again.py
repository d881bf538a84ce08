"""Again: which jobs of an ended sweep a machine runs once more, and whether the next attempt ran them all."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from infx.decision import Decision
from infx.event import JobView
from infx.ledger import Entry, State
from infx.reason import Reason

CUT_SHORT = frozenset({Reason.FAIL_FAST, Reason.CANARY_FAILED, Reason.CANCELLED, Reason.NOT_YET})
"""Points that other points or people ended; they are no failures of their own."""
RAN = ("success", "failure", "cancelled", "timed_out")


class Way(StrEnum):
    """How."""

    NOTHING = "nothing"
    FAILED = "rerun-failed-jobs"
    """All failed jobs of the run, and those that they cut short."""
    JOB = "rerun-job"
    """One job, where others failed for good."""


@dataclass(frozen=True, kw_only=True)
class Failed:
    """One failed job of a sweep, and why it failed."""

    entry: Entry
    job: JobView
    failure: Decision


def again(failed: Sequence[Failed], *, lasting: bool = False) -> tuple[Way, Failed | None]:
    """What to run again. `lasting`: a job failed whose point has a valid result, which stays as it is."""
    may = [one for one in failed if one.failure.go]
    if not may:
        return Way.NOTHING, None
    if len(may) == len(failed) and not lasting:
        return Way.FAILED, None
    return Way.JOB, may[0]


def culprits(entries: Iterable[Entry]) -> list[Entry]:
    """Points that failed by themselves."""
    bad = (State.INVALID, State.MISSING, State.NOT_STARTED)
    return [one for one in entries if one.state in bad and one.reason not in CUT_SHORT]


def missed(entries: Iterable[Entry], jobs: Iterable[tuple[str, JobView]], *, attempt: int) -> tuple[str, ...]:
    """Titles of points that a later attempt had to run and did not. `jobs` are point id and job, of any
    attempt; what was valid before is not wanted again."""
    if attempt < 2:
        return ()
    ran = {point for point, job in jobs if job.attempt == attempt and job.conclusion in RAN}
    wanted = [one for one in entries if not (one.state == State.VALID and (one.attempt or 0) < attempt)]
    return tuple(one.title for one in wanted if one.point not in ran)
