"""Compare: in which files the work of one point differs between two commits."""

from infx.canon import digest
from infx.matrix.fingerprint import Ground
from infx.matrix.script import path_of
from infx.point import Point

LAUNCH = "launch rules"
LOCK = "clients' lock file"


Names = tuple[str, ...]


def differing(point: Point, one: Ground, other: Ground) -> tuple[Names, Names]:
    """Names of the point's own files that differ, and of those that it shares with other recipes."""
    mine, theirs = _names(point, one), _names(point, other)
    return _differ(mine[0], theirs[0]), _differ(mine[1], theirs[1])


def _names(point: Point, ground: Ground) -> tuple[dict[str, str], dict[str, str]]:
    path = path_of(point.script)
    files, shared = ground.closure(path) | ({path} & ground.files.keys()), ground.shared(path)
    around = {LAUNCH: digest(ground.launch.get(point.runner)), LOCK: ground.lock}
    return (
        {name: ground.mark(name) for name in files - shared},
        {**{name: ground.mark(name) for name in shared}, **around},
    )


def _differ(mine: dict[str, str], theirs: dict[str, str]) -> Names:
    return tuple(sorted(name for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name)))
