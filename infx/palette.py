"""Palette: how labels look on GitHub, by class, with a description made of what each does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from infx.labels import Group, LabelBook, Modifier, Primary

COLOURS = {
    Group.PRIMARY: "0e8a16",
    Group.MODIFIER: "1d76db",
    Group.GRANT: "d93f0b",
    Group.PRIORITY: "fbca04",
    Group.OWN: "6f42c1",
}
"""Six hex digits, as GitHub writes colours."""
DESCRIPTION_LIMIT = 100
"""Characters of a label's description (GitHub's answer to longer ones)."""


@dataclass(frozen=True, kw_only=True)
class Paint:
    """One label as it should be on GitHub."""

    name: str
    color: str
    description: str

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "color": self.color, "description": self.description}


def paints(book: LabelBook) -> Sequence[Paint]:
    """Every label of the policy; priority labels are the repository's own and left out."""
    return tuple(
        Paint(name=name, color=COLOURS[book.group(name)], description=text[:DESCRIPTION_LIMIT])
        for name, text in _described(book)
    )


def _described(book: LabelBook) -> Iterator[tuple[str, str]]:
    for name, primary in book.primaries.items():
        yield name, f"infx: starts a sweep; {_primary(primary)}"
    for name, modifier in book.modifiers.items():
        yield name, f"infx: with a primary label: {_modifier(modifier)}"
    for name in sorted(book.grants):
        yield name, "infx: lets one sweep exceed the GPU-hour ceiling"
    for name in sorted(book.own):
        yield name, "infx: set by infx itself"


def _primary(label: Primary) -> str:
    if not label.canary:
        return "no canary"
    held = "everything" if label.canary_failure == "all" else "its own key"
    return f"a failed canary holds back {held}{', first failure ends its matrix' if label.fail_fast else ''}"


def _modifier(label: Modifier) -> str:
    effects = {
        "every eval": label.all_evals,
        "evals only": label.evals_only,
        "shortened agentic profile": label.fast,
        "only points without an accepted result": label.resume,
        "never published": label.blocks_reuse,
    }
    return ", ".join(effect for effect, on in effects.items() if on)
