"""Files of other users in a folder: left by an engine that ran as root, a burden to the next job."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path


def foreign(folders: Iterable[Path], uid: int) -> list[Path]:
    """Files and folders below `folders` that are not `uid`'s; what cannot be looked into is named itself."""
    return [path for folder in folders for path in _walk(folder) if _owner(path, uid) != uid]


def _owner(path: Path, gone: int) -> int:
    """Who owns `path`; `gone` when another member's clean-up has just removed it."""
    try:
        return path.lstat().st_uid
    except FileNotFoundError:
        return gone


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        yield from (Path(place) / name for name in (*folders, *names))


def take(paths: Iterable[Path], uid: int, gid: int) -> list[Path]:
    """Give the paths to `uid`; those that could not be given."""
    left = []
    for path in paths:
        try:
            os.chown(path, uid, gid, follow_symlinks=False)
        except FileNotFoundError:
            continue
        except OSError:
            left.append(path)
    return left
