"""Measures: the numbers of a point that a comparison judges, and how far runs let each of them differ."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from infx.flat import Flat
from infx.published import doubt
from infx.results.compare import Value
from infx.results.spread import FLOOR, Between, between


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One column of the rows."""

    name: str
    title: str
    """As a reader sees it, with the unit."""
    high: bool = False
    """More is better."""
    floor: float = FLOOR
    """Relative spread between runs where history does not tell."""
    doubt: str
    """Number of `request_error` that says how sure a run is of it."""
    steady: bool = False
    """A sum over the whole run, whose spread is much the same at every point. The others are medians: they
    jump where requests fall into two groups, so that neither the floor nor other points tell their spread."""
    waits: bool = False
    """It holds a wait for the engine's step that is going on."""


MEASURES = (
    Measure(name="tput", title="tok/s/GPU", high=True, doubt="tput", steady=True),
    Measure(name="intvty", title="tok/s/user", high=True, doubt="intvty"),
    Measure(name="ttft", title="TTFT s", doubt="ttft", waits=True),
    Measure(name="e2el", title="latency s", doubt="e2el"),
    # Two H200 machines of equal throughput differed by 2 % to 9 % in energy, over six points.
    Measure(name="joules", title="J/token", floor=0.05, doubt="tput", steady=True),
)


def values(measure: Measure, rows: Sequence[Flat]) -> list[Value]:
    """The rows' numbers that can be compared, each with the doubt of its own requests, 0 where unknown."""
    return [
        Value(value=found, error=doubt(one.row, measure.doubt) or 0.0)
        for one in rows
        if (found := number(measure, one)) is not None
    ]


def number(measure: Measure, row: Flat) -> float | None:
    found: float | None = getattr(row, measure.name)
    return found if found is not None and math.isfinite(found) and found > 0 else None


def step(measure: Measure, rows: Iterable[Flat]) -> float:
    """Share of one decode step in the number; 0 where it waits for none, or the step is not known.

    Where in a step requests arrive is chance, and a closed loop keeps it for a whole run: two runs of equal
    work on an H200 differed by 22 % in a TTFT of 26 ms, with steps of 5 ms.
    """
    shares = [1 / (one.intvty * one.ttft) for one in rows if measure.waits and one.intvty and one.ttft]
    return median(shares) if shares else 0.0


def spread(
    measure: Measure, pooled: Between, new: Sequence[Value], old: Sequence[Value], *, step: float = 0.0
) -> Between | None:
    """How far runs differ in this number at this point; None where nobody knows. `pooled` is what all points
    say of it; where it is given and not estimated, `step` comes on top."""
    every = [*new, *old]
    if measure.steady:
        return pooled
    if math.isinf(pooled.freedom):
        wider = Between(sd=math.hypot(pooled.sd, step))
        return wider if all(one.error > 0 for one in every) else None
    seen = between([[one.value for one in side] for side in (new, old)], floor=0.0)
    own = math.sqrt(sum(one.error**2 for one in every) / len(every))
    return Between(sd=max(pooled.sd, seen.sd if seen else 0.0, own), freedom=pooled.freedom)


def pooled(measure: Measure, groups: Sequence[Sequence[Flat]]) -> Between:
    """What runs of equal work differ by, over all points."""
    found = between(
        ([one for row in group if (one := number(measure, row)) is not None] for group in groups),
        floor=measure.floor,
    )
    assert found is not None  # it has a floor
    return found


Pools = Mapping[str, Between]
"""Name of a measure → what runs differ by."""
