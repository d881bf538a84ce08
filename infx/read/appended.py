"""Appended changelog text: entries, or which of the author's errors it has."""

from collections.abc import Sequence

from infx.entry import Entry
from infx.errors import BadInput
from infx.read.changelog import read_entries

SIGNS = (
    ("is here twice", "duplicate-key"),
    ("unknown field", "unknown-field"),
    ("contradict each other", "contradictory-selectors"),
)
"""What the strict reader says → kind of the gate. Anything else is bad input and no answer of the gate."""


def read_appended(text: str, *, line: int, where: str) -> tuple[Sequence[Entry], str, str]:
    """Entries, then kind and sentence of an author's error (empty when there is none).

    `line` is the number of the first line of `text` in its file. BadInput when it is no list of entries.
    """
    try:
        return read_entries("\n" * (line - 1) + text, where=where), "", ""
    except BadInput as problem:
        for sign, kind in SIGNS:
            if sign in problem.what:
                return (), kind, problem.sentence
        raise
