"""Changelog and configs of commits, read from git objects."""

from collections.abc import Sequence
from dataclasses import dataclass

from infx.edge.git import Git
from infx.entry import Entry
from infx.errors import BadInput
from infx.read.changelog import added, read_entries
from infx.read.config import read_catalog
from infx.recipe import Catalog


@dataclass(frozen=True, kw_only=True)
class Paths:
    """Where a repository keeps what the matrix is made of."""

    masters: Sequence[str]
    runners: str


def catalog_at(git: Git, commit: str, *, paths: Paths) -> Catalog:
    """Configs and runners of one commit. BadInput when a file is missing or wrong."""
    names = [*paths.masters, paths.runners]
    found = git.blobs([(commit, name) for name in names])
    for name, data in zip(names, found, strict=True):
        if data is None:
            raise BadInput(f"commit {commit[:12]} has no file {name}", todo="check the path or add the file")
    files = [(name, data or b"") for name, data in zip(names, found, strict=True)]
    return read_catalog(files[:-1], files[-1])


def added_entries(git: Git, changelog: str, *, base: str, head: str) -> tuple[Entry, ...]:
    """Entries that `head` adds to the changelog of `base`. Refused when an old line is gone."""
    before, after = git.blobs([(base, changelog), (head, changelog)])
    if after is None:
        raise BadInput(f"commit {head[:12]} has no file {changelog}", todo="check the path or add the file")
    text = added(before or b"", after, diff=lambda: git.diff(base, head, changelog))
    # Blank lines in front keep the line numbers of messages those of the head's file where text was appended.
    ahead = after.count(b"\n") - text.count("\n") if after.endswith(text.encode()) else 0
    return read_entries("\n" * ahead + text, where=changelog)
