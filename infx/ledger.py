"""Ledger: the state of every planned point, computed from artifacts and never from job colours."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

FORMAT = 1


class State(StrEnum):
    """`not-started`, `invalid` and `missing` carry a reason."""

    NOT_STARTED = "not-started"
    RUNNING = "running"
    VALID = "valid"
    INVALID = "invalid"
    MISSING = "missing"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One planned point as it stands."""

    point: str
    """Point id."""
    key: str
    title: str
    mode: str
    state: State
    reason: str = ""
    attempt: int | None = None
    node: str = ""
    sha: str = ""
    result: Mapping[str, Any] | None = None
    """Published row of a valid point."""
    notes: Sequence[str] = field(default_factory=tuple)

    @property
    def text(self) -> str:
        """`valid`, `invalid(canary-timeout)`."""
        return f"{self.state}({self.reason})" if self.reason else str(self.state)

    def as_json(self) -> dict[str, Any]:
        return {
            "point": self.point,
            "key": self.key,
            "title": self.title,
            "mode": self.mode,
            "state": str(self.state),
            "reason": self.reason,
            "attempt": self.attempt,
            "node": self.node,
            "sha": self.sha,
            "result": None if self.result is None else dict(self.result),
            "notes": list(self.notes),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Entry":
        return cls(**{**value, "state": State(value["state"]), "notes": tuple(value["notes"])})


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """All planned points of one run, in plan order."""

    run_id: int
    attempt: int
    head_sha: str
    plan_digest: str
    entries: tuple[Entry, ...]

    def count(self, mode: str, state: State) -> int:
        return sum(entry.mode == mode and entry.state == state for entry in self.entries)

    def planned(self, mode: str) -> int:
        return sum(entry.mode == mode for entry in self.entries)

    @property
    def counts(self) -> Mapping[State, int]:
        return Counter(entry.state for entry in self.entries)

    @property
    def complete(self) -> bool:
        """True when there is at least one point and every point is valid."""
        return bool(self.entries) and all(entry.state == State.VALID for entry in self.entries)

    def as_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "run_id": self.run_id,
            "attempt": self.attempt,
            "head_sha": self.head_sha,
            "plan_digest": self.plan_digest,
            "entries": [entry.as_json() for entry in self.entries],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Ledger":
        own = {name: value[name] for name in value if name != "format"}
        return cls(**{**own, "entries": tuple(Entry.from_json(entry) for entry in value["entries"])})
