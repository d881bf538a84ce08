"""Against: rows of a change beside what stands on main, point by point and curve by curve."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from infx.compared import Compared, Finding
from infx.flat import Flat
from infx.results import area, measures
from infx.results.compare import Pair, compare
from infx.results.measures import MEASURES, Measure, Pools
from infx.results.spread import Between

RECENT = 12
"""Most repetitions of one point that are looked at, newest first."""
TPUT = MEASURES[0]
Rows = Mapping[str, Sequence[Flat]]
"""Series → its rows."""


def against(new: Sequence[Flat], history: Iterable[Flat]) -> Compared:
    """Every judged number of every point of `new` beside the state of `history` that stands now. `history`
    holds every version that was not withdrawn; those with the image and fingerprint of the newest one repeat
    it."""
    known = _by_series(one for one in history if measures.number(TPUT, one))
    mine = _by_series(one for one in new if measures.number(TPUT, one))
    common = {series: rows for series, rows in mine.items() if series in known}
    old = {series: repeats(known[series]) for series in common}
    groups = [*_groups(known), *common.values()]
    pools = {one.name: measures.pooled(one, groups) for one in MEASURES}
    scope, chinese = _scope(old, pools[TPUT.name])
    return Compared(
        points=tuple(compare(list(_pairs(common, old, pools)))),
        curves=tuple(area.allowed(list(_curves(common, old, pools[TPUT.name])))),
        fresh=len(mine) - len(common),
        scope=scope,
        chinese=chinese,
    )


def _pairs(new: Rows, old: Rows, pools: Pools) -> Iterable[Pair]:
    for series, rows in new.items():
        for measure in MEASURES:
            found = _pair(measure, rows, old[series], pools)
            if found:
                yield found


def _pair(measure: Measure, new: Sequence[Flat], old: Sequence[Flat], pools: Pools) -> Pair | None:
    """None where one side lacks the number."""
    sides = [measures.values(measure, rows) for rows in (new, old)]
    if not all(sides):
        return None
    return Pair(
        name=_name(new[0]),
        measure=measure.title,
        new=sides[0],
        old=sides[1],
        between=measures.spread(
            measure, pools[measure.name], *sides, step=measures.step(measure, [*new, *old])
        ),
        high=measure.high,
    )


def repeats(versions: Sequence[Flat]) -> list[Flat]:
    """The newest version, and those before it that measured the same work."""
    newest = max(versions, key=_age)
    same = [one for one in versions if _work(one) == _work(newest)]
    return sorted(same, key=_age, reverse=True)[:RECENT]


def _groups(known: Rows) -> Iterable[Sequence[Flat]]:
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


def _name(one: Flat) -> str:
    return f"{one.title or f'C{one.conc}'} · {one.shape} · {one.curve}"


def _curves(new: Rows, old: Rows, spread: Between) -> Iterable[Finding]:
    """Area below the frontier of every curve, over the points that both sides have."""
    names: dict[str, list[str]] = defaultdict(list)
    for series, rows in new.items():
        names[rows[0].curve].append(series)
    for name, members in names.items():
        own = math.isinf(spread.freedom)
        sides = [_curve([side[one] for one in members], own=own) for side in (new, old)]
        found = area.change(name, *sides, between=spread)
        if found:
            yield found


def _curve(points: Sequence[Sequence[Flat]], *, own: bool) -> area.Curve:
    """`own`: how sure each run is of itself counts too. Repeated runs hold that part already."""
    usable = [
        ([one.e2el for one in rows if one.e2el], measures.values(TPUT, rows))
        for rows in points
        if any(one.e2el for one in rows)
    ]
    errors = [math.hypot(*(one.error for one in rate)) / len(rate) for _, rate in usable] if own else ()
    return area.Curve(
        latency=[sum(late) / len(late) for late, _ in usable],
        throughput=[sum(one.value for one in rate) / len(rate) for _, rate in usable],
        error=errors,
        runs=min((len(rate) for _, rate in usable), default=1),
    )


def _scope(old: Rows, spread: Between) -> tuple[str, str]:
    """In English and in Chinese."""
    if not old:
        return "Main has measured none of these points.", "主分支没有测量过这些测试点。"
    runs = sorted({one.run for rows in old.values() for one in rows}, reverse=True)
    told, rest = ", ".join(map(str, runs[:3])), len(runs) - 3
    seen = math.isfinite(spread.freedom)
    return (
        f"Beside run{'s' if len(runs) > 1 else ''} {told}{f' and {rest} more' if rest > 0 else ''} on main."
        f" The throughput of runs differs by {spread.sd:.1%}"
        f" ({'seen in repeated runs' if seen else 'assumed'}); a change is called one from 2 % on, when it is"
        " unlikely to be chance after allowing for how much was compared.",
        f"与主分支的运行 {told}{f' 等 {len(runs)} 次' if rest > 0 else ''} 比较。不同运行的吞吐量相差"
        f" {spread.sd:.1%}（{'由重复运行得出' if seen else '假定值'}）；变化至少为 2 %，"
        "并且在考虑比较数量之后不太可能出于偶然，才称为变化。",
    )
