"""What a change did to measured numbers, compact: what got better or worse first, the rest counted."""

from collections import Counter
from collections.abc import Sequence

from infx.compared import CALLED, Change, Compared, Finding
from infx.say.words import fold, number, plain, plural

SHOWN = 20
"""Most changed numbers that a comment lists."""
OPEN = 6
"""Most of them that are shown without unfolding."""
CHINESE = {
    Change.BETTER: "变好",
    Change.WORSE: "变差",
    Change.SAME: "不变",
    Change.CANNOT_TELL: "无法判断",
}
HEAD = (
    "| point | number | main | new | change | 95 % interval | verdict |",
    "|---|---|--:|--:|--:|--:|---|",
)
EMPTY = "–"


def lines(compared: Compared) -> list[str]:
    """Markdown; the summary is one line, a long table is folded. Empty when main measured none of it."""
    found = ordered(compared)
    if not found:
        return []
    called = [one for one in found if one.verdict in CALLED]
    table = [*HEAD, *map(_row, called[:SHOWN])]
    if len(called) > SHOWN:
        table += ["", f"… and {len(called) - SHOWN} more: `infx report --ledger` of the run shows all."]
    told = [f"**Compared with main**: {summary(found)}.", ""]
    if not called:
        return told
    return [*told, *(table if len(called) <= OPEN else fold("What changed", table)), ""]


def summary(found: Sequence[Finding]) -> str:
    """`2 worse, 30 same and 3 cannot tell of 35 numbers`."""
    counts = Counter(one.verdict for one in found)
    parts = [f"{counts[one]} {one.replace('-', ' ')}" for one in Change if counts[one]]
    text = ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]
    return f"{text} of {plural(len(found), 'number')}"


def chinese(compared: Compared) -> str:
    """The summary in Chinese; empty when there is nothing to compare."""
    counts = Counter(one.verdict for one in ordered(compared))
    return "，".join(f"{counts[one]} 项{CHINESE[one]}" for one in Change if counts[one])


def ordered(compared: Compared) -> list[Finding]:
    """Worse before better, curves before points, and the largest change first."""
    rank = {Change.WORSE: 0, Change.BETTER: 1}
    every = [*compared.curves, *compared.points]
    return sorted(every, key=lambda one: (rank.get(one.verdict, 2), -round(abs(one.change), 3)))


def _row(one: Finding) -> str:
    interval = f"{_share(one.low)} … {_share(one.high)}"
    name = " · ".join(map(plain, one.name.split(" · ")))
    cells = (name, one.measure, _number(one.old), _number(one.new))
    return f"| {' | '.join([*cells, _share(one.change), interval])} | **{one.verdict}** |"


def _share(value: float) -> str:
    """`+3.4 %`; a dash for what no table could show."""
    return f"{value * 100:+.1f} %" if abs(value) < 1000 else EMPTY


def _number(value: float | None) -> str:
    if value is None:
        return EMPTY
    return number(value) if value >= 10 else f"{value:.3g}"


def text(compared: Compared) -> str:
    """The same for a terminal: what a comment would hold."""
    return "\n".join(lines(compared)).strip() or "nothing to compare"
