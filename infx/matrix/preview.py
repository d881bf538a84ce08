"""The plan as people check it before any GPU runs: what, why, how long, where, and what looks odd."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from infx.matrix import topology
from infx.matrix.review import Review
from infx.matrix.script import agentic, hardware
from infx.matrix.split import CELLS
from infx.plan import KeyPlan, Plan
from infx.point import EVAL, THROUGHPUT, Point, row_fingerprint
from infx.recipe import Catalog
from infx.rules import GridRule, Rules

NO_REVIEW = Review()


@dataclass(frozen=True, kw_only=True)
class KeyView:
    """One key of the plan."""

    key: str
    throughput: tuple[str, ...]
    """Titles of its points."""
    evals: tuple[tuple[str, str], ...]
    """Titles of its eval points, each with why it was chosen."""
    kind: str
    """`single-node agentic`, `multi-node fixed-sequence`."""
    why: str
    gpu_hours: float
    pool: str
    """Runner label."""
    runners: int
    """Runners that carry the label; 0 for a label that runners.yaml does not know."""
    canary: str | None
    candidate: str | None
    deadline_s: int | None
    canary_why: str

    def as_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "kind": self.kind,
            "throughput": list(self.throughput),
            "evals": [{"point": title, "why": why} for title, why in self.evals],
            "why": self.why,
            "gpu_hours": round(self.gpu_hours, 1),
            "pool": self.pool,
            "runners": self.runners,
            "canary": self.canary,
            "next_candidate": self.candidate,
            "deadline_s": self.deadline_s,
            "canary_why": self.canary_why,
        }


@dataclass(frozen=True, kw_only=True)
class Preview:
    """Everything the plan preview shows."""

    keys: tuple[KeyView, ...]
    throughput: int
    evals: int
    gpu_hours: float
    shards: int
    primary: str
    modifiers: tuple[str, ...]
    digest: str
    problems: tuple[str, ...]
    """Must be mended before a GPU runs."""
    warnings: tuple[str, ...]
    advice: tuple[str, ...]
    """May be ignored; each names its policy key."""
    siblings: tuple[str, ...] = ()
    """New or changed recipes beside their nearest sibling."""

    def as_json(self) -> dict[str, Any]:
        return {
            "throughput": self.throughput,
            "evals": self.evals,
            "gpu_hours": round(self.gpu_hours, 1),
            "shards": self.shards,
            "primary": self.primary,
            "modifiers": list(self.modifiers),
            "digest": self.digest,
            "keys": [key.as_json() for key in self.keys],
            "problems": list(self.problems),
            "warnings": list(self.warnings),
            "advice": list(self.advice),
            "siblings": list(self.siblings),
        }


def preview(plan: Plan, head: Catalog, rules: Rules, *, base: Catalog, review: Review = NO_REVIEW) -> Preview:
    """What people are shown of `plan`; `head` and `base` are the configs of both sides of the change."""
    views = tuple(_key_view(plan, key, head) for key in plan.keys)
    rows = [point for point in plan.points if point.mode == THROUGHPUT]
    return Preview(
        keys=views,
        throughput=len(rows),
        evals=len(plan.points) - len(rows),
        gpu_hours=plan.gpu_hours,
        shards=-(-len(plan.points) // CELLS),
        primary=plan.primary,
        modifiers=plan.modifiers,
        digest=plan.digest,
        problems=(*_pools(views), *_topologies(plan, head), *review.problems),
        warnings=(
            *_without_throughput(plan, views),
            *_queues(plan, views, rules.queue_hours),
            *_budget(plan, rules),
            *review.warnings,
        ),
        siblings=review.siblings,
        advice=(*_grid(rows, rules.grid_rules), *_first(views, head, base)),
    )


def _key_view(plan: Plan, key: KeyPlan, head: Catalog) -> KeyView:
    own = [point for point in plan.points if point.key == key.key]
    titles = {point.id: point.title for point in own}
    candidate = key.candidates[0] if key.candidates else None
    return KeyView(
        key=key.key,
        throughput=tuple(point.title for point in own if point.mode == THROUGHPUT),
        evals=tuple((point.title, _tail(point.reason)) for point in own if point.mode == EVAL),
        kind=" and ".join(dict.fromkeys(_kind(point) for point in own)),
        why=own[0].reason.partition(";")[0],
        gpu_hours=sum(point.gpus * point.duration_s for point in own) / 3600,
        pool=own[0].runner,
        runners=len(head.runners.labels.get(own[0].runner, ())),
        canary=titles.get(key.canary or ""),
        candidate=titles.get(candidate or ""),
        deadline_s=key.deadline_s,
        canary_why=key.why,
    )


def _kind(point: Point) -> str:
    nodes = "multi-node" if point.multinode else "single-node"
    return f"{nodes} {'agentic' if agentic(point.row) else 'fixed-sequence'}"


def _tail(reason: str) -> str:
    return reason.partition("; eval: ")[2] or reason


def _pools(views: Sequence[KeyView]) -> Iterator[str]:
    for view in views:
        if not view.runners:
            yield f"{view.key}: runners.yaml knows no label {view.pool}; add it or correct `runner`"


def _topologies(plan: Plan, head: Catalog) -> Iterator[str]:
    """One sentence a key and fault."""
    told: dict[str, None] = {}
    for point in plan.points:
        hardware = head.runners.hardware.get(point.runner)
        for fault in topology.faults(point.row, hardware):
            told.setdefault(f"{point.key}: {fault}; correct tp, pp, pcp-size, ep or num-worker")
    yield from told


def _without_throughput(plan: Plan, views: Sequence[KeyView]) -> Iterator[str]:
    """Case C23: a key that loses all its throughput is said loudly, with what took it away."""
    fields = [name for entry in plan.changelog_metadata.get("entries", ()) for name in _eval_fields(entry)]
    labels = [f"the label {name}" for name in plan.modifiers if name == "evals-only"]
    why = " and ".join(dict.fromkeys([*labels, *(f"`{name}` in the changelog entry" for name in fields)]))
    for view in views:
        if not view.throughput:
            yield f"{view.key}: 0 THROUGHPUT POINTS, because of {why or 'its search space'}"


def _eval_fields(entry: Mapping[str, Any]) -> list[str]:
    return [name for name in ("all-evals", "evals-only") if entry.get(name)]


def _budget(plan: Plan, rules: Rules) -> Iterator[str]:
    """What one plan may take; what earlier sweeps of the pull request took is known when it starts."""
    if excess := rules.max_gpu_hours.excess(plan.gpu_hours, 0):
        names = " or ".join(f"`{name}`" for name in sorted(rules.labels.grants))
        yield f"{excess}: the sweep waits for {names} by role {rules.grant_authority} or more"


def _queues(plan: Plan, views: Sequence[KeyView], hours: float) -> Iterator[str]:
    """Pools that will not serve their points in time (a cell expires after a day in the queue)."""
    runners = {view.pool: view.runners for view in views}
    for pool, count in runners.items():
        work = sum(point.duration_s for point in plan.points if point.runner == pool) / 3600
        if count and work / count > hours:
            yield f"{pool}: {work:.0f} hours of work on {count} runners; more than {hours:g} h in the queue"


def _grid(rows: Sequence[Point], grid: Sequence[GridRule]) -> Iterator[str]:
    """Advice about concurrencies, one sentence a recipe and rule."""
    recipes: dict[str, list[Point]] = {}
    for point in rows:
        recipes.setdefault(f"{point.key} {row_fingerprint(point.row)}", []).append(point)
    for rule in grid:
        for points in recipes.values():
            if _about(rule, points[0].row):
                yield from _against(rule, points)


def _about(rule: GridRule, row: Mapping[str, Any]) -> bool:
    scenario = "agentic-coding" if agentic(row) else "fixed-seq-len"
    return (
        rule.scenario in ("", scenario)
        and rule.spec_decoding in ("", row.get("spec-decoding", "none"))
        and (not rule.hardware or hardware(str(row["runner"])) in rule.hardware)
    )


def _against(rule: GridRule, points: Sequence[Point]) -> Iterator[str]:
    loads = sorted({conc for point in points for conc in point.concurrencies})
    gaps = [(low, high) for low, high in pairwise(loads) if high - low < (rule.min_step or 0)]
    above = [conc for conc in loads if rule.max_conc is not None and conc > rule.max_conc]
    told = [f"C{low} and C{high} are closer than {rule.min_step}" for low, high in gaps]
    told += [f"C{conc} is above {rule.max_conc}" for conc in above]
    if told:
        arm = f" {points[0].offload}" if points[0].offload else ""
        yield f"{points[0].key}{arm}: {', '.join(told)}: {rule.reason} (grid-rules)"


def _first(views: Sequence[KeyView], head: Catalog, base: Catalog) -> Iterator[str]:
    """First recipe of its model on this hardware."""
    known = {(one.model_prefix, hardware(one.runner)) for one in base.configs.values()}
    for view in views:
        config = head.configs[view.key]
        if (config.model_prefix, hardware(config.runner)) not in known:
            yield f"{view.key}: first recipe of {config.model_prefix} on {hardware(config.runner)}"
