"""Skip: words in a commit message that keep runs from starting, ours and GitHub's own."""

import re

MARKER = "[skip-sweep]"
"""Ours: on the head of a pull request the gate runs, GPUs do not."""

_GITHUB = re.compile(
    r"\[skip ci\]|\[ci skip\]|\[no ci\]|\[skip actions\]|\[actions skip\]|^skip-checks: *true\s*\Z",
    re.IGNORECASE | re.MULTILINE,
)
"""docs.github.com, "Skipping workflow runs"."""


def marked(message: str | None) -> bool:
    """The message holds our marker."""
    return MARKER in (message or "").lower()


def github_word(message: str | None) -> str:
    """GitHub's own skip word in the message; `""` when there is none."""
    found = _GITHUB.search(message or "")
    return found[0].strip() if found else ""
