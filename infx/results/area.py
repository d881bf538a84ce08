"""Area below a Pareto frontier: one number for a whole curve, and how sure it is that it moved.

The frontier is read as "the most throughput per GPU within this latency", over the logarithm of the latency,
so that an octave counts the same wherever it lies.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from infx.compared import CALLED, Change, Finding
from infx.results.compare import USUAL, Terms, inside, threshold
from infx.results.spread import DRAWS, SEED, Between

GRID = 64
"""Latencies at which frontiers are read."""
AREA = "area below the frontier"
Numbers = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Curve:
    """Measured points of one curve in one state, each the mean of `runs` runs."""

    latency: Sequence[float]
    """End to end, seconds."""
    throughput: Sequence[float]
    """Tokens per second and GPU."""
    error: Sequence[float] = ()
    """Relative standard error of each point from its own requests; empty for none."""
    runs: int = 1


def change(name: str, new: Curve, old: Curve, *, between: Between, terms: Terms = USUAL) -> Finding | None:
    """Relative change of the area, with a 95 % interval from seeded draws; None without a common latency.

    What runs differ by moves all points of a run together, which is the widest that the area can vary.
    """
    grid = _grid(new, old)
    if grid is None:
        return None
    rng = np.random.default_rng(SEED)
    before, after = (_areas(one, grid, between, rng) for one in (old, new))
    usable = before[1:] > 0
    exact = after[0] / before[0] - 1
    drawn = after[1:][usable] / before[1:][usable] - 1
    low, high = np.quantile(drawn, (0.025, 0.975))
    odds = 2 * min(float((drawn <= 0).mean()), float((drawn >= 0).mean()), 0.5)
    if (low > 0 or high < 0) and abs(exact) >= terms.effect:
        verdict = Change.BETTER if exact > 0 else Change.WORSE
    else:
        verdict = inside(low, high, terms)
    return Finding(
        name=name,
        measure=AREA,
        verdict=verdict,
        change=float(exact),
        low=float(low),
        high=float(high),
        chance=odds,
    )


def allowed(found: Sequence[Finding], terms: Terms = USUAL) -> list[Finding]:
    """The same verdicts after allowing for how many curves were looked at."""
    limit = threshold([one.chance for one in found], terms.error_rate)
    return [
        replace(one, verdict=inside(one.low, one.high, terms))
        if one.verdict in CALLED and one.chance > limit
        else one
        for one in found
    ]


def _grid(new: Curve, old: Curve) -> Numbers | None:
    """Latencies that both curves reach, equally spaced by logarithm."""
    if not new.latency or not old.latency:
        return None
    begin = max(min(new.latency), min(old.latency))
    end = max(*new.latency, *old.latency)
    return np.geomspace(begin, end, GRID) if 0 < begin < end else None


def _areas(one: Curve, grid: Numbers, between: Between, rng: np.random.Generator) -> Numbers:
    """Area as measured, then that of every draw. A slower run has less throughput and more latency."""
    latency, throughput = np.asarray(one.latency), np.asarray(one.throughput)
    own = np.asarray(one.error) if len(one.error) else np.zeros(len(latency))
    noise = rng.normal(size=(DRAWS + 1, 1)) * between.sd / np.sqrt(one.runs)
    noise = noise + rng.normal(size=(DRAWS + 1, len(latency))) * own
    noise[0] = 0
    moved = np.exp(noise)
    # A little slack, so that a point that stays in place still reaches its own latency.
    within = latency / moved <= grid[:, None, None] * (1 + 1e-9)
    best = np.where(within, throughput * moved, 0).max(axis=2)
    areas: Numbers = best.mean(axis=0)
    return areas
