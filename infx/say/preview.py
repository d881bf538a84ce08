"""The plan part of the status comment: what was decided for this commit, and what would run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from infx.decision import Decision
from infx.matrix.changed import Change
from infx.matrix.preview import KeyView, Preview
from infx.say import comment
from infx.say.words import REASON, code, fold, minutes, plural, short, some

NOTES = 12
"""Most problems, warnings and advice on the first screen."""


@dataclass(frozen=True, kw_only=True)
class Planned:
    """What control knows of one event. `preview` is None when there was nothing to plan, or it failed."""

    head: str
    """Commit that was looked at."""
    order: tuple[int, ...]
    """Run id and attempt of the control workflow."""
    decision: Decision
    preview: Preview | None = None
    moved: Sequence[Change] | None = None
    """What differs from the plan of the head before, `since`; None when there was none to compare with."""
    since: str = ""


def section(planned: Planned) -> comment.Section:
    """The plan part; a later control run wins."""
    preview, decision = planned.preview, planned.decision
    lines = [f"### {headline(planned)}", "", f"{code(decision.kind)}: {code(decision.reason, REASON)}", ""]
    lines += _moved(planned)
    ending = fold("中文", _chinese(planned))
    if preview is not None and preview.keys:
        lines += _notes(preview)
        room = comment.ROOM[comment.PLAN] - sum(len(one) + 1 for one in [*lines, *ending]) - 200
        lines += [*_table(preview.keys, room * 2 // 3), ""]
        lines += [*fold("Why each key and each eval is there", _reasons(preview.keys, room // 3)), ""]
    text = "\n".join([*lines, *ending])
    return comment.Section(name=comment.PLAN, order=planned.order, head=planned.head, text=text)


def headline(planned: Planned) -> str:
    """`Plan for adc40a2: 9 points and 1 eval, about 40.0 GPU-hours in 1 shard`."""
    preview, head = planned.preview, short(planned.head)
    if preview is None:
        return f"No plan for {head}"
    if not preview.keys:
        return f"Nothing to sweep at {head}: no config key changes"
    what = f"{plural(preview.throughput, 'point')} and {plural(preview.evals, 'eval')}"
    would = "" if planned.decision.go else " would run"
    where = plural(preview.shards, "shard")
    return f"Plan for {head}: {what}{would}, about {preview.gpu_hours:,.1f} GPU-hours in {where}"


def _moved(planned: Planned) -> list[str]:
    """What this push changed of what would run."""
    if planned.moved is None:
        return []
    counted = [change for change in planned.moved if change.counts]
    if not counted:
        return [f"Since {code(short(planned.since))} no point changed.", ""]
    told = [f"{code(change.key)} {_difference(change)}" for change in counted[:NOTES]]
    more = [f"and {len(counted) - NOTES} more keys"] if len(counted) > NOTES else []
    return [f"Since {code(short(planned.since))}: {'; '.join([*told, *more])}.", ""]


def _difference(change: Change) -> str:
    if change.gone:
        return "is gone"
    parts = (("+", change.added), ("−", change.removed), ("another recipe for", change.recipe))
    return (
        ", ".join(f"{sign} {code(some(names), REASON)}" for sign, names in parts if names)
        or "cannot be planned"
    )


def _notes(preview: Preview) -> list[str]:
    """Problems first: they must be mended before a GPU runs."""
    notes = [f"- ❌ {code(text, REASON)}" for text in preview.problems]
    notes += [f"- ⚠️ {code(text, REASON)}" for text in preview.warnings]
    notes += [f"- 💡 {code(text, REASON)}" for text in preview.advice]
    if len(notes) > NOTES:
        notes[NOTES:] = [f"- … and {len(notes) - NOTES} more: see the step summary"]
    return [*notes, ""] if notes else []


def _table(keys: Sequence[KeyView], room: int) -> Iterator[str]:
    """One row a key, as many as fit."""
    yield "| config key | kind | points | evals | canary | next candidate | pool | GPU-hours |"
    yield "|---|---|---|---|---|---|---|---|"
    for position, key in enumerate(keys):
        row = _row(key)
        if len(row) + 1 > room:
            yield f"| … and {len(keys) - position} more keys | | | | | | | |"
            return
        room -= len(row) + 1
        yield row


def _row(key: KeyView) -> str:
    evals = some([title for title, _ in key.evals])
    canary = some([f"none ({key.canary_why})"]) if key.canary is None else some([key.canary])
    deadline = f", deadline {minutes(key.deadline_s)}" if key.canary and key.deadline_s else ""
    cells = (
        code(key.key),
        key.kind,
        some(key.throughput) or "–",
        evals or "–",
        canary + deadline,
        some([key.candidate]) if key.candidate else "–",
        f"{code(key.pool)} ({plural(key.runners, 'runner')})",
        f"{key.gpu_hours:,.1f}",
    )
    return f"| {' | '.join(cells)} |"


def _reasons(keys: Sequence[KeyView], room: int) -> Iterator[str]:
    told = [f"- {code(key.key)}: {code(key.why, REASON)}" for key in keys]
    told += [
        f"- {code(key.key)} {some([title])}: {code(why, REASON)}" for key in keys for title, why in key.evals
    ]
    for position, text in enumerate(told):
        if len(text) + 1 > room:
            yield f"- … and {len(told) - position} more"
            return
        room -= len(text) + 1
        yield text


def _chinese(planned: Planned) -> list[str]:
    preview, head = planned.preview, short(planned.head)
    if preview is None:
        return [f"{head} 没有计划：{code(planned.decision.reason, REASON)}"]
    if not preview.keys:
        return [f"{head} 没有改变任何配置项，无需扫描。"]
    would = "计划运行" if planned.decision.go else "若启动将运行"
    counts = f"{preview.throughput} 个测点和 {preview.evals} 个评测"
    lines = [f"{head} {would} {counts}，约 {preview.gpu_hours:,.1f} GPU 时。", ""]
    return [*lines, *(_chinese_key(key) for key in preview.keys[:10])]


def _chinese_key(key: KeyView) -> str:
    if key.canary is None:
        return f"- {code(key.key)}：没有金丝雀，直接放行。"
    told = f"- {code(key.key)}：金丝雀 {some([key.canary])}"
    if key.deadline_s:
        told += f"，期限 {minutes(key.deadline_s)}"
    if key.candidate:
        told += f"，下一个候选 {some([key.candidate])}"
    return told + "。"
