"""Pinned: the speculation of a plan's recipes beside the golden curves of the same commit."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from infx.golden import Acceptance, Curve, Fault, Spoken, Stated
from infx.matrix.recipes import Recipes
from infx.matrix.script import agentic, path_of, speculates
from infx.plan import Plan
from infx.point import THROUGHPUT, Point
from infx.policy import golden
from infx.read import speculation
from infx.rules import Rules
from infx.state import State

EVAL_SWITCH = b"EVAL_ONLY"
"""A script that reads it can leave the pins out of its evals."""


@dataclass(frozen=True, kw_only=True)
class Findings:
    """Problems stop a plan; of warnings nobody could tell."""

    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def look(plan: Plan, state: State, rules: Rules) -> Findings:
    """Every recipe of the plan that speculates in an agentic replay, once."""
    recipes = Recipes(state, rules)
    seen = {(one.key, one.script): one for one in plan.points if _counts(one)}
    problems: list[str] = []
    warnings: list[str] = []
    for point in seen.values():
        for fault in faults(point, recipes):
            # A shell variable is resolved on the runner: reading the script cannot tell.
            told = warnings if "$" in fault.what else problems
            told.append(f"{point.key}: {fault.sentence}")
    return Findings(problems=tuple(problems), warnings=tuple(warnings))


def faults(point: Point, recipes: Recipes) -> Iterator[Fault]:
    """What is wrong with the speculation of one point."""
    stated = stated_by(point, recipes)
    said = speculation.spoken(str(point.row["framework"]), stated)
    found = accepted(point, said, recipes.state.golden)
    if isinstance(found, Fault):
        yield found
        return
    config = speculation.config(stated)
    yield from golden.judge(stated, config, found, pinned=True)
    script = recipes.state.files.get(path_of(point.script), b"")
    if path_of(point.script).endswith(".sh") and EVAL_SWITCH not in script:
        yield from golden.judge(stated, config, found, pinned=False)[:1]


def accepted(point: Point, said: Spoken, golden_values: Mapping[str, Any]) -> Acceptance | Fault:
    """The recorded acceptance of the recipe. Rows do not name a thinking mode: models think by default."""
    found = golden.draft(said, spec=str(point.row["spec-decoding"]))
    if isinstance(found, Fault):
        return found
    curves = {name: _curve(name, values) for name, values in golden_values.items()}
    return golden.acceptance(curves, str(point.row["model-prefix"]), found, "thinking_on")


def stated_by(point: Point, recipes: Recipes) -> Stated:
    settings = recipes.settings(point.row, point.script)
    return Stated(flags=settings.flags, variables=settings.variables)


def _counts(point: Point) -> bool:
    return point.mode == THROUGHPUT and agentic(point.row) and speculates(point.row)


def _curve(name: str, values: Mapping[str, Any]) -> Curve:
    return Curve(name=name, source="", model="", about="", values=values)
