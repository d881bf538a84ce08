"""Aftermath: what became of a commit of the default branch: whose it is, and every check of it."""

from dataclasses import dataclass
from enum import StrEnum

from infx.check import Check, Standing
from infx.decision import Decision


class State(StrEnum):
    """How things stand after a merge."""

    GREEN = "green"
    """Every check passed."""
    PENDING = "pending"
    RERUN = "rerun"
    """What failed may pass when it is run again, and is run again."""
    PERSON = "person"
    """Somebody has to look."""
    NOTHING = "nothing-ran"
    """Nothing was started for the commit, and nothing will be."""


@dataclass(frozen=True, kw_only=True)
class Merge:
    """One commit that arrived on the default branch."""

    sha: str
    pr: int = 0
    """0 for a direct push."""
    author: str = ""
    """Login of the pull request's author, or of who pushed."""
    at: str = ""
    """Time of the merge, ISO 8601 in UTC."""
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Looked:
    """One check, in its newest attempt."""

    check: Check
    standing: Standing
    failure: Decision | None = None
    """Why it failed, where it did."""
    earlier: tuple[str, ...] = ()
    """Conclusions of its earlier attempts, oldest first."""
