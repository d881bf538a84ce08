"""Patch: what one commit changes against another, read from git objects."""

import hashlib
import re
from collections.abc import Iterator, Sequence

from infx.edge.git import Git
from infx.errors import InfxError
from infx.event import FileChange
from infx.subject import Line

NAMES = {"A": "added", "M": "modified", "D": "removed", "T": "changed"}
HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")
LINES = 50_000
"""Most added lines that are looked at."""


def files(git: Git, base: str, head: str) -> tuple[FileChange, ...]:
    """Every changed path, both sides of a rename."""
    out = git("diff", "--no-renames", "--name-status", "-z", base, head).split(b"\0")
    words = [word.decode("utf-8", "surrogateescape") for word in out]
    return tuple(
        FileChange(path=path, status=NAMES.get(state[:1], "changed"))
        for state, path in zip(words[::2], words[1::2], strict=False)
        if path
    )


def added(git: Git, base: str, head: str, *under: str) -> tuple[Line, ...]:
    """Lines that `head` adds below these paths; a line that goes on after a backslash is one."""
    out = git(
        *("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--unified=0", "--text"),
        *(base, head, "--", *(f":(literal){path}" for path in under)),
    )
    return tuple(joined(_lines(out.decode("utf-8", "replace").split("\n"))))


def _lines(lines: Sequence[str]) -> Iterator[Line]:
    path, number, count, header = "", 0, 0, False
    for line in lines:
        if line.startswith("diff --git "):
            header = True
        elif header and line.startswith("+++ "):
            path = line[4:].removeprefix('"').removeprefix("b/").rstrip('"\t')
        elif match := HUNK.match(line):
            number, header = int(match[1]), False
        elif line.startswith("+") and not header and count < LINES:
            yield Line(path=path, line=number, text=line[1:])
            number, count = number + 1, count + 1


def joined(lines: Iterator[Line]) -> Iterator[Line]:
    """One line of a shell may be written on several."""
    whole: Line | None = None
    for line in lines:
        if whole and whole.text.endswith("\\"):
            whole = Line(path=whole.path, line=whole.line, text=f"{whole.text[:-1]} {line.text.strip()}")
            continue
        if whole:
            yield whole
        whole = line
    if whole:
        yield whole


def digest(git: Git, base: str, head: str) -> str:
    """Digest of the whole diff from the merge base; `""` when a commit cannot be had any more."""
    try:
        git.bring(head)
        fork = git.merge_base(base, head)
        words = ("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--binary")
        return hashlib.sha256(git(*words, "--full-index", fork, head, timeout_s=300)).hexdigest()
    except InfxError:
        return ""
