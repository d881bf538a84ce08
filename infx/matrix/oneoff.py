"""One-off: the plan of config keys at one commit, asked for by a person and never publishable."""

from dataclasses import dataclass, replace

from infx.errors import BadInput, Refused
from infx.matrix import schema, select
from infx.matrix.generate import TestConfig, test_config
from infx.matrix.points import Labels, Maker, Origin, build
from infx.matrix.recipes import Recipes
from infx.matrix.split import key_plans, shards
from infx.plan import Plan
from infx.point import EVAL, THROUGHPUT
from infx.rules import Rules
from infx.state import State

WHY = "asked for by a person"


@dataclass(frozen=True, kw_only=True)
class OneOff:
    """What is asked for."""

    keys: tuple[str, ...]
    """Config keys; `*` and `?` make a pattern."""
    conc: tuple[int, ...] | None = None
    """Concurrencies to keep; None keeps all."""
    evals: bool = False
    """Accuracy too, of the rows that a change of the keys would have evaluated."""
    fast: bool = False
    """Shortened agentic profile."""
    canary: bool = True
    repository: str = ""


def plan(asked: OneOff, state: State, rules: Rules) -> Plan:
    """Points of the keys at the commit of `state`. BadInput when a key or every concurrency is unknown."""
    _known(asked, state)
    options = TestConfig(config_keys=asked.keys, conc=asked.conc, no_evals=True)
    runs = test_config(state.catalog, options)
    only = replace(options, no_evals=False, evals_only=True)
    checks = test_config(state.catalog, only) if asked.evals else []
    if not runs:
        raise _unknown(asked, state)
    schema.check([*runs, *checks])
    recipes = Recipes(state, rules)
    maker = Maker(
        script=recipes.script,
        fingerprint=recipes.fingerprint,
        durations=rules.durations,
        fast=asked.fast,
        task=rules.eval_task,
        reasons={job.key: WHY for job in (*runs, *checks)},
    )
    points = [*maker.points(runs, THROUGHPUT), *maker.points(checks, EVAL)]
    shards(points)
    return build(
        points,
        key_plans(points, canary=asked.canary, seconds=rules.durations.recorded, rule=rules.canary),
        origin=Origin(repository=asked.repository, pr=None, head_sha=state.commit, merge_base=state.commit),
        labels=Labels(primary="", canary=asked.canary, reusable=False, fast=asked.fast),
        metadata={},
    )


def _known(asked: OneOff, state: State) -> None:
    """What names nothing is a person's to mend; the generator refuses it, as the format has it."""
    try:
        select.by_pattern(state.catalog, asked.keys)
    except Refused as no:
        raise BadInput(no.what, todo=no.todo) from no


def _unknown(asked: OneOff, state: State) -> BadInput:
    """None of the concurrencies; those that there are."""
    rows = [job.row for job in test_config(state.catalog, TestConfig(config_keys=asked.keys, no_evals=True))]
    lists = [row["conc"] if isinstance(row["conc"], list) else [row["conc"]] for row in rows]
    there = ", ".join(map(str, sorted({conc for one in lists for conc in one}))) or "none"
    wanted = ", ".join(map(str, asked.conc or ()))
    return BadInput(f"no row of {', '.join(asked.keys)} has concurrency {wanted}", todo=f"there are {there}")
