"""Compare: in which files the work of one point differs between two commits."""

from infx.matrix.fingerprint import Ground, drift
from infx.matrix.script import path_of
from infx.point import Point

Names = tuple[str, ...]


def differing(point: Point, one: Ground, other: Ground) -> tuple[Names, Names]:
    """Names of the point's own files that differ, and of what it shares with other recipes."""
    mine, theirs = _own(point, one), _own(point, other)
    own = sorted(name for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name))
    return tuple(own), tuple(sorted(drift(point.row, point.script, one, other)))


def _own(point: Point, ground: Ground) -> dict[str, str]:
    path = path_of(point.script)
    files = ground.closure(path) | ({path} & ground.files.keys())
    return {name: ground.mark(name) for name in files - ground.shared(path)}
