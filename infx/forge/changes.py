"""Changed files between two commits, with renames and patches."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

KINDS = {"A": "added", "D": "removed", "M": "modified", "T": "changed", "R": "renamed", "C": "copied"}
PATCH_LIMIT = 200_000
"""Characters of one file's patch; GitHub leaves larger ones out."""


@dataclass(frozen=True, kw_only=True)
class Changed:
    path: str
    old_path: str
    status: str
    blob: str
    additions: int
    deletions: int
    patch: str | None
    """Hunks without the file header; None for binary and huge files."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Both sides of a rename."""
        return (self.old_path, self.path) if self.old_path else (self.path,)


def read(raw: bytes, numbers: bytes, patches: bytes) -> tuple[Changed, ...]:
    """Files from `git diff -M` in its three forms: `--raw -z --abbrev=40`, `--numstat -z`, `-p`."""
    counts = numbers.decode("utf-8", "surrogateescape").split("\0")
    hunks = split_patches(patches.decode("utf-8", "replace"))
    return tuple(
        one(entry, count, hunk)
        for entry, count, hunk in zip(raw_entries(raw), numstat(counts), hunks, strict=True)
    )


def one(entry: tuple[str, str, str, str], count: tuple[int, int], hunk: str | None) -> Changed:
    letter, blob, old, new = entry
    if hunk is not None and len(hunk) > PATCH_LIMIT:
        hunk = None
    return Changed(
        path=new,
        old_path=old if letter in "RC" else "",
        status=KINDS.get(letter, "changed"),
        blob=blob,
        additions=count[0],
        deletions=count[1],
        patch=hunk,
    )


def raw_entries(raw: bytes) -> Iterator[tuple[str, str, str, str]]:
    """Status letter, blob (the old one of a removed file), old path, new path."""
    fields = iter(raw.decode("utf-8", "surrogateescape").split("\0"))
    for meta in fields:
        if not meta:
            continue
        _, _, before, after, letter = meta.split(" ")
        old = next(fields)
        new = next(fields) if letter[0] in "RC" else old
        yield letter[0], before if letter[0] == "D" else after, old, new


def numstat(fields: list[str]) -> Iterator[tuple[int, int]]:
    """Added and deleted lines; a binary file counts none."""
    rest = iter(fields)
    for field in rest:
        if not field:
            continue
        added, deleted, path = field.split("\t", 2)
        if not path:
            next(rest), next(rest)
        yield (0, 0) if added == "-" else (int(added), int(deleted))


def split_patches(text: str) -> list[str | None]:
    """One entry a file, in git's order: its hunks, or None when there are none."""
    found: list[str | None] = []
    for part in re.split(r"^diff --git ", text, flags=re.M)[1:]:
        start = re.search(r"^@@ ", part, flags=re.M)
        found.append(part[start.start() :].rstrip("\n") if start else None)
    return found
