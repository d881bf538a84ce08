"""One-off: the plan of config keys at one commit, asked for by a person and never publishable."""

from dataclasses import dataclass, replace

from infx.errors import Refused
from infx.matrix import schema
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
    """Points of the keys at the commit of `state`. Refused when a key or every concurrency is unknown."""
    options = TestConfig(config_keys=asked.keys, conc=asked.conc, no_evals=True)
    runs = test_config(state.catalog, options)
    only = replace(options, no_evals=False, evals_only=True)
    checks = test_config(state.catalog, only) if asked.evals else []
    if not runs:
        known = ", ".join(str(one) for one in asked.conc or ())
        raise Refused(f"no row of {', '.join(asked.keys)} has concurrency {known}", todo="see `infx matrix`")
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
