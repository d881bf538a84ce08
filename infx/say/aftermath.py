"""After the merge: one comment with every check of the merge commit, what failed and why, and who looks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from infx.aftermath import Looked, Merge, State
from infx.check import Standing
from infx.decision import Decision
from infx.say.words import REASON, code, fold, plain, short

MARK = "<!-- infx:post-merge -->"
ROWS = 100
"""Most checks in the table."""
MARKS = {Standing.PASS: "✅", Standing.PENDING: "⏳", Standing.FAIL: "❌"}
TITLES = {
    State.GREEN: ("✅", "all jobs passed ({n})", "全部 {n} 个任务已通过"),
    State.PENDING: ("⏳", "jobs are running", "任务正在运行"),
    State.RERUN: ("🔁", "failed jobs are run again", "失败的任务正在重新运行"),
    State.PERSON: ("❌", "somebody has to look", "需要有人查看"),
    State.NOTHING: ("❌", "nothing was started", "没有启动任何任务"),
}
TOLD = {
    "author": "the job failed on what this change brought, so it is yours to mend",
    "infrastructure": "this is a fault of the infrastructure and not of the change; please hand it to "
    "whoever keeps the runners, and re-run the failed jobs afterwards",
    "unknown": "please look at the log; when it is nothing of this change, re-run the failed jobs: transient "
    "failures often pass",
}
NOBODY = "please start the workflows of the default branch for this commit, or ask who keeps them"


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What one look found."""

    merge: Merge
    looked: Sequence[Looked]
    decision: Decision


def body(shown: Shown) -> str:
    """The whole comment. The author is mentioned in it exactly when a person is needed."""
    mark, title, _ = TITLES[State(shown.decision.kind)]
    heading = f"### {mark} After the merge, `{short(shown.merge.sha)}`: {title.format(n=len(shown.looked))}"
    lines = [MARK, heading, "", *_person(shown), *_table(shown.looked), *_failures(shown.looked)]
    return "\n".join([*lines, *fold("中文", _chinese(shown))]) + "\n"


def summary(shown: Shown) -> str:
    """The step summary: the same without the hidden mark and without mentions."""
    return body(shown).removeprefix(f"{MARK}\n").replace("@", "")


def _person(shown: Shown) -> list[str]:
    """One sentence to the author; nothing while no person is needed."""
    if shown.decision.kind == State.NOTHING:
        return [f"@{shown.merge.author} {NOBODY}.", ""]
    if shown.decision.kind != State.PERSON:
        return []
    reruns = shown.decision.extra["reruns"]
    first = next(one for one in shown.looked if one.standing == Standing.FAIL and one.check.run not in reruns)
    blame = first.failure.extra["blame"] if first.failure else "unknown"
    return [f"@{shown.merge.author} {TOLD[blame]}.", ""]


def _table(looked: Sequence[Looked]) -> list[str]:
    """Failed ones first, as many as fit."""
    if not looked:
        return []
    order = [Standing.FAIL, Standing.PENDING, Standing.PASS]
    rows = sorted(looked, key=lambda one: (order.index(one.standing), one.check.name))
    lines = ["| job | state | attempt |", "|---|---|---|", *(_row(one) for one in rows[:ROWS])]
    if len(rows) > ROWS:
        lines.append(f"| … and {len(rows) - ROWS} more | | |")
    return [*lines, ""]


def _row(one: Looked) -> str:
    check = one.check
    linked = check.url.startswith(("https://", "http://")) and ")" not in check.url
    name = f"[{code(check.name)}]({check.url})" if linked else code(check.name)
    word = plain(check.conclusion or check.status)
    before = f" (before: {', '.join(map(plain, one.earlier))})" if one.earlier else ""
    return f"| {name} | {MARKS[one.standing]} {word} | {check.attempt}{before} |"


def _failures(looked: Sequence[Looked]) -> Iterator[str]:
    """What each failure was."""
    failed = [one for one in looked if one.failure is not None]
    if not failed:
        return
    yield from ("**Why**", "")
    for one in failed[:ROWS]:
        failure = one.failure
        assert failure is not None
        again = " · is run again" if failure.go else ""
        yield f"- {code(one.check.name)}: {code(failure.kind)} · {failure.extra['blame']}{again}"
        yield f"  {code(failure.reason, REASON)}"
    yield ""


def _chinese(shown: Shown) -> list[str]:
    mark, _, title = TITLES[State(shown.decision.kind)]
    lines = [f"{mark} 合并后的 `{short(shown.merge.sha)}`：{title.format(n=len(shown.looked))}。"]
    failed = [code(one.check.name) for one in shown.looked if one.standing == Standing.FAIL]
    if failed:
        lines.append(f"未通过：{'，'.join(failed[:10])}。偶发故障重新运行后通常会通过。")
    return lines
