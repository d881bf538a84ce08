"""A new or changed recipe beside its nearest sibling, and what its script gets wrong."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from infx.errors import InfxError
from infx.matrix import flags
from infx.matrix.generate import TestConfig, of_configs
from infx.matrix.recipes import Recipes
from infx.matrix.script import agentic, hardware, path_of, speculates
from infx.plan import Plan
from infx.point import Point
from infx.recipe import Config
from infx.rules import Rules
from infx.state import State

COMPARED = ("image", "precision", "framework", "tp", "pp", "ep", "dp-attn", "spec-decoding", "kv-offloading")
"""Row fields that a reviewer looks at first."""


@dataclass(frozen=True, kw_only=True)
class Review:
    """What a reviewer of recipes should see."""

    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    siblings: tuple[str, ...] = ()
    """One text a key: its nearest sibling and every difference to it."""


def review(plan: Plan, base: State, head: State, *, rules: Rules) -> Review:
    """Looks at keys of the plan that are new, or whose config or script differs from the base."""
    fresh: dict[str, Point] = {}
    for point in plan.points:
        if _changed(point, base, head):
            fresh.setdefault(point.key, point)
    recipes = Recipes(head, rules)
    siblings = (_sibling(point, head, recipes) for point in fresh.values())
    return Review(
        problems=(
            *_maintained(plan.points, head),
            *_clashes(fresh.values(), head),
            *_unread(plan.points, head, recipes),
        ),
        siblings=tuple(text for text in siblings if text),
    )


def _maintained(points: Iterable[Point], head: State) -> Iterator[str]:
    """Pools on which nothing may start for now."""
    for pool in dict.fromkeys(point.runner for point in points):
        record = head.clusters.get(pool)
        reason = record.get("maintenance") if isinstance(record, Mapping) else None
        if reason:
            what = " ".join(str(reason).split())
            yield f"{pool} is in maintenance ({what}); set the label again when it is over"


def _changed(point: Point, base: State, head: State) -> bool:
    before = base.catalog.configs.get(point.key)
    path = path_of(point.script)
    return (
        before is None
        or before.source != head.catalog.configs[point.key].source
        or base.objects.get(path) != head.objects.get(path)
    )


def _clashes(points: Iterable[Point], head: State) -> Iterator[str]:
    """Repeated and contradicting flags of new and changed scripts."""
    for path in dict.fromkeys(path_of(point.script) for point in points):
        for text in flags.clashes(head.files.get(path, b"")):
            yield f"{path}: {text}; keep one"


def _unread(points: Iterable[Point], head: State, recipes: Recipes) -> Iterator[str]:
    """What an image does not read yet, in every script of the plan: the image may be all that changed."""
    seen: dict[tuple[str, str, str], Point] = {}
    for point in points:
        seen.setdefault((point.key, point.script, str(point.row["image"])), point)
    told: dict[str, None] = {}
    for (key, script, image), point in seen.items():
        for text in flags.unread(recipes.settings(point.row, script).names, image, head.features):
            told.setdefault(f"{key}: {text}; take a newer image")
    yield from told


def _sibling(point: Point, head: State, recipes: Recipes) -> str:
    best = max(_candidates(point, head), key=lambda one: _likeness(point.row, one[1]), default=None)
    if best is None:
        return ""
    key, row = best
    same = "same model" if row["model-prefix"] == point.row["model-prefix"] else "same hardware"
    told = flags.differences(_fields(point.row), _fields(row))
    try:
        theirs = recipes.settings(row, recipes.script(row))
    except InfxError:
        return f"{point.key}: nearest is {key} ({same}), whose script is not here: {'; '.join(told)}"
    mine = recipes.settings(point.row, point.script)
    told += flags.differences(mine.flags, theirs.flags) + flags.differences(mine.variables, theirs.variables)
    return f"{point.key}: nearest is {key} ({same}): {'; '.join(told) or 'no difference'}"


def _candidates(point: Point, head: State) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """First row of the same kind of every key that shares model or hardware, but not both."""
    for config in head.catalog.configs.values():
        model = config.model_prefix == point.row["model-prefix"]
        place = hardware(config.runner) == hardware(point.runner)
        if config.key != point.key and model != place:
            row = _row(config, head, like=point.row)
            if row is not None:
                yield config.key, row


def _row(config: Config, head: State, *, like: Mapping[str, Any]) -> Mapping[str, Any] | None:
    try:
        jobs = of_configs(head.catalog, [config], TestConfig(no_evals=True))
    except InfxError:
        return None
    kind = ("prefill" in like, agentic(like))
    return next((job.row for job in jobs if ("prefill" in job.row, agentic(job.row)) == kind), None)


def _likeness(mine: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[int, ...]:
    """Same model first, then what makes two recipes alike."""
    return (
        mine["model-prefix"] == other["model-prefix"],
        mine["framework"] == other["framework"],
        speculates(mine) == speculates(other),
        mine["precision"] == other["precision"],
        sum(mine.get(name) == other.get(name) for name in COMPARED),
    )


def _fields(row: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(row[name]) for name in COMPARED if name in row}
