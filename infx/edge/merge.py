"""Merge: changes made here and changes that infx ships, in one file, by git's own three-way merge."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from infx.edge.git import Git

PATIENCE = 200
"""Versions of a file that are looked at, newest first."""


def original(git: Git, path: str, wanted: Callable[[bytes], bool]) -> bytes | None:
    """The newest committed version of `path` that `wanted` knows; None when there is none."""
    commits = git("log", f"--max-count={PATIENCE}", "--format=%H", "--", path).decode().split()
    contents = (git.show(commit, path) for commit in commits)
    return next((data for data in contents if data is not None and wanted(data)), None)


def three_way(git: Git, *, base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Both changes together; None when they touch the same lines."""
    with tempfile.TemporaryDirectory() as folder:
        places = [Path(folder) / name for name in ("ours", "base", "theirs")]
        for place, data in zip(places, (ours, base, theirs), strict=True):
            place.write_bytes(data)
        done = git.attempt("merge-file", "--stdout", *map(str, places))
    return done.out if done.code == 0 else None
