"""Merge: what is known of a pull request that somebody wants merged, and the next step towards it."""

from dataclasses import dataclass
from enum import StrEnum

from infx.check import Check, Standing
from infx.decision import Decision
from infx.event import PullRequest, Run
from infx.facts import Answer


class Step(StrEnum):
    """What to do next. Every step may be repeated after a crash."""

    DONE = "done"
    STOP = "stop"
    WAIT = "wait"
    UPDATE = "update"
    """Push one commit onto the head branch: the target merged into it, the changelog repaired."""
    MERGE = "merge"


class Why(StrEnum):
    """Every reason of a step."""

    MERGED = "merged"
    CLOSED = "closed"
    JOB_TOKEN = "job-token"
    DRAFT = "draft"
    MERGE_QUEUE = "merge-queue"
    FORK_GONE = "fork-gone"
    FORK_CHANGELOG = "fork-changelog"
    """The changelog of a fork is not right as it stands, and nothing is pushed there."""
    CONFLICT = "conflict"
    CHANGELOG = "changelog"
    """Only the author can tell what the entry should say."""
    WORKFLOW_SCOPE = "workflow-scope"
    NOT_READY = "not-ready"
    """What main would do with this head is not what anybody wants."""
    COULD_NOT_TELL = "could-not-tell"
    SWEEPING = "sweeping"
    BEHIND = "behind"
    REPAIR = "repair"
    CHECKS_FAILED = "checks-failed"
    CHECKS_RUNNING = "checks-running"
    NO_GATE = "no-gate-yet"
    """GitHub has not started the sweep workflow for this head yet."""
    UNKNOWN_MERGEABLE = "mergeable-unknown"
    SKIP_WORD = "skip-word"
    """A rebase keeps the author's messages, and the last one would keep main from running anything."""
    READY = "ready"


METHODS = ("squash", "merge", "rebase")


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One check run or status of the head, and what it says by the one rule for checks."""

    check: Check
    standing: Standing


@dataclass(frozen=True, kw_only=True)
class Joined:
    """The target merged into the head as git does it, with the changelog as it has to be."""

    target: str
    """Tip of the target branch."""
    behind: bool
    """The head does not hold that tip."""
    conflicts: tuple[str, ...] = ()
    """Files other than the changelog that do not merge."""
    repaired: bool = False
    """The changelog differs from what the head holds, or git would make of it."""
    carries: tuple[str, ...] = ()
    """Workflow files that a push of it would change on the head branch."""
    tree: str = ""
    """Object id of the result; empty when there are conflicts."""
    tail: str = ""
    """Text that has to stand behind the target's changelog."""

    @property
    def needed(self) -> bool:
        return self.behind or self.repaired


@dataclass(frozen=True, kw_only=True)
class MergeFacts:
    """Everything that the next step is decided from, looked up just before it."""

    pull: PullRequest
    login: str
    """Whom the token writes as."""
    method: str = "squash"
    queue: bool = False
    """The target branch has a merge queue."""
    workflow_scope: Answer = Answer.UNKNOWN
    """Whether the token may change workflow files."""
    proposes: tuple[str, ...] = ()
    """Workflow files that the pull request itself changes."""
    joined: Joined
    changelog: Decision
    """The gate of the changelog, for the head as it is."""
    readiness: Decision
    """What main would do with this head."""
    gates: tuple[Run, ...] = ()
    """Runs of the sweep workflow for this head."""
    checks: tuple[Seen, ...] = ()
    skip_word: str = ""
    """GitHub's own skip word in the head's message."""
