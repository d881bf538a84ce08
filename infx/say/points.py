"""Points and evals of a ledger as lines, one a point, folded by key when there are many."""

from collections.abc import Iterable, Sequence

from infx import published
from infx.ledger import Entry, State
from infx.point import EVAL
from infx.say.words import code, fold, number, percent, plain, short, tagged
from infx.several import taken_apart

OPEN = 24
"""Most points that are shown without unfolding."""


def line(entry: Entry) -> str:
    """`C1 valid · 1,234 tok/s/GPU · adc40a2 · attempt 1`, or `C64 gsm8k 97.57 % ≥ 90 % · attempt 1`."""
    parts = [f"{plain(entry.title)} {_accuracy(entry) or plain(entry.text)}"]
    result = entry.result or {}
    speeds = [published.throughput(row) for row in taken_apart(result)] if entry.mode != EVAL else []
    if said := ", ".join(number(speed) for speed in speeds if speed is not None):
        parts.append(f"{said} tok/s/GPU")
    if entry.sha and entry.mode != EVAL:
        parts.append(short(entry.sha))
    if entry.attempt is not None:
        parts.append(f"attempt {entry.attempt:.0f}")
    if entry.state != State.NOT_STARTED:
        parts += [plain(note) for note in entry.notes[:3]]
    return "- " + " · ".join(parts)


def _accuracy(entry: Entry) -> str:
    """Score of a valid eval against its threshold; empty for everything else."""
    result = entry.result or {}
    score, least = published.score(result), published.threshold(result)
    if entry.mode != EVAL or entry.state != State.VALID or score is None:
        return ""
    return (
        percent(score)
        if least is None
        else f"{percent(score)} {'≥' if score >= least else '<'} {percent(least)}"
    )


def blocks(entries: Sequence[Entry], room: int) -> list[str]:
    """All entries in at most `room` characters; what does not fit is counted, and is in the ledger."""
    named: dict[str, list[Entry]] = {}
    for entry in entries:
        named.setdefault(entry.key, []).append(entry)
    few = len(entries) <= OPEN
    shown: list[str] = []
    for position, (key, own) in enumerate(named.items()):
        valid = sum(entry.state == State.VALID for entry in own)
        count = f": {valid} of {len(own)} valid"
        lines = list(_fitting(own, room - len(key) - 200))
        block = ["", code(key) + count, "", *lines] if few else fold(tagged(key) + count, lines)
        size = sum(len(one) + 1 for one in block)
        if size > room:
            rest = list(named.values())[position:]
            return [
                *shown,
                "",
                f"… and {sum(map(len, rest))} points of {len(rest)} more keys: see the ledger.",
            ]
        room -= size
        shown += block
    return shown


def _fitting(entries: Sequence[Entry], room: int) -> Iterable[str]:
    """Lines of one key, those that need somebody first."""
    ordered = sorted(entries, key=lambda entry: entry.state == State.VALID)
    for position, entry in enumerate(ordered):
        text = line(entry)
        if len(text) + 1 > room:
            yield f"- … and {len(ordered) - position} more: see the ledger"
            return
        room -= len(text) + 1
        yield text
