"""Touched: the changed files of a pull request, and how much of one folder they change."""

from dataclasses import dataclass

from infx.event import FileChange


@dataclass(frozen=True, kw_only=True)
class Changed:
    """Changed files of a pull request."""

    files: tuple[FileChange, ...]
    capped: bool = False
    """GitHub listed no more than it lists of any pull request."""

    @property
    def paths(self) -> tuple[str, ...]:
        """Both sides of renames, without repetition."""
        both = (path for one in self.files for path in (one.path, one.previous) if path)
        return tuple(dict.fromkeys(both))


@dataclass(frozen=True, kw_only=True)
class Size:
    """Lines of one folder that a change adds and removes."""

    folder: str
    added: int
    removed: int
    at_least: bool = False
    fork: bool = False
    """The change comes from a fork, whose sweeps run with the default branch's package."""

    @property
    def zero(self) -> bool:
        return not (self.added or self.removed)
