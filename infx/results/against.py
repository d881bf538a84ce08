"""Against: rows of a change beside what stands on main, point by point and curve by curve."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from infx.flat import Flat
from infx.results import area
from infx.results.compare import Finding, Pair, Value, compare
from infx.results.spread import Between, between

RECENT = 12
"""Most repetitions of one point that are looked at, newest first."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """What changed, what is only on one side."""

    points: tuple[Finding, ...]
    curves: tuple[Finding, ...]
    fresh: int
    """Points that main has never measured."""
    scope: str
    """What was compared with, in one sentence."""


def against(new: Sequence[Flat], history: Iterable[Flat]) -> Compared:
    """Throughput of every point of `new` beside the state of `history` that stands now. `history` holds every
    version that was not withdrawn; those with the image and fingerprint of the newest one repeat it."""
    known = _by_series(one for one in history if one.tput is not None and one.tput > 0)
    mine = _by_series(one for one in new if one.tput is not None and one.tput > 0)
    common = [series for series in mine if series in known]
    old = {series: repeats(known[series]) for series in common}
    spread = between([*map(_rates, map(list, _groups(known))), *(_rates(mine[series]) for series in common)])
    assert spread is not None  # a throughput has a floor
    pairs = [
        Pair(
            name=_name(mine[series][0]),
            new=[Value(value=rate) for rate in _rates(mine[series])],
            old=[Value(value=rate) for rate in _rates(old[series])],
            between=spread,
        )
        for series in common
    ]
    return Compared(
        points=tuple(compare(pairs)),
        curves=tuple(_curves({series: mine[series] for series in common}, old, spread)),
        fresh=len(mine) - len(common),
        scope=_scope(common, old, spread),
    )


def repeats(versions: Sequence[Flat]) -> list[Flat]:
    """The newest version, and those before it that measured the same work."""
    newest = max(versions, key=_age)
    same = [one for one in versions if _work(one) == _work(newest)]
    return sorted(same, key=_age, reverse=True)[:RECENT]


def _groups(known: Mapping[str, Sequence[Flat]]) -> Iterable[Sequence[Flat]]:
    """Versions that would be equal but for the run that measured them."""
    for versions in known.values():
        work: dict[tuple[str, str], list[Flat]] = defaultdict(list)
        for one in versions:
            work[_work(one)].append(one)
        yield from work.values()


def _work(one: Flat) -> tuple[str, str]:
    return (one.image, one.fingerprint)


def _age(one: Flat) -> tuple[float, float, int]:
    return (one.published, one.measured or 0, one.version)


def _by_series(rows: Iterable[Flat]) -> dict[str, list[Flat]]:
    found: dict[str, list[Flat]] = defaultdict(list)
    for one in rows:
        found[one.series].append(one)
    return found


def _rates(rows: Iterable[Flat]) -> list[float]:
    return [one.tput for one in rows if one.tput is not None]


def _name(one: Flat) -> str:
    return f"{one.title or f'C{one.conc}'} · {one.shape} · {one.curve}"


def _curves(
    new: Mapping[str, Sequence[Flat]], old: Mapping[str, Sequence[Flat]], spread: Between
) -> Iterable[Finding]:
    """Area below the frontier of every curve, over the points that both sides have."""
    names: dict[str, list[str]] = defaultdict(list)
    for series, rows in new.items():
        names[rows[0].curve].append(series)
    for name, members in names.items():
        sides = [_curve([side[one] for one in members]) for side in (new, old)]
        found = area.change(name, *sides, between=spread)
        if found:
            yield found


def _curve(points: Sequence[Sequence[Flat]]) -> area.Curve:
    usable = [
        ([one.e2el for one in rows if one.e2el], _rates(rows))
        for rows in points
        if any(one.e2el for one in rows)
    ]
    return area.Curve(
        latency=[sum(late) / len(late) for late, _ in usable],
        throughput=[sum(rate) / len(rate) for _, rate in usable],
        runs=min((len(rate) for _, rate in usable), default=1),
    )


def _scope(common: Sequence[str], old: Mapping[str, Sequence[Flat]], spread: Between) -> str:
    if not common:
        return "Main has measured none of these points."
    runs = sorted({one.run for rows in old.values() for one in rows}, reverse=True)
    told = ", ".join(map(str, runs[:3])) + (f" and {len(runs) - 3} more" if len(runs) > 3 else "")
    source = "assumed" if math.isinf(spread.freedom) else "seen in repeated runs"
    return (
        f"Throughput per GPU against run{'s' if len(runs) > 1 else ''} {told} on main. Runs differ by"
        f" {spread.sd:.1%} ({source}); a change is called one from 2 % on, when it is unlikely to be chance"
        " after allowing for the number of points."
    )
