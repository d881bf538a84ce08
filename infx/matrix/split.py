"""How points start: canary and candidates of each key, shards under GitHub's limits."""

import json
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from infx.errors import BadInput
from infx.matrix.points import recorded
from infx.matrix.script import agentic
from infx.plan import KeyPlan
from infx.point import THROUGHPUT, Point
from infx.rules import Canary

CELLS = 256
"""Most jobs of one matrix (docs.github.com: Running variations of jobs in a workflow)."""
SHARDS = 8
"""Shard jobs in the sweep workflow."""
CELL_CHARS = 128
"""Most characters of one cell in an output.

256 × 128 = 32,768 characters are 64 KiB in UTF-16, which is how GitHub counts; eight such outputs are
262,144 characters, below the 400,000 that one job may have.
"""
MIN_NAME = 16
"""Fewest characters that a cell keeps for people."""

NO_CANARY_LABEL = "the label has no canary"
ACCEPTED = "the key already has an accepted point on this pool"
NONE_QUALIFIES = "no throughput row can be a canary"


def key_plans(
    points: Sequence[Point],
    *,
    canary: bool,
    accepted: Container[tuple[str, str]] = (),
    seconds: Mapping[str, int],
    rule: Canary,
) -> tuple[KeyPlan, ...]:
    """One `KeyPlan` per key, in plan order.

    `accepted` holds (key, runner label) with an accepted point; `seconds` are recorded durations.
    BadInput `plan-too-large` when there are more canaries than one matrix has cells.
    """
    keys: dict[str, list[Point]] = {}
    for point in points:
        keys.setdefault(point.key, []).append(point)
    if canary and len(keys) > CELLS:
        raise BadInput(
            f"plan-too-large: {len(keys)} config keys, and one matrix holds {CELLS} canaries",
            todo="split the change, or use a label without canary",
        )
    made = []
    for key, own in keys.items():
        if not canary:
            made.append(KeyPlan(key=key, canary=None, why=NO_CANARY_LABEL))
        elif any((key, point.runner) in accepted for point in own):
            made.append(KeyPlan(key=key, canary=None, why=ACCEPTED))
        else:
            made.append(_key_plan(key, candidates(own), seconds, rule))
    return tuple(made)


def candidates(points: Sequence[Point]) -> list[Point]:
    """Points of one key that may be its canary, best first."""
    may = [point for point in points if point.mode == THROUGHPUT and not point.row.get("run-eval")]
    single = [point for point in may if not point.multinode]
    pool = single or [point for point in may if agentic(point.row)]
    return sorted(pool, key=lambda point: (min(point.concurrencies), bool(point.offload), point.gpus))


def deadline(point: Point, seconds: Mapping[str, int], rule: Canary) -> int:
    """Seconds from a canary's start to its deadline."""
    known = recorded(point, seconds)
    return int(rule.deadline_min * 60 if known is None else rule.factor * known)


def in_order(points: Sequence[Point]) -> list[Point]:
    """Longest expected first, so that none starts when all others have ended; then plan order."""
    return sorted(points, key=lambda point: -point.duration_s)


def chunks(points: Sequence[Point], size: int = CELLS) -> list[Sequence[Point]]:
    """Runs of at most `size` points; order kept, nothing lost."""
    return [points[start : start + size] for start in range(0, len(points), size)]


def shards(points: Sequence[Point]) -> list[Sequence[Point]]:
    """Points of each shard job. BadInput `plan-too-large` beyond eight matrices names the biggest keys."""
    if len(points) > CELLS * SHARDS:
        biggest = Counter(point.key for point in points).most_common(3)
        told = ", ".join(f"{key} ({count})" for key, count in biggest)
        raise BadInput(
            f"plan-too-large: {len(points)} points, at most {CELLS * SHARDS} fit; biggest keys: {told}",
            todo="split the change or narrow its search spaces",
        )
    return chunks(points)


def cells(points: Sequence[Point]) -> list[dict[str, str]]:
    """What matrix jobs get. The cell's own step says its artifact names; rows travel in the plan artifact."""
    return [_cell(point) for point in points]


def output(points: Sequence[Point]) -> str:
    """The cells as one line of ASCII JSON, at most 128 characters a cell."""
    return json.dumps(cells(points), separators=(",", ":"))


def _key_plan(key: str, pool: list[Point], seconds: Mapping[str, int], rule: Canary) -> KeyPlan:
    if not pool:
        return KeyPlan(key=key, canary=None, why=NONE_QUALIFIES)
    first, *others = pool
    return KeyPlan(
        key=key,
        canary=first.id,
        candidates=tuple(point.id for point in others),
        deadline_s=deadline(first, seconds, rule),
        next_deadline_s=deadline(others[0], seconds, rule) if others else None,
        why="lowest concurrency of its throughput rows",
    )


def _cell(point: Point) -> dict[str, str]:
    cell = {"id": point.id, "runner": point.runner, "name": ""}
    # A comma, and the list's brackets; what is left belongs to the name.
    room = CELL_CHARS - 2 - _size(cell)
    if room < MIN_NAME:
        raise BadInput(
            f"runner label of {len(point.runner)} characters", where=point.key, todo="use a shorter label"
        )
    return {**cell, "name": _fit(point, room)}


def _fit(point: Point, room: int) -> str:
    for name in _names(point, room):
        if _size(name) - 2 <= room:
            return name
    return point.title[:room]


def _names(point: Point, room: int) -> Iterator[str]:
    """The full name if `room` characters can hold it, then ever shorter ones that keep the title."""
    for length in range(min(len(point.key), room), 0, -1):
        dots = "" if length == len(point.key) else ".."
        yield f"{point.key[:length]}{dots} {point.title}"


def _size(value: Any) -> int:
    return len(json.dumps(value, separators=(",", ":")))
