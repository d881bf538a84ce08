"""Labels: their classes, and the book that says which label is of which class."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal


class Group(StrEnum):
    """Class of a label. Primary and modifier labels together are the sweep labels."""

    PRIMARY = "primary"
    MODIFIER = "modifier"
    GRANT = "grant"
    PRIORITY = "priority"
    OWN = "own"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class Primary:
    """A label that asks for a sweep; exactly one of them starts it."""

    name: str
    canary: bool
    canary_failure: Literal["all", "key"]
    """What a failed canary holds back: every key, or its own key only."""
    fail_fast: bool
    """The first failure cancels what is left of the same matrix."""


@dataclass(frozen=True, kw_only=True)
class Modifier:
    """A label that changes what a primary label starts."""

    name: str
    blocks_reuse: bool = False
    """Results made under it are never published, and while it is on no reuse is accepted."""
    all_evals: bool = False
    evals_only: bool = False
    fast: bool = False
    """Shortened agentic profile."""
    resume: bool = False
    """Only points without an accepted result."""


@dataclass(frozen=True, kw_only=True)
class LabelBook:
    """Every label that infx knows. Names are compared exactly, as GitHub sends them."""

    primaries: Mapping[str, Primary]
    modifiers: Mapping[str, Modifier]
    grants: frozenset[str]
    priorities: Mapping[str, int] = field(default_factory=dict)
    """Name → weight in the queue."""
    own: frozenset[str] = frozenset()

    def group(self, name: str) -> Group:
        table: tuple[tuple[Collection[str], Group], ...] = (
            (self.primaries, Group.PRIMARY),
            (self.modifiers, Group.MODIFIER),
            (self.grants, Group.GRANT),
            (self.priorities, Group.PRIORITY),
            (self.own, Group.OWN),
        )
        return next((group for names, group in table if name in names), Group.UNKNOWN)

    def is_sweep(self, name: str) -> bool:
        return name in self.primaries or name in self.modifiers

    def sweep_labels(self, labels: Collection[str]) -> frozenset[str]:
        return frozenset(name for name in labels if self.is_sweep(name))

    def primaries_on(self, labels: Collection[str]) -> tuple[str, ...]:
        """Primary labels among `labels`, sorted."""
        return tuple(sorted(name for name in set(labels) if name in self.primaries))

    def resumes(self, names: Collection[str]) -> bool:
        """A label among `names` asks for no more than the points that have no accepted result."""
        return any(self.modifiers[name].resume for name in self.modifiers_on(names))

    def modifiers_on(self, labels: Collection[str]) -> tuple[str, ...]:
        """Modifier labels among `labels`, sorted."""
        return tuple(sorted(name for name in set(labels) if name in self.modifiers))

    def blocking_on(self, labels: Collection[str]) -> tuple[str, ...]:
        """Modifiers among `labels` that block reuse, sorted."""
        return tuple(name for name in self.modifiers_on(labels) if self.modifiers[name].blocks_reuse)

    def clash(self, labels: Collection[str]) -> tuple[str, ...]:
        """Sweep labels that contradict each other: several primaries, or modifiers without one; else ()."""
        primaries, modifiers = self.primaries_on(labels), self.modifiers_on(labels)
        if len(primaries) > 1:
            return primaries
        return () if primaries else modifiers

    def near(self, name: str) -> str:
        """The label that a person who wrote `name` most likely meant; `""` when none is close."""
        from difflib import get_close_matches  # late: only mistakes pay for it

        known = [*self.primaries, *self.modifiers, *self.grants, *self.priorities]
        return next(iter(get_close_matches(name[:100], known, n=1, cutoff=0.8)), "")
