"""Older: the ledger of a run that older tooling made, from its published rows.

It recorded no plan: what it planned is what its commit makes, and a row is of the one point that it fits."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isfinite
from typing import Any

from infx import published
from infx.canon import canonical
from infx.event import LabelChange, Run
from infx.ledger import Entry, Ledger, State
from infx.plan import Plan
from infx.point import EVAL, Point
from infx.reason import Reason
from infx.results.accuracy import Thresholds, floor_of
from infx.results.normalize import identity, topology
from infx.results.validity import row_fault

Row = Mapping[str, Any]
ALWAYS = ("hw", "conc", "framework", "precision")
"""Fields that every row of older tooling has; without one of them it is no point's."""
NODE = "not-recorded"
"""Its rows name the hardware and no node."""


@dataclass(frozen=True, kw_only=True)
class Rows:
    """Aggregates of one run."""

    throughput: Sequence[Row] = ()
    evals: Sequence[Row] = ()

    @property
    def there(self) -> bool:
        return bool(self.throughput or self.evals)


def ledger(run: Run, plan: Plan, rows: Rows, thresholds: Thresholds) -> Ledger:
    """State of every point of `plan`: valid where exactly its row is there and passes."""
    found = _by_point(plan, rows)
    return Ledger(
        run_id=run.id,
        attempt=run.attempt,
        head_sha=plan.head_sha,
        plan_digest=plan.digest,
        entries=tuple(_entry(point, found.get(point.id, []), run, thresholds) for point in plan.points),
    )


def labels_at(changes: Iterable[LabelChange], when: str) -> tuple[str, ...]:
    """Labels that a pull request had at a time, from what was set and removed, oldest first. Times are ISO
    8601 in UTC."""
    held: dict[str, None] = {}
    for one in changes:
        if one.at > when:
            break
        if one.on:
            held[one.label] = None
        else:
            held.pop(one.label, None)
    return tuple(held)


def _by_point(plan: Plan, rows: Rows) -> Mapping[str, list[Row]]:
    """Point id → its rows. A row that fits two points tells of none."""
    points: dict[object, list[tuple[Point, Row]]] = defaultdict(list)
    for point in plan.points:
        wanted = fields(point)
        points[_place(wanted, point.mode == EVAL)].append((point, wanted))
    found: dict[str, list[Row]] = defaultdict(list)
    for row, scored in [*((one, False) for one in rows.throughput), *((one, True) for one in rows.evals)]:
        fitting = [point for point, wanted in points.get(_place(row, scored), ()) if _fits(row, wanted)]
        if len(fitting) == 1 and all(name in row for name in ALWAYS):
            found[fitting[0].id].append(row)
    return found


def fields(point: Point) -> dict[str, Any]:
    """What a published row of the point says of it."""
    found = {**identity(point), **topology(point)}
    if point.mode == EVAL:
        found["model_prefix"] = found.pop("infmax_model_prefix")
        found["task"] = point.task
    return found


def _place(row: Row, scored: bool) -> object:
    """What has to be equal in any case: rows of evals and of throughput never meet."""
    return (scored, *(_word(row.get(name)) for name in (*ALWAYS, "task", "isl", "osl")))


def _fits(row: Row, wanted: Row) -> bool:
    """Every field that both have is equal: rows of older tools may lack some."""
    return all(_word(row[name]) == _word(value) for name, value in wanted.items() if name in row)


def _word(value: Any) -> str:
    """One spelling: `True`, `"true"` and `true` are one value, and so are `H200` and `h200`, 8 and 8.0, and
    nothing and an empty text."""
    if value is None or (isinstance(value, float) and value.is_integer()):
        value = "" if value is None else int(value)
    return (canonical(value) if isinstance(value, Mapping | list | tuple) else str(value)).casefold()


def _entry(point: Point, rows: Sequence[Row], run: Run, thresholds: Thresholds) -> Entry:
    state, reason, row = _judged(point, rows, thresholds)
    return Entry(
        point=point.id,
        key=point.key,
        title=point.title,
        mode=point.mode,
        state=state,
        reason=reason,
        attempt=run.attempt if rows else None,
        node=NODE if rows else "",
        sha=run.head_sha if rows else "",
        result=row,
        notes=("made by older tooling",) if rows else (),
    )


def _judged(
    point: Point, rows: Sequence[Row], thresholds: Thresholds
) -> tuple[State, str, Mapping[str, Any] | None]:
    """The provably newest row counts, if it passes."""
    if not rows:
        return State.MISSING, Reason.NO_ARTIFACT, None
    newest = max(rows, key=_time)
    others = [one for one in rows if canonical(one) != canonical(newest)]
    if any(_time(one) <= 0 or _time(one) == _time(newest) for one in others):
        return State.INVALID, Reason.AMBIGUOUS, None
    if fault := row_fault(newest, point):
        return State.INVALID, fault.reason, None
    if point.mode == EVAL and (failed := _failed(point, newest, thresholds)):
        return State.INVALID, failed, None
    return State.VALID, "", dict(newest)


def _failed(point: Point, row: Row, thresholds: Thresholds) -> str:
    """Why a score does not pass: the floor is asked again, for a row says nothing of its job."""
    floor = floor_of(thresholds, str(point.row["model-prefix"]), str(point.task))
    if floor is None:
        return Reason.NO_THRESHOLD
    score = published.score(row)
    return "" if score is not None and score >= floor.value else Reason.BELOW_THRESHOLD


def _time(row: Row) -> float:
    """When the result was made, Unix seconds; 0 when it does not say."""
    told = row.get("result_time")
    if isinstance(told, str):
        try:
            return datetime.fromisoformat(told).timestamp()
        except (ValueError, OverflowError):
            return 0.0
    if isinstance(told, bool) or not isinstance(told, int | float) or not isfinite(told):
        return 0.0
    return float(told)
