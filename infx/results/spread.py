"""Spread: how far a measured value would move if it were measured again. Seeded, so that it repeats."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

SEED = 20260701
DRAWS = 2000
FLOOR = 0.015
"""Relative spread between runs of one throughput where history does not tell: three runs of an H200 differed
by 0.8 % to 1.7 %, by concurrency."""
LEAST = 0.0005
"""Spread of runs that all gave the very same value: it is small then, not nothing."""
ENOUGH = 4
"""Degrees of freedom from which on the repeated runs are believed rather than the floor."""


@dataclass(frozen=True, kw_only=True)
class Between:
    """Spread between runs."""

    sd: float
    """Standard deviation of the logarithm, which for small values is the relative one."""
    freedom: float = math.inf
    """Degrees of freedom of that estimate; infinite where it is given and not estimated."""


def between(groups: Iterable[Sequence[float]], *, floor: float | None = FLOOR) -> Between | None:
    """Pooled over groups of positive values that would be equal but for the run that measured them.

    Points of one run share its machine, so the freedom is that of the largest group, not the sum of all.
    With too few repetitions it is at least `floor`; None when there is no floor either.
    """
    squares, freedom, most = 0.0, 0, 0
    for values in groups:
        if len(values) > 1:
            logs = np.log(np.asarray(values, dtype=float))
            squares += float(((logs - logs.mean()) ** 2).sum())
            freedom += len(values) - 1
            most = max(most, len(values) - 1)
    seen = math.sqrt(squares / freedom) if freedom else 0.0
    if most >= ENOUGH:
        return Between(sd=max(seen, LEAST), freedom=most)
    return None if floor is None else Between(sd=max(seen, floor))


def normal(t: float, freedom: float) -> float:
    """The normal deviate as unlikely as `t` of Student's distribution (Wallace's approximation)."""
    if math.isinf(freedom):
        return t
    scale = (8 * freedom + 1) / (8 * freedom + 3)
    return math.copysign(scale * math.sqrt(freedom * math.log1p(t * t / freedom)), t)


def student(z: float, freedom: float) -> float:
    """Inverse of `normal`."""
    if math.isinf(freedom):
        return z
    scale = (8 * freedom + 3) / (8 * freedom + 1)
    return math.copysign(math.sqrt(freedom * math.expm1((z * scale) ** 2 / freedom)), z)


def chance(t: float, freedom: float) -> float:
    """Two-sided probability of a deviation at least as large."""
    return math.erfc(abs(normal(t, freedom)) / math.sqrt(2))
