"""Tables of published rows as text: for a terminal, and for a comment."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

Line = Mapping[str, Any]
EMPTY = "–"


@dataclass(frozen=True, kw_only=True)
class Column:
    """A heading, and how a cell is written."""

    head: str
    text: Callable[[Line], str]
    right: bool = False


def number(name: str, form: str) -> Callable[[Line], str]:
    """A cell with the number `name` in that format, or a dash."""
    return lambda line: EMPTY if line.get(name) is None else format(line[name], form)


def day(seconds: float | None) -> str:
    """`2026-07-01`, UTC."""
    return EMPTY if seconds is None else minute(seconds)[:10]


def minute(seconds: float) -> str:
    """`2026-07-01 09:00`, UTC."""
    if not 0 < seconds < 4e9:
        return EMPTY
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def change(new: float | None, old: float | None) -> str:
    """`+3.4 %`."""
    return EMPTY if not new or not old else f"{(new / old - 1) * 100:+.1f} %"


def _commit(line: Line) -> str:
    return str(line["sha"] or line["merge"])[:7]


def _mode(line: Line) -> str:
    return str(line["task"]) if line["task"] else EMPTY


LATEST = (
    Column(head="curve", text=lambda line: str(line["curve"])),
    Column(head="shape", text=lambda line: str(line["shape"])),
    Column(head="conc", text=lambda line: f"C{line['conc']}", right=True),
    Column(head="eval", text=_mode),
    Column(head="tok/s/GPU", text=number("tput", ",.1f"), right=True),
    Column(head="tok/s/user", text=number("intvty", ",.1f"), right=True),
    Column(head="TTFT s", text=number("ttft", ",.3f"), right=True),
    Column(head="score", text=number("score", ".2%"), right=True),
    Column(head="measured", text=lambda line: day(line["measured"])),
    Column(head="run", text=lambda line: str(line["run"]), right=True),
    Column(head="commit", text=_commit),
)


def _standing(line: Line) -> str:
    if line["retracted"]:
        return f"withdrawn: {line['retracted']}"
    return "" if line["current"] else "a later line, which changes nothing"


HISTORY = (
    Column(head="published", text=lambda line: day(line["published"])),
    *LATEST,
    Column(head="PR", text=lambda line: f"#{line['pr']}" if line["pr"] else EMPTY),
    Column(head="image", text=lambda line: str(line["image"])),
    Column(head="standing", text=_standing),
)
SINCE = (
    Column(head="published", text=lambda line: day(line["published"])),
    *LATEST[:4],
    Column(head="before", text=number("before", ",.1f"), right=True),
    Column(head="now", text=number("now", ",.1f"), right=True),
    Column(head="change", text=lambda line: change(line["now"], line["before"]), right=True),
    Column(head="what", text=lambda line: str(line["what"])),
    Column(head="run", text=lambda line: str(line["run"]), right=True),
)


def text(lines: Sequence[Line], columns: Sequence[Column]) -> str:
    """Columns side by side; every cell is made printable, since rows come from pull requests."""
    cells = [[one.head for one in columns], *([_plain(one.text(line)) for one in columns] for line in lines)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(columns))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column.right else cell.ljust(width)
            for cell, width, column in zip(row, widths, columns, strict=True)
        ).rstrip()
        for row in cells
    )


def _plain(cell: str) -> str:
    return "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in cell)[:80]
