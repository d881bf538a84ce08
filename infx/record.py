"""Record: what one cell leaves behind, whatever happened. Gates and the ledger read it, never a colour."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

FILE = "record.json"
"""Name of the record inside each point's artifact."""
TRIES = "attempts.json"
"""Name of the list of every attempt, kept beside the statistics of the run: a re-run replaces records."""


class Outcome(StrEnum):
    """How a cell ended. Only `success` may release a key or become a valid point."""

    SUCCESS = "success"
    FAILURE = "failure"
    """The engine, the client or the benchmark failed."""
    INVALID = "invalid"
    """It ran to its end, but the numbers break a rule of validity."""
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    NOT_STARTED = "not-started"
    """Cut short before the engine started, for example by the first failure of its shard."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """Outcome of one point in one attempt of one run, with the identity that was measured."""

    point: str
    """Point id."""
    identity: Mapping[str, Any]
    fingerprint: Mapping[str, str]
    outcome: Outcome
    reason: str = ""
    """From a closed list when the outcome is not success, such as `canary-timeout`."""
    detail: str = ""
    """One sentence for people."""
    sha: str
    """Commit that was checked out."""
    run_id: int
    attempt: int
    node: str
    started: float
    """Unix seconds, UTC."""
    ended: float
    result: Mapping[str, Any] | None = None
    """Published row; None unless valid."""
    notes: Sequence[str] = field(default_factory=tuple)
    """Facts that do not change the state, such as drain cancellations."""

    def as_json(self) -> dict[str, Any]:
        return {
            "point": self.point,
            "identity": dict(self.identity),
            "fingerprint": dict(self.fingerprint),
            "outcome": str(self.outcome),
            "reason": self.reason,
            "detail": self.detail,
            "sha": self.sha,
            "run_id": self.run_id,
            "attempt": self.attempt,
            "node": self.node,
            "started": self.started,
            "ended": self.ended,
            "result": None if self.result is None else dict(self.result),
            "notes": list(self.notes),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Record":
        """Inverse of `as_json`; KeyError, TypeError or ValueError when the shape differs."""
        return cls(**{**value, "outcome": Outcome(value["outcome"]), "notes": tuple(value["notes"])})


@dataclass(frozen=True, kw_only=True)
class Try:
    """One attempt at one point, whose artifact a later attempt may have replaced."""

    point: str
    attempt: int
    outcome: Outcome

    @classmethod
    def of(cls, record: Record) -> "Try":
        return cls(point=record.point, attempt=record.attempt, outcome=record.outcome)

    def as_json(self) -> dict[str, Any]:
        return {"point": self.point, "attempt": self.attempt, "outcome": str(self.outcome)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Try":
        """Inverse of `as_json`; KeyError, TypeError or ValueError when the shape differs."""
        return cls(**{**value, "outcome": Outcome(value["outcome"])})
