"""Adopted: what `infx init` finds in a repository and what it does to each file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Act(StrEnum):
    WRITE = "write"
    UPGRADE = "upgrade"
    """As it was written by an older version, unchanged since."""
    MERGE = "merge"
    """Changed here and by infx: both changes are kept."""
    SAME = "same"
    CHANGED = "changed"
    """Of this version, with changes made here, which stay."""
    OWN = "own"
    """The repository's own file, which init leaves alone."""
    LOCAL = "local"
    """Of another version, and not asked to upgrade: left as it is."""
    FOREIGN = "foreign"
    """A file that infx did not write stands where one of its own has to be."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """What becomes of one file."""

    path: str
    act: Act
    why: str
    data: bytes = b""
    """What is written; for MERGE what infx ships."""
    base: bytes = b""
    """What infx shipped of a file that has changes of both sides."""

    def as_json(self) -> dict[str, Any]:
        return {"path": self.path, "act": self.act, "why": self.why}


@dataclass(frozen=True, kw_only=True)
class Found:
    """Where a repository of the community's layout has its files."""

    root: str = ""
    masters: tuple[str, ...] = ()
    """Below the root; empty when the repository has no master config yet."""
    golden: str = ""
    audit_from: str = ""
    """Link of the newest changelog entry: the first that is not audited comes after it."""
    labels: Mapping[str, str] = field(default_factory=dict)
