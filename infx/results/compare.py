"""Compare: is a point better, worse or the same as before, or can nobody tell?

Each difference carries two parts of doubt: that of the measurement itself (its requests), and that between
runs, from history. A change is called one only when it is larger than the minimum effect, and stays unlikely
to be chance after allowing for how many numbers were looked at (Benjamini and Hochberg, 1995).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from infx.compared import Change, Finding
from infx.results.spread import Between, chance, student

Z = 1.959964
"""Of a 95 % interval."""

MOST = 700.0
"""Largest logarithm whose number is a double: a row may hold any finite throughput."""


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What counts as a change. Shares of 1."""

    error_rate: float = 0.05
    """Expected share of false ones among the changes that are called so."""
    effect: float = 0.02
    """Smallest change worth a word."""
    margin: float = 0.05
    """A 95 % interval inside this is called the same."""


USUAL = Terms()


@dataclass(frozen=True, kw_only=True)
class Value:
    """One run's value of one point."""

    value: float
    error: float = 0.0
    """Relative standard error from its own requests; 0 when it is part of the spread between runs."""


@dataclass(frozen=True, kw_only=True)
class Pair:
    """One number of one point, measured on both sides."""

    name: str
    measure: str = ""
    new: Sequence[Value]
    old: Sequence[Value]
    between: Between | None
    """None: nobody knows how much runs differ, so no difference is called a change."""
    high: bool = True
    """More is better."""


def compare(pairs: Sequence[Pair], terms: Terms = USUAL) -> list[Finding]:
    """Verdicts in the order of `pairs`. ValueError when a value is not finite and positive."""
    measured = [_difference(pair) for pair in pairs]
    odds = [chance(d / se, freedom) if se else 1.0 for d, se, freedom in measured]
    limit = threshold(odds, terms.error_rate)
    return [
        _finding(pair, one, odd, called=odd <= limit, terms=terms)
        for pair, one, odd in zip(pairs, measured, odds, strict=True)
    ]


def threshold(odds: Sequence[float], rate: float) -> float:
    """Largest probability at which a difference is still called a change."""
    ordered = sorted(odds)
    kept = [one for place, one in enumerate(ordered, start=1) if one <= rate * place / len(ordered)]
    return kept[-1] if kept else -1.0


def _difference(pair: Pair) -> tuple[float, float, float]:
    """Difference of the mean logarithms, its standard error (0: unknown), and the degrees of freedom."""
    change = _mean(pair.new) - _mean(pair.old)
    if pair.between is None:
        return change, 0.0, math.inf
    spread, freedom = pair.between.sd, pair.between.freedom
    # Repeated runs differ by their requests too: what was seen between them holds that part already.
    own = 0 if math.isfinite(freedom) else 1
    sides = (pair.new, pair.old)
    variance = sum(sum(spread**2 + own * one.error**2 for one in side) / len(side) ** 2 for side in sides)
    return change, math.sqrt(variance), freedom


def _mean(values: Sequence[Value]) -> float:
    if not values or not all(math.isfinite(one.value) and one.value > 0 for one in values):
        raise ValueError("values to compare are finite and positive, at least one on each side")
    return sum(math.log(one.value) for one in values) / len(values)


def _finding(
    pair: Pair, measured: tuple[float, float, float], odds: float, *, called: bool, terms: Terms
) -> Finding:
    difference, error, freedom = measured
    reach = student(Z, freedom) * error if error else math.inf
    low, high = (_share(difference + side * reach) for side in (-1, 1))
    change = _share(difference)
    if called and abs(change) >= terms.effect:
        verdict = Change.BETTER if (difference > 0) == pair.high else Change.WORSE
    else:
        verdict = inside(low, high, terms)
    return Finding(
        name=pair.name,
        measure=pair.measure,
        verdict=verdict,
        change=change,
        low=low,
        high=high,
        chance=odds,
        new=math.exp(_mean(pair.new)),
        old=math.exp(_mean(pair.old)),
    )


def _share(difference: float) -> float:
    return math.inf if difference > MOST else math.expm1(difference)


def inside(low: float, high: float, terms: Terms) -> Change:
    """No change was called: is the interval narrow enough to call it the same?"""
    return Change.SAME if -terms.margin <= low and high <= terms.margin else Change.CANNOT_TELL
