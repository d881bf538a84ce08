"""Replies to commands: one comment a command, which names who asked and what came of it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from infx.command import Commands, Form, Mistake
from infx.decision import Decision
from infx.say.words import code, fold, plain, short, some

SHOWN = 10
"""Most lines of one list."""
Row = Mapping[str, Any]


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


def part(who: str, line: str, verdict: str, lines: Iterable[str]) -> str:
    """What came of one command."""
    return "\n".join([f"@{who} {code(line)}: {verdict}", "", *lines, ""])


def mistakes(found: Sequence[Mistake]) -> list[str]:
    """What is wrong with lines that nearly were commands."""
    return [f"{code(one.text)}: {plain(one.what)}. Usage: {code(one.usage)}" for one in found]


def superseded(commands: Commands) -> list[str]:
    return [f"Line {one.line} ({code(one.words)}) is superseded." for one in commands.superseded]


def help_lines(forms: Sequence[Form]) -> list[str]:
    """One line a command."""
    return [f"- {code(form.usage)}: {form.help}" for form in forms]


def staged(who: str, runs: Sequence[int], rows: Sequence[Row]) -> list[str]:
    """Which runs are on the preview page, one bullet a curve."""
    ids = ", ".join(map(str, runs))
    bullets = [f"- {curve}" for curve in curves(rows)]
    kept = "The run stays on the preview page across later `/stage-results`; the same id again updates it."
    return [f"@{who} staged run {ids}.", "", *bullets[:SHOWN], "", kept]


def curves(rows: Sequence[Row]) -> list[str]:
    """`Qwen3.5 · agentic-traces · FP8 · h200_sglang · 2026-07-01`, one for each curve among `rows`."""
    newest: dict[tuple[str, ...], float] = {}
    for row in rows:
        hardware = str(row.get("hw", "?")).lower().split("-")[0]
        name = (
            plain(str(row.get("infmax_model_prefix", row.get("model", "?")))),
            _scenario(row),
            plain(str(row.get("precision", "?"))).upper(),
            plain(f"{hardware}_{row.get('framework', '?')}"),
        )
        newest[name] = max(newest.get(name, 0.0), _seconds(row))
    return [" · ".join((*name, _date(newest[name]))) for name in sorted(newest)]


def _scenario(row: Row) -> str:
    if "isl" not in row:
        return "agentic-traces"
    sizes = [row.get("isl"), row.get("osl")]
    return "".join(f"{size // 1024}k" if isinstance(size, int) else "?" for size in sizes)


def _seconds(row: Row) -> float:
    time = row.get("result_time")
    return float(time) if isinstance(time, int | float) and not isinstance(time, bool) else 0.0


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat() if 0 < seconds < 4e9 else "no date"


def source(decision: Decision) -> list[str]:
    """Coverage, what is missing, warnings, and every run that does not count with its rule."""
    lines = []
    missing = [f"{one['title']} ({one['reason']})" for one in decision.details.get("missing", ())]
    if missing:
        lines.append(f"- missing: {some(missing)}")
    lines += [f"- warning: {plain_text(one)}" for one in decision.details.get("warnings", ())][:SHOWN]
    lines += [f"- {plain_text(one)}" for one in decision.details.get("notes", ())][:SHOWN]
    refused = [one for one in decision.extra.get("refused", ()) if one["rule"] != "not-named"]
    lines += [
        f"- run {one['run']} does not count: {one['rule']}, {plain_text(one['reason'])}" for one in refused
    ][:SHOWN]
    return lines


def plain_text(text: str) -> str:
    """A sentence of ours that may hold names from a pull request."""
    return code(text, limit=300)
