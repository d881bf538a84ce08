"""Which config keys a change affects: points of two states, compared by what is executed."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from infx.errors import InfxError
from infx.matrix.generate import Job, TestConfig, of_configs
from infx.matrix.recipes import Recipes
from infx.point import THROUGHPUT, Fingerprint, Point
from infx.recipe import Config
from infx.rules import Rules
from infx.state import State

Measured = tuple[Job, Fingerprint]


@dataclass(frozen=True, kw_only=True)
class Side:
    """One key at one commit."""

    config: Config | None = None
    points: Mapping[str, Measured] = field(default_factory=dict)
    """Row fingerprint and concurrency → job and fingerprint."""
    problem: str = ""
    """Why the key cannot be expanded."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """How the points of one key differ."""

    key: str
    added: tuple[str, ...] = ()
    """Points, as people name them, that only the head has."""
    removed: tuple[str, ...] = ()
    recipe: tuple[str, ...] = ()
    """Points that both have, with another script, golden value or corpus."""
    shared: tuple[str, ...] = ()
    """Points that differ only through files that other recipes read too."""
    gone: bool = False
    """The head has no such key."""
    problem: str = ""
    """Why the head's key cannot be expanded, when the change touched it."""

    @property
    def counts(self) -> bool:
        """Whether the key has to be measured again."""
        return bool(self.added or self.removed or self.recipe or self.problem)

    def as_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "added": list(self.added),
            "removed": list(self.removed),
            "recipe": list(self.recipe),
            "gone": self.gone,
            "problem": self.problem,
        }


def changes(base: State, head: State, *, rules: Rules) -> tuple[Change, ...]:
    """Keys whose points differ, those of the head first, in file order."""
    differing = {path for path, _ in base.objects.items() ^ head.objects.items()}
    paired = differing & base.objects.keys() & head.objects.keys()
    same = _untouched(base, head, differing)
    before, after = (_sides(_narrow(state, paired, same), rules) for state in (base, head))
    keys = [*after, *(key for key in before if key not in after)]
    compared = (_compare(key, before.get(key, Side()), after.get(key, Side())) for key in keys)
    return tuple(change for change in compared if change.counts or change.shared)


def affected(found: Sequence[Change]) -> frozenset[str]:
    """Keys of the head that have to be measured again."""
    return frozenset(change.key for change in found if change.counts and not change.gone)


def _untouched(base: State, head: State, differing: Set[str]) -> frozenset[str]:
    """Keys that need no look: only master configs differ, and these keys say the same in both."""
    before, after = base.catalog.configs, head.catalog.configs
    masters = {config.file for configs in (before, after) for config in configs.values()}
    if not masters.issuperset(differing):
        return frozenset()
    return frozenset(
        key for key, config in before.items() if key in after and after[key].source == config.source
    )


def _narrow(state: State, paired: Set[str], same: frozenset[str]) -> State:
    """Only documents that differ are parsed: equal bytes mean equal variants on both sides."""
    parsed = {path: state.documents[path] for path in sorted(paired) if path in state.documents}
    configs = {key: config for key, config in state.catalog.configs.items() if key not in same}
    return replace(state, documents=parsed, catalog=replace(state.catalog, configs=configs))


def _sides(state: State, rules: Rules) -> dict[str, Side]:
    recipes = Recipes(state, rules)
    return {key: _side(state, config, recipes) for key, config in state.catalog.configs.items()}


def _side(state: State, config: Config, recipes: Recipes) -> Side:
    """Throughput points of one key, none when it cannot be expanded; evals follow from the same rows."""
    try:
        jobs = of_configs(state.catalog, [config], TestConfig(no_evals=True))
    except InfxError as problem:
        return Side(config=config, problem=problem.sentence)
    points = {}
    for job in jobs:
        mark = recipes.loose(job.row)
        points[f"{mark.row} {job.row['conc']}"] = (job, mark)
    return Side(config=config, points=points)


def _compare(key: str, before: Side, after: Side) -> Change:
    both = [(now, before.points[one][1]) for one, now in after.points.items() if one in before.points]
    touched = before.config is None or after.config is None or before.config.source != after.config.source
    return Change(
        key=key,
        added=tuple(_title(*now) for one, now in after.points.items() if one not in before.points),
        removed=tuple(_title(*was) for one, was in before.points.items() if one not in after.points),
        recipe=tuple(_title(*now) for now, old in both if old.recipe != now[1].recipe),
        shared=tuple(_title(*now) for now, old in both if old.recipe == now[1].recipe and old != now[1]),
        gone=after.config is None,
        problem=after.problem if touched else "",
    )


def _title(job: Job, mark: Fingerprint) -> str:
    point = Point(
        key=job.key,
        mode=THROUGHPUT,
        task=None,
        row=job.row,
        fingerprint=mark,
        script="",
        reason="",
        duration_s=0,
    )
    return point.title


if __name__ == "__main__":
    from infx.cli import entry

    entry("matrix", "changed")
