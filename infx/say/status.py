"""The results part of the status comment: verdict, what still blocks, points, evals, notes, links."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from infx.blocker import Blocker, Topic
from infx.compared import Compared
from infx.decision import Decision
from infx.event import Artifact, Run
from infx.ledger import Ledger, State
from infx.plan import Plan
from infx.point import EVAL, THROUGHPUT
from infx.reason import Reason
from infx.rules import Layout
from infx.say import advice, blocking, comment, comparison, points
from infx.say.words import REASON, code, fold, plain, plural, short, some

BLOCKERS = 10
"""Most blockers on the first screen."""
_DROPPED = re.compile(r"([0-9]{1,6}) superseded")
"""A note of the ledger, which the code of a pull request may have written."""


@dataclass(frozen=True, kw_only=True)
class Links:
    """Addresses of one run; an empty one is left out."""

    run: str = ""
    performance: str = ""
    accuracy: str = ""


@dataclass(frozen=True, kw_only=True)
class Status:
    """Everything that the results part is rendered from."""

    run: Run
    plan: Plan
    ledger: Ledger
    blockers: Sequence[Blocker] = ()
    links: Links = Links()
    failures: Sequence[tuple[str, Decision]] = ()
    """Title of each point that failed by itself, and why."""
    missed: Sequence[str] = ()
    """Titles of points that this attempt had to run and did not."""
    again: str = ""
    """What is run again; empty when nothing is."""
    compared: Compared | None = None
    """What changed beside main; None where nothing was compared."""

    @property
    def finished(self) -> bool:
        return self.run.status == "completed"


def sections(status: Status) -> list[comment.Section]:
    """All that a report writes: the results part, and what of it blocks the merge."""
    head, order = status.ledger.head_sha, order_of(status)
    return [section(status), *blocking.sections(Topic.POINTS, status.blockers, head=head, order=order)]


def order_of(status: Status) -> tuple[int, ...]:
    """Later stages, attempts and runs win."""
    return (status.run.id, status.run.attempt, int(status.finished))


def section(status: Status) -> comment.Section:
    """The results part."""
    head = [f"### {verdict(status)}", "", *_waiting(status), _links(status), "", *_failures(status)]
    beside = comparison.lines(status.compared) if status.compared else []
    tail = [*beside, *_notes(status), *fold("中文", _chinese(status))]
    room = comment.ROOM[comment.RUN] - sum(len(one) + 1 for one in [*head, *tail]) - 200
    text = "\n".join([*head, *_points(status, room), *tail])
    return comment.Section(name=comment.RUN, order=order_of(status), head=status.ledger.head_sha, text=text)


def verdict(status: Status) -> str:
    """One line: `✅ Sweep of adc40a2: 9 of 9 points and 1 of 1 evals valid`."""
    mark, word = _mood(status)
    return f"{mark} Sweep of {short(status.ledger.head_sha)}{word[0]}: {_counts(status.ledger)} valid"


def summary(status: Status) -> str:
    """The step summary of the collect job: the same facts without hidden marks."""
    lines = [f"## {verdict(status)}", "", *_blocking(status), "", *_points(status, 500_000), *_notes(status)]
    return "\n".join(lines) + "\n"


def _mood(status: Status) -> tuple[str, tuple[str, str]]:
    if status.ledger.complete:
        return "✅", ("", "")
    if status.finished:
        return "❌", ("", "")
    return "⏳", (" is running", "正在运行")


def _counts(ledger: Ledger) -> str:
    parts = [
        f"{ledger.count(mode, State.VALID)} of {ledger.planned(mode)} {word}"
        for mode, word in ((THROUGHPUT, "points"), (EVAL, "evals"))
        if ledger.planned(mode)
    ]
    return " and ".join(parts) or "0 points"


def _waits(status: Status) -> dict[str, list[str]]:
    """Runner label → titles of points whose job waits for it."""
    labels: dict[str, list[str]] = {}
    waiting = [entry for entry in status.ledger.entries if entry.reason == Reason.WAITING]
    for entry in waiting:
        point = status.plan.by_id.get(entry.point)
        labels.setdefault(point.runner if point else "?", []).append(entry.title)
    return labels


def _waiting(status: Status) -> list[str]:
    lines = [
        f"{some(names)} {'waits' if len(names) == 1 else 'wait'} for a runner with label {code(label)}."
        for label, names in _waits(status).items()
    ]
    return [*lines, ""] if lines else []


def _links(status: Status) -> str:
    links = status.links
    parts = [f"Run [{status.run.id}]({links.run})" if links.run else f"Run {status.run.id}"]
    parts.append(f"attempt {status.run.attempt}")
    if links.performance:
        parts.append(f"[View unofficial run (performance)]({links.performance})")
    if links.accuracy:
        parts.append(f"[View unofficial run (accuracy)]({links.accuracy})")
    return " · ".join(parts)


def _blocking(status: Status) -> list[str]:
    if not status.blockers:
        return ["**Nothing of this sweep blocks the merge.**"]
    lines = [advice.english(blocker) for blocker in status.blockers[:BLOCKERS]]
    if len(status.blockers) > BLOCKERS:
        lines.append(f"- … and {len(status.blockers) - BLOCKERS} more reasons, listed below")
    return ["**What still blocks the merge**", "", *lines]


def _failures(status: Status) -> list[str]:
    """Why points failed by themselves, and what is done about it without anybody."""
    lines = [
        f"- {plain(title)}: {code(one.kind)} · {one.extra['blame']} · {code(one.reason, REASON)}"
        for title, one in status.failures[:BLOCKERS]
    ]
    if len(status.failures) > BLOCKERS:
        lines.append(f"- … and {len(status.failures) - BLOCKERS} more")
    if status.again:
        lines.append(f"- 🔁 Run again without anybody: {code(status.again)}; every other result stays.")
    if status.missed:
        lines.append(f"- Attempt {status.run.attempt} did not run {some(status.missed)}.")
    return ["**Why points failed**", "", *lines, ""] if lines else []


def _points(status: Status, room: int) -> list[str]:
    entries = status.ledger.entries
    evals = [entry for entry in entries if entry.mode == EVAL]
    others = [entry for entry in entries if entry.mode != EVAL]
    lines: list[str] = []
    for title, own in (("Points", others), ("Evals", evals)):
        if own:
            share = room * len(own) // len(entries)
            lines += [f"**{title}**", *points.blocks(own, share), ""]
    return lines


def _notes(status: Status) -> list[str]:
    notes = []
    if not status.plan.reusable:
        why = ", ".join(code(label) for label in status.plan.modifiers) or "a one-off run"
        notes.append(f"- Numbers of this run are never published ({why}).")
    if dropped := _dropped(status.ledger):
        what = f"{plural(sum(dropped), 'superseded result')} of {plural(len(dropped), 'point')}"
        notes.append(f"- Dropped: {what}; the newest attempt counts.")
    if status.finished and status.ledger.attempt < status.run.attempt:
        notes.append(_older(status))
    return ["**Notes**", "", *notes, ""] if notes else []


def _dropped(ledger: Ledger) -> list[int]:
    """How many older results were left aside for each point that has some."""
    found = (_DROPPED.fullmatch(note) for entry in ledger.entries for note in entry.notes)
    return [int(one[1]) for one in found if one]


def _older(status: Status) -> str:
    """A re-run may fail to upload, and then what an earlier attempt left is still there."""
    now, then, page = status.run.attempt, status.ledger.attempt, status.links.run
    named = f"[attempt {now}]({page}/attempts/{now})" if page else f"attempt {now}"
    return f"- Ledger and run page belong to attempt {then}: {named} left none of its own."


def _chinese(status: Status) -> list[str]:
    mark, word = _mood(status)
    ledger = status.ledger
    counts = [
        f"{ledger.planned(mode)} 个{name}中 {ledger.count(mode, State.VALID)} 个有效"
        for mode, name in ((THROUGHPUT, "测点"), (EVAL, "评测"))
        if ledger.planned(mode)
    ]
    lines = [f"{mark} {short(ledger.head_sha)} 的扫描{word[1]}：{'，'.join(counts)}。", ""]
    for label, names in _waits(status).items():
        lines += [f"{some(names, '等另外 {} 个')} 正在等待带有标签 {code(label)} 的运行器。", ""]
    if status.compared and (told := comparison.chinese(status.compared)):
        lines += [f"与主分支相比：{told}。", ""]
    return lines[:-1]


def links(layout: Layout, run: Run, *, page: Artifact | None) -> Links:
    """Addresses of the run: by the templates of the layout, else the page that the run itself keeps."""
    kept = f"{run.url}/artifacts/{page.id}" if page else ""
    performance, accuracy = (
        link.replace("{run}", str(run.id)) or kept for link in (layout.performance, layout.accuracy)
    )
    return Links(run=run.url, performance=performance, accuracy=accuracy)
