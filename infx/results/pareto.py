"""Pareto frontier: the measured points that no other point beats."""

from collections.abc import Sequence
from typing import Literal

Best = Literal["high", "low"]


def frontier(points: Sequence[tuple[float, float]], *, x: Best) -> list[int]:
    """Positions of the frontier of (x, y) by rising x: y is best high, x as said.

    A point that only has a worse x at the same y stays: both were measured, and neither hides what the other
    says. Equal points count once.
    """
    sign = 1 if x == "high" else -1
    order = sorted(range(len(points)), key=lambda at: (sign * points[at][0], points[at][1]), reverse=True)
    kept: list[int] = []
    seen: set[tuple[float, float]] = set()
    best = float("-inf")
    for at in order:
        if points[at][1] >= best and points[at] not in seen:
            best = points[at][1]
            kept.append(at)
            seen.add(points[at])
    return sorted(kept, key=lambda at: points[at][0])
