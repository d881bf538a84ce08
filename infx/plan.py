"""Plan: the validated list of points for one event, and how they may be started."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from infx.canon import digest
from infx.point import Point

FORMAT = 1


@dataclass(frozen=True, kw_only=True)
class KeyPlan:
    """How one config key is released: by its canary, or at once."""

    key: str
    canary: str | None
    """Point id; None releases the key without a canary, for the reason in `why`."""
    candidates: tuple[str, ...] = ()
    """Point ids to try next, in order, when the canary reaches its deadline."""
    deadline_s: int | None = None
    """Seconds from the canary's start to its deadline; None without a canary."""
    next_deadline_s: int | None = None
    """The same for the first candidate, which takes longer at its higher concurrency; None without one."""
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "canary": self.canary,
            "candidates": list(self.candidates),
            "deadline_s": self.deadline_s,
            "next_deadline_s": self.next_deadline_s,
            "why": self.why,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "KeyPlan":
        return cls(**{**value, "candidates": tuple(value["candidates"])})


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What one sweep run does. Written by the `plan` job, read by every later job of the run."""

    repository: str
    pr: int | None
    head_sha: str
    """Commit that every job of the run checks out and records."""
    merge_base: str
    primary: str
    """The one primary label, or `""` for a one-off run."""
    modifiers: tuple[str, ...]
    fail_fast: bool
    reusable: bool
    """False for ever when a modifier or one-off made the numbers unfit for publication."""
    fast: bool
    """Shortened agentic profile."""
    points: tuple[Point, ...]
    keys: tuple[KeyPlan, ...]
    changelog_metadata: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def by_id(self) -> Mapping[str, Point]:
        return {point.id: point for point in self.points}

    @property
    def digest(self) -> str:
        """Equal digests: the same points with the same fingerprints."""
        return digest(sorted([point.id, *point.fingerprint.as_json().values()] for point in self.points))

    @property
    def seal(self) -> str:
        """Digest of the whole plan: a later job of the run knows by it that nobody replaced the artifact."""
        return digest(self.as_json())

    @property
    def gpu_hours(self) -> float:
        """Expected GPU-hours of all points."""
        return sum(point.gpus * point.duration_s for point in self.points) / 3600

    def as_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "digest": self.digest,
            "repository": self.repository,
            "pr": self.pr,
            "head_sha": self.head_sha,
            "merge_base": self.merge_base,
            "primary": self.primary,
            "modifiers": list(self.modifiers),
            "fail_fast": self.fail_fast,
            "reusable": self.reusable,
            "fast": self.fast,
            "points": [point.as_json() for point in self.points],
            "keys": [key.as_json() for key in self.keys],
            "changelog_metadata": dict(self.changelog_metadata),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Plan":
        """Inverse of `as_json`; KeyError or TypeError when a field is missing or of another shape."""
        own = {name: value[name] for name in value if name not in ("format", "digest")}
        return cls(
            **{
                **own,
                "modifiers": tuple(value["modifiers"]),
                "points": tuple(Point.from_json(point) for point in value["points"]),
                "keys": tuple(KeyPlan.from_json(key) for key in value["keys"]),
            }
        )
