"""Failure: what is known of one job that did not succeed, and the signatures that tell what it was."""

from dataclasses import dataclass
from enum import StrEnum


class Cause(StrEnum):
    """Where a failure came from."""

    RUNNER = "runner"
    """The machine: lost, full, or left dirty by an earlier job."""
    HARNESS = "harness"
    """Everything around the engine: load client, network, artifacts, GitHub itself."""
    SERVER = "server"
    """The engine that the change asks for."""
    RESULT = "result"
    """The job did its work, and what it measured does not count."""
    POLICY = "policy"
    """infx or a rule of the repository said no."""
    QUEUE_EXPIRED = "queue-expired"
    """No runner took the job in time."""
    UNKNOWN = "unknown"


class Remedy(StrEnum):
    """What helps."""

    RERUN = "rerun"
    """The failed jobs of the same run once more; everything else stays."""
    CLEAN = "clean"
    """The runner first, then the failed jobs."""
    PERSON = "person"
    """Somebody has to look; running it again would give the same."""


BLAME = {
    Cause.RUNNER: "infrastructure",
    Cause.HARNESS: "infrastructure",
    Cause.QUEUE_EXPIRED: "infrastructure",
    Cause.SERVER: "author",
    Cause.RESULT: "author",
    Cause.POLICY: "author",
    Cause.UNKNOWN: "unknown",
}
"""Whose it is. A failure of infrastructure is never told to an author as one of the benchmark."""


@dataclass(frozen=True, kw_only=True)
class FailureFacts:
    """One job that did not succeed."""

    job: str = ""
    """Its name."""
    conclusion: str = "failure"
    step: str = ""
    """Name of the step that failed; a cell's phase, such as `warmup`, where that is known."""
    seconds: float | None = None
    """How long the failed step ran; the job, when no step failed. None: not known."""
    waited_s: float = 0
    """Seconds in the queue, for a job that no runner took."""
    runner: str = ""
    """Name of the runner; empty when none took the job."""
    log: str = ""
    """The end of its log and its annotations. It comes from a pull request: data, never trusted."""
    reason: str = ""
    """Why the job's point has no valid result, from the ledger."""
    runner_failures: int = 0
    """Failures of the same runner lately, this one left out."""
    server_alive: bool | None = None
    """The engine neither ended nor answered 5xx; None: not known."""
    attempt: int = 1
    gpu: bool = False
    """The job measures."""
    accepted: bool = False
    """Its point has an accepted result."""


@dataclass(frozen=True, kw_only=True)
class Signature:
    """How one kind of failure looks. Every condition that is given has to hold."""

    detail: str
    """Name of the kind, such as `runner-poisoned`."""
    cause: Cause
    remedy: Remedy
    sample: FailureFacts
    """A failure of this kind, for tests."""
    hint: str = ""
    """What helps, for people."""
    conclusion: str = ""
    step: str = ""
    """Regular expression (`infx.pattern`), found anywhere, letter case ignored; so is `log`."""
    log: str = ""
    reasons: tuple[str, ...] = ()
    """Reasons of the ledger."""
    within_s: float | None = None
    """The failed step ran at most so long."""
    waited_s: float | None = None
    """The job waited at least so long and no runner took it."""
    runner_failures: int = 0
    server_alive: bool = False
