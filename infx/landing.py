"""Landing: a changelog entry that arrived on the target branch, and what decides whether it is published."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from infx.decision import Decision
from infx.entry import Entry
from infx.facts import Answer


@dataclass(frozen=True, kw_only=True)
class Landing:
    """One entry, and the commit of the target's first-parent line with which it came. The same for ever,
    however and how often it is asked, so it is what publications are keyed by."""

    commit: str
    at: str
    """Time of the commit, ISO 8601."""
    link: str
    """The entry's `pr-link`; empty when it has none."""
    entry: Entry | None
    fault: str = ""
    """Why the entry cannot be read; nothing else of its push suffers from it."""

    def pr(self, pulls: str) -> int | None:
        """Number of the pull request that the link names below `pulls` (`https://github.com/o/r/pull`)."""
        match = re.fullmatch(re.escape(pulls) + r"/([1-9][0-9]{0,17})", self.link) if pulls else None
        return int(match[1]) if match else None


@dataclass(frozen=True, kw_only=True)
class Push:
    """What one push brought to the target branch."""

    before: str
    after: str


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where this code runs, as far as publishing cares."""

    workflow: str = ""
    """Path of the workflow file; empty outside of Actions."""
    event: str = ""
    ref: str = ""
    default_branch: str
    actors: Mapping[str, Answer]
    """Who started a dispatch, and who started it again → may they recover."""


@dataclass(frozen=True, kw_only=True)
class Result:
    """One accepted point with what was measured."""

    accepted: Mapping[str, Any]
    """As `resolve source` gives it: point, key, title, mode, run, attempt, sha, node, measured, match."""
    task: str | None = None
    agentic: bool = False
    planned: Mapping[str, str]
    """Fingerprint of the planned point."""
    fingerprint: Mapping[str, str]
    """Fingerprint of what was measured."""
    row: Mapping[str, Any] | None
    """Published row; None when nothing holds it any more."""

    @property
    def bucket(self) -> str:
        """`eval`, `agentic` or `fixed`: each has to be published whole."""
        if self.accepted["mode"] == "eval":
            return "eval"
        return "agentic" if self.agentic else "fixed"


@dataclass(frozen=True, kw_only=True)
class PublishFacts:
    """One pull request that landed."""

    pr: int
    commit: str
    at: str
    entries: tuple[Landing, ...]
    proposed: tuple[Entry, ...]
    """The entries as they stand at the pull request's head."""
    source: Decision
    """What `resolve source` says."""
    accept_changed: bool = False
    results: tuple[Result, ...] = ()
    authorised_at: str = ""
