"""Skip: words in a commit message that keep runs from starting, ours and GitHub's own."""

import re

MARKER = "[skip-sweep]"
"""Ours: on the head of a pull request the gate runs, GPUs do not."""

_WORDS = re.compile(r"\[skip ci\]|\[ci skip\]|\[no ci\]|\[skip actions\]|\[actions skip\]", re.IGNORECASE)
_OURS = re.compile(re.escape(MARKER), re.IGNORECASE)
_TRAILER = re.compile(r"skip-checks:\s*true", re.IGNORECASE)


def marked(message: str | None) -> bool:
    """The message holds our marker."""
    return MARKER in (message or "").lower()


def github_word(message: str | None) -> str:
    """GitHub's own skip word in the message; `""` when there is none (docs: "Skipping workflow runs").

    A word counts anywhere, the trailer as the last line when an empty one stands before it.
    """
    text = (message or "").rstrip()
    if found := _WORDS.search(text):
        return found[0]
    *before, last = text.split("\n")
    return last if "" in before and _TRAILER.fullmatch(last) else ""


def without(text: str) -> str:
    """The text on which no rule about skipping strikes: neither our marker nor a word of GitHub's is in it,
    and no line could be taken for its trailer. What a removal leaves behind is looked at again."""
    before = None
    while before != text:
        before = text
        text = _OURS.sub("", _WORDS.sub("", _TRAILER.sub("", text)))
    return text
