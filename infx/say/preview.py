"""The plan part of the status comment: what was decided for this commit, and what would run."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from infx.decision import Decision
from infx.plan import KeyPlan, Plan
from infx.point import EVAL, THROUGHPUT, Point
from infx.say import comment
from infx.say.words import REASON, code, fold, minutes, plural, short, some


@dataclass(frozen=True, kw_only=True)
class Preview:
    """What control knows of one event. `plan` is None when there was nothing to plan, or it could not be."""

    head: str
    """Commit that was looked at."""
    order: tuple[int, ...]
    """Run id and attempt of the control workflow."""
    decision: Decision
    plan: Plan | None = None
    shards: int = 0
    """Matrix jobs that the points are spread over."""
    notes: Sequence[str] = ()
    """Advice and warnings, one sentence each."""


def section(preview: Preview) -> comment.Section:
    """The plan part; a later control run wins."""
    plan = preview.plan
    lines = [
        f"### {headline(preview)}",
        "",
        f"{code(preview.decision.kind)}: {code(preview.decision.reason, REASON)}",
        "",
    ]
    notes = [f"- {code(note, REASON)}" for note in preview.notes[:10]]
    ending = [*notes, *([""] if notes else []), *fold("中文", _chinese(preview))]
    room = comment.ROOM[comment.PLAN] - sum(len(one) + 1 for one in [*lines, *ending]) - 400
    if plan is not None and plan.points:
        lines += _pools(plan, preview.shards)
        lines += [
            "",
            *_table(plan, room * 2 // 3),
            "",
            *fold("Why each eval is there", _evals(plan, room // 3)),
            "",
        ]
    text = "\n".join([*lines, *ending])
    return comment.Section(name=comment.PLAN, order=preview.order, head=preview.head, text=text)


def headline(preview: Preview) -> str:
    """`Plan for adc40a2: 9 points and 1 eval, about 40.0 GPU-hours`."""
    if preview.plan is None:
        return f"No plan for {short(preview.head)}"
    if not preview.plan.points:
        return f"Nothing to sweep at {short(preview.head)}: no config key changes"
    points, evals = _counts(preview.plan)
    what = f"{plural(points, 'point')} and {plural(evals, 'eval')}"
    would = "" if preview.decision.go else " would run"
    return f"Plan for {short(preview.head)}: {what}{would}, about {preview.plan.gpu_hours:,.1f} GPU-hours"


def _counts(plan: Plan) -> tuple[int, int]:
    modes = Counter(point.mode for point in plan.points)
    return modes[THROUGHPUT], modes[EVAL]


def _pools(plan: Plan, shards: int) -> list[str]:
    pools = Counter(point.runner for point in plan.points)
    told = ", ".join(f"{code(label)} ({plural(count, 'job')})" for label, count in pools.most_common(6))
    more = f" and {len(pools) - 6} more" if len(pools) > 6 else ""
    return [f"Pools: {told}{more} · {plural(shards, 'shard')}"]


def _table(plan: Plan, room: int) -> Iterator[str]:
    """One row a key, as many as fit."""
    yield "| config key | points | evals | canary | next candidate |"
    yield "|---|---|---|---|---|"
    points: dict[str, list[Point]] = {}
    for point in plan.points:
        points.setdefault(point.key, []).append(point)
    for position, key in enumerate(plan.keys):
        row = _row(key, points.get(key.key, []), plan)
        if len(row) + 1 > room:
            yield f"| … and {len(plan.keys) - position} more keys | | | | |"
            return
        room -= len(row) + 1
        yield row


def _row(key: KeyPlan, points: Sequence[Point], plan: Plan) -> str:
    runs = some([point.title for point in points if point.mode == THROUGHPUT])
    evals = some([point.title for point in points if point.mode == EVAL])
    canary = f"none ({key.why})" if key.canary is None else _title(plan, key.canary)
    told = some([canary]) + (f", deadline {minutes(key.deadline_s)}" if key.deadline_s else "")
    following = some([_title(plan, point) for point in key.candidates[:1]])
    cells = (code(key.key), runs or "–", evals or "–", told, following or "–")
    return "| " + " | ".join(cells) + " |"


def _title(plan: Plan, point: str) -> str:
    return plan.by_id[point].title if point in plan.by_id else "?"


def _evals(plan: Plan, room: int) -> Iterator[str]:
    evals = [point for point in plan.points if point.mode == EVAL]
    if not evals:
        yield "- no eval is planned"
    for position, point in enumerate(evals):
        text = f"- {code(point.key)} {some([point.title])}: {code(point.reason)}"
        if len(text) + 1 > room:
            yield f"- … and {len(evals) - position} more"
            return
        room -= len(text) + 1
        yield text


def _chinese(preview: Preview) -> list[str]:
    plan = preview.plan
    if plan is None:
        return [f"{short(preview.head)} 没有计划：{code(preview.decision.reason, REASON)}"]
    if not plan.points:
        return [f"{short(preview.head)} 没有改变任何配置项，无需扫描。"]
    points, evals = _counts(plan)
    would = "计划运行" if preview.decision.go else "若启动将运行"
    lines = [
        f"{short(preview.head)} {would} {points} 个测点和 {evals} 个评测，约 {plan.gpu_hours:,.1f} GPU 时。",
        "",
    ]
    for key in plan.keys[:10]:
        if key.canary is None:
            lines.append(f"- {code(key.key)}：没有金丝雀，直接放行。")
            continue
        told = f"- {code(key.key)}：金丝雀 {some([_title(plan, key.canary)])}"
        if key.deadline_s:
            told += f"，期限 {minutes(key.deadline_s)}"
        if key.candidates:
            told += f"，下一个候选 {some([_title(plan, key.candidates[0])])}"
        lines.append(told + "。")
    return lines
