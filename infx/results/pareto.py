"""Pareto frontier: the points that no other point beats in both directions."""

from collections.abc import Sequence
from typing import Literal

Best = Literal["high", "low"]


def frontier(points: Sequence[tuple[float, float]], *, x: Best) -> list[int]:
    """Positions of the frontier of (x, y) by rising x: y is best high, x as said. Equal points count once."""
    sign = 1 if x == "high" else -1
    order = sorted(range(len(points)), key=lambda at: (sign * points[at][0], points[at][1]), reverse=True)
    kept: list[int] = []
    best = float("-inf")
    for at in order:
        if points[at][1] > best:
            best = points[at][1]
            kept.append(at)
    return sorted(kept, key=lambda at: points[at][0])
