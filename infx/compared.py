"""Compared: what a change did to measured numbers, point by point and curve by curve."""

from dataclasses import dataclass
from enum import StrEnum


class Change(StrEnum):
    """What a comparison says."""

    BETTER = "better"
    WORSE = "worse"
    SAME = "same"
    CANNOT_TELL = "cannot-tell"


CALLED = (Change.BETTER, Change.WORSE)
"""Verdicts that say that something changed."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Verdict on one number. `change` and its 95 % interval are shares of the old value: 0.05 is 5 % more."""

    name: str
    """Of the point or curve."""
    measure: str = ""
    """What was measured, with its unit."""
    verdict: Change
    change: float
    low: float
    high: float
    """Infinite where nobody knows how far runs differ."""
    chance: float
    """Probability of such a difference by chance alone, before allowing for how much was compared."""
    new: float | None = None
    """Mean of the runs; None where one number says little, as for a curve."""
    old: float | None = None


@dataclass(frozen=True, kw_only=True)
class Compared:
    """What changed, what is only on one side."""

    points: tuple[Finding, ...]
    """A verdict for each judged number of each point, in the order of the points."""
    curves: tuple[Finding, ...]
    fresh: int
    """Points that main has never measured."""
    scope: str
    """What was compared with, in one sentence."""
    chinese: str = ""
    """The same in Chinese."""
