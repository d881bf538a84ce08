"""Replies to commands: one comment a command, which names who asked and what came of it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from infx.command import Commands, Form, Mistake
from infx.curve import hardware, prefix, scenario
from infx.decision import Decision
from infx.models import Models
from infx.say.words import code, fold, plain, plural, short, some

SHOWN = 10
"""Most lines of one list."""
Row = Mapping[str, Any]
DONE, WAITING = "", "waiting"
"""States of a staging."""
WORKING = "<!-- infx:working -->"
"""Hidden mark of a reply that is not the answer yet."""
_STAGING = re.compile(r"^(@[\w\[\].-]+) staging run ([0-9, ]+)…$", re.MULTILINE)


def mark(comment: int) -> str:
    """Hidden mark of the reply to one comment."""
    return f"<!-- infx:reply {comment} -->"


def misplaced_mark(source: int) -> str:
    """Hidden mark of the reply to one review or inline comment."""
    return f"<!-- infx:misplaced {source} -->"


def misplaced(source: int, lines: Sequence[str]) -> str:
    """Where a command has to be written that stands in a review."""
    shown = ", ".join(code(line) for line in lines[:SHOWN])
    english = f"{shown} in a review or on a line of code does nothing. Write it as a comment of its own here."
    return "\n".join(
        [
            misplaced_mark(source),
            english,
            "",
            *fold("中文", [f"{shown} 写在评审或代码行评论中不会生效。请在这里单独发表一条评论。"]),
        ]
    )


def whole(comment: int, parts: Sequence[str], *, head: str) -> str:
    """The reply: its mark, one part a command, and the commit that it speaks of."""
    return (
        "\n".join([mark(comment), *parts, "", f"At `{short(head)}`; later commits are not covered."]) + "\n"
    )


def part(who: str, line: str, verdict: str, lines: Sequence[str]) -> str:
    """What came of one command: what it did first, where there is more to say than the verdict."""
    head = f"{code(line)}: {verdict}"
    return "\n".join(
        [*lines, "", head, ""] if lines and lines[0].startswith("@") else [f"@{who} {head}", "", *lines, ""]
    )


def settled(old: str, state: str) -> str:
    """The reply `old` once the other repository has answered: `DONE`, or why it failed."""

    def told(match: re.Match[str]) -> str:
        who, ids = match.groups()
        return (
            f"{who} staged run {ids}."
            if state == DONE
            else f"{who} run {ids} is not staged: {plain_text(state)}"
        )

    return _STAGING.sub(told, old)


def working(who: str, line: str) -> str:
    """Until there is an answer."""
    return f"@{who} {code(line)}: staging… {WORKING}\n"


def mistakes(found: Sequence[Mistake]) -> list[str]:
    """What is wrong with lines that nearly were commands."""
    return [f"{code(one.text)}: {plain(one.what)}. Usage: {code(one.usage)}" for one in found]


def superseded(commands: Commands) -> list[str]:
    """Lines that later ones replace; one comment may hold thousands."""
    told = [f"Line {one.line} ({code(one.words)}) is superseded." for one in commands.superseded[:SHOWN]]
    more = len(commands.superseded) - len(told)
    return (
        [*told, f"{plural(more, 'more line')} {'is' if more == 1 else 'are'} superseded."] if more else told
    )


def help_lines(forms: Sequence[Form]) -> list[str]:
    """One line a command."""
    return [f"- {code(form.usage)}: {form.help}" for form in forms]


@dataclass(frozen=True, kw_only=True)
class Staging:
    """What a reply about staging is made of."""

    who: str
    runs: Sequence[int]
    rows: Sequence[Row]
    names: Models = field(default_factory=Models)
    """Display names."""
    workflow: str = ""
    """Address of the run that stages."""
    state: str = DONE
    """`DONE`, `WAITING`, or why it failed."""


def staged(staging: Staging) -> list[str]:
    """Which runs are on the preview page, one bullet a curve, and where it was done."""
    bullets = [f"- {curve}" for curve in curves(staging.rows, staging.names)]
    more = [f"- … and {len(bullets) - SHOWN} more curves"] if len(bullets) > SHOWN else []
    ids = ", ".join(map(str, staging.runs))
    link = [f"[Staging workflow]({staging.workflow})", ""] if staging.workflow else []
    if staging.state not in (DONE, WAITING):
        return [f"- warning: run {ids} is not staged: {plain_text(staging.state)}", "", *link]
    head = f"staging run {ids}…" if staging.state == WAITING else f"staged run {ids}."
    kept = "The run remains available across later `/stage-results`; the same id again updates its data."
    return [f"@{staging.who} {head}", "", *bullets[:SHOWN], *more, "", kept, *link]


def curves(rows: Sequence[Row], names: Models) -> list[str]:
    """`Qwen3.5 · agentic-traces · FP8 · h200_sglang · 2026-07-01`, one for each curve among `rows`."""
    newest: dict[tuple[str, ...], float] = {}
    for row in rows:
        name = (
            plain(names.name(prefix(row) or "?")),
            plain(names.scenario(scenario(row))),
            plain(str(row.get("precision", "?"))).upper(),
            plain(f"{hardware(row).split('-')[0] or '?'}_{row.get('framework', '?')}"),
        )
        newest[name] = max(newest.get(name, 0.0), _seconds(row))
    return [" · ".join((*name, _date(newest[name]))) for name in sorted(newest)]


def _seconds(row: Row) -> float:
    time = row.get("result_time")
    return float(time) if isinstance(time, int | float) and not isinstance(time, bool) else 0.0


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat() if 0 < seconds < 4e9 else "no date"


REPAIR = {
    "no-such-run": "check the number in the run's address",
    "foreign-run": "name a sweep of this pull request",
    "other-workflow": "name a sweep of this pull request",
    "other-event": "name a sweep of this pull request",
    "fork-event": "set a sweep label: the default branch then starts one",
    "other-branch": "name a sweep of this pull request",
    "other-pull-request": "name a sweep of this pull request",
    "not-approved": "set a sweep label: it approves the head as it is now",
    "not-finished": "wait for its end, and repeat the command",
    "not-reusable": "start a full sweep",
    "empty": "name another run, or start a sweep",
    "nothing-valid": "`/sweep resume` measures what is missing",
    "expired": "`/sweep resume` measures what is missing",
    "unreadable": "`/sweep resume` measures what is missing",
    "excluded-node": "`/sweep resume` measures it on another node",
    "base-drift": "`/sweep resume` measures it anew",
    "execution-inputs-changed": "`/sweep resume` measures what changed, or use `--accept-changed`",
    "entry-changed": "put the changelog entry back, or use `--accept-changed`",
    "partial-coverage": "`/sweep resume` measures the rest, or pin the run with `/use`",
    "unsuccessful": "pin the run with `/use`",
    "blocking-modifier": "remove the label",
    "head-moved": "look at the new head, and repeat the command",
    "not-allowed": "ask somebody who has that role",
    "could-not-tell": "it is tried again with the next command",
}
"""Kind of a refusal → what to do."""


def repair(kind: str) -> list[str]:
    """The line after a refusal."""
    return [f"To do: {REPAIR[kind]}."] if kind in REPAIR else []


def source(decision: Decision) -> list[str]:
    """Coverage, what is missing, warnings, and every run that does not count with its rule."""
    lines = []
    missing = [f"{one['title']} ({one['reason']})" for one in decision.details.get("missing", ())]
    if missing:
        lines.append(f"- missing: {some(missing)}")
    warnings = [one for one in decision.details.get("warnings", ()) if not one.startswith("missing: ")]
    lines += [f"- warning: {plain_text(one)}" for one in warnings][:SHOWN]
    lines += [f"- {plain_text(one)}" for one in decision.details.get("notes", ())][:SHOWN]
    failed = decision.extra.get("refused", ())
    # What keeps every run from counting is the verdict already.
    refused = [one for one in failed if one["rule"] != "not-named" and one["reason"] != decision.reason]
    lines += [
        f"- run {one['run']} does not count: {one['rule']}, {plain_text(one['reason'])}" for one in refused
    ][:SHOWN]
    return lines


def plain_text(text: str) -> str:
    """A sentence of ours that may hold names from a pull request."""
    return code(text, limit=300)
