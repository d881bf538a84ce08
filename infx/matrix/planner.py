"""From the entries of a change to its plan: the one way, for the plan job, control and people."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from infx.entry import Entry
from infx.equal import Mark
from infx.matrix import schema
from infx.matrix.plan import Flags, Sweep, sweep
from infx.matrix.points import Labels, Maker, Origin, build
from infx.matrix.recipes import Recipes
from infx.matrix.split import key_plans, shards
from infx.plan import Plan
from infx.point import EVAL, THROUGHPUT, Point
from infx.rules import Rules
from infx.state import State


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is asked for: entries of a change between two states, under the labels of a pull request."""

    entries: Sequence[Entry]
    base: State
    head: State
    labels: Collection[str]
    origin: Origin


def make(request: Request, rules: Rules, *, accepted: Collection[Mark] = ()) -> Plan:
    """The plan. `accepted` holds the points that have an accepted result; `resume` leaves their equals out.

    Refused when the entries cannot be met; BadInput on a row without script, equal names, or too many points.
    """
    labels = meaning(request.labels, rules)
    if not request.entries:
        return build((), (), origin=request.origin, labels=labels, metadata={})
    wanted = _sweep(request, rules)
    points = _points(wanted, request, rules, fast=labels.fast)
    equal = {mark.whole for mark in accepted}
    done = frozenset(point.id for point in points if Mark.of(point).whole in equal)
    pools = frozenset((point.key, point.runner) for point in points if point.id in done)
    if any(rules.labels.modifiers[name].resume for name in labels.modifiers):
        points = [point for point in points if point.id not in done]
    shards(points)
    keys = key_plans(
        points,
        canary=labels.canary,
        accepted=pools,
        seconds=rules.durations.recorded,
        rule=rules.canary,
    )
    return build(points, keys, origin=request.origin, labels=labels, metadata=wanted.metadata)


def meaning(names: Collection[str], rules: Rules) -> Labels:
    """What the labels mean for a plan; without exactly one primary it is planned as if for a preview."""
    book = rules.labels
    primaries = book.primaries_on(names)
    primary = book.primaries[primaries[0]] if len(primaries) == 1 else None
    modifiers = book.modifiers_on(names)
    return Labels(
        primary=primary.name if primary else "",
        modifiers=modifiers,
        canary=primary is None or primary.canary,
        fail_fast=primary is not None and primary.fail_fast,
        reusable=not any(book.modifiers[name].blocks_reuse for name in modifiers),
        fast=any(book.modifiers[name].fast for name in modifiers),
    )


def _sweep(request: Request, rules: Rules) -> Sweep:
    """Jobs of the entries, each checked against the published schema."""
    on = [rules.labels.modifiers[name] for name in rules.labels.modifiers_on(request.labels)]
    found = sweep(
        request.entries,
        request.head.catalog,
        refs=(request.base.commit, request.head.commit),
        flags=Flags(all_evals=any(one.all_evals for one in on), evals_only=any(one.evals_only for one in on)),
        base=lambda: request.base.catalog,
    )
    schema.check([*found.throughput, *found.evals])
    return found


def _points(wanted: Sweep, request: Request, rules: Rules, *, fast: bool) -> list[Point]:
    recipes = Recipes(request.head, rules)
    maker = Maker(
        script=recipes.script,
        fingerprint=recipes.fingerprint,
        durations=rules.durations,
        fast=fast,
        task=rules.eval_task,
        reasons=_reasons(wanted, request),
    )
    return [*maker.points(wanted.throughput, THROUGHPUT), *maker.points(wanted.evals, EVAL)]


def _reasons(wanted: Sweep, request: Request) -> dict[str, Any]:
    new = request.head.catalog.configs.keys() - request.base.catalog.configs.keys()
    keys = {job.key for job in (*wanted.throughput, *wanted.evals)}
    return {key: "new key" if key in new else "named by a changelog entry" for key in keys}
