"""Source: what `resolve source` is asked from, and the closed list of its answers."""

from dataclasses import dataclass
from enum import StrEnum

from infx.equal import Mark
from infx.event import Run
from infx.facts import Answer
from infx.ledger import State

CONTEXT = "infx/merge-readiness"
"""Commit status that tells before the merge what main would do with the head."""


class Kind(StrEnum):
    """Every answer. The second half is also the rule that a refused run failed, in the order of the rules."""

    COVERS = "covers"
    """Every planned point has an accepted result."""
    PARTIAL = "partial"
    """Some have, and a person who saw which are missing pinned the runs."""
    NOT_NEEDED = "not-needed"
    """The pull request changes no config key."""
    NOTHING_AUTHORISED = "nothing-authorised"
    WITHDRAWN = "withdrawn"
    """`/use none` is the newest command."""
    BLOCKED = "blocking-modifier"
    """A label is on the pull request under which nothing is published."""
    HEAD_MOVED = "head-moved"
    """The head is another one than the person saw."""
    NO_CANDIDATE = "no-candidate"
    """There is no run at all."""

    NOT_NAMED = "not-named"
    NO_SUCH_RUN = "no-such-run"
    OTHER_WORKFLOW = "other-workflow"
    OTHER_EVENT = "other-event"
    FORK_EVENT = "fork-event"
    """Started by a fork's own event, so by workflow files that nobody here approved."""
    OTHER_BRANCH = "other-branch"
    """Dispatched with workflow files of another branch than the default one."""
    NOT_FINISHED = "not-finished"
    COULD_NOT_TELL = "could-not-tell"
    UNREADABLE = "unreadable"
    OTHER_PULL_REQUEST = "other-pull-request"
    NOT_APPROVED = "not-approved"
    """Its plan is not of the head that a label or `/sweep resume` approved."""
    NOT_REUSABLE = "not-reusable"
    """It measured in a mode whose numbers are never published."""
    EMPTY = "empty"
    """It left no point: a no-op run, whatever its colour."""
    LEGACY_HEAD = "legacy-head"
    """Without a recorded plan, and its commit is not in the pull request."""
    LEGACY_LABELS = "legacy-labels"
    """Without a recorded plan, and its labels name no full sweep."""
    NOTHING_VALID = "nothing-valid"
    EXPIRED = "expired"
    EXCLUDED = "excluded-node"
    DRIFT = "base-drift"
    CHANGED = "execution-inputs-changed"
    ENTRY = "entry-changed"
    """The changelog entry that it was swept for says something else now."""
    PARTIAL_COVERAGE = "partial-coverage"
    UNSUCCESSFUL = "unsuccessful"


GO = frozenset({Kind.COVERS, Kind.PARTIAL, Kind.NOT_NEEDED})


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One point of one run, from its ledger."""

    mark: Mark
    state: State
    reason: str = ""
    attempt: int = 0
    node: str = ""
    sha: str = ""
    at: str = ""
    """When its result was made, ISO 8601 in UTC; empty when not known."""
    held: bool = True
    """Its result can still be read, from the artifact or from the store."""
    differs: tuple[str, ...] = ()
    """Files and row fields in which the planned point is another one now."""
    drift: tuple[str, ...] = ()
    """Shared files that differ from the planned point's."""
    own: tuple[str, ...] = ()
    """Those of them that the pull request itself touches, or touched when this was measured."""


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """What the plan artifact of a run says about the run."""

    pr: int | None
    head_sha: str
    reusable: bool
    """False for ever when a modifier or one-off made the numbers unfit for publication."""
    entry: tuple[str, ...] = ()
    """Fields of the changelog entry, its link apart, that are others now."""


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """One run that results could come from."""

    run: Run
    plan: Recorded | None = None
    """None: made by older tooling, which recorded no plan."""
    points: tuple[Measured, ...] = ()
    in_pull: bool = True
    """Its commit is one of the pull request's."""
    labels: tuple[str, ...] = ()
    """Labels at its creation."""
    expires: str = ""
    """Date on which its artifacts end, when that is near."""
    broken: str = ""
    """Why its plan or ledger is unusable, for good."""
    trouble: str = ""
    """Why GitHub could not tell about it; asking again may help."""


@dataclass(frozen=True, kw_only=True)
class Authorisation:
    """One command of one person, as recorded or as just read."""

    comment: int
    at: str
    """Time of the comment, or of its last edit."""
    author: str
    may: Answer
    runs: tuple[int, ...] = ()
    """Run ids that the command names, or that were chosen when it was handled."""
    withdraw: bool = False
    """`/use none`."""
    accept_changed: bool = False
    may_accept_changed: Answer = Answer.NO
    standing: bool = True
    """The comment is still there, visible, with the same text."""
    chosen: bool = False
    """The run was chosen, not named: it has to be complete and successful."""
    bound: bool = False
    """It was recorded before, with what was missing then."""
    lacking: tuple[Mark, ...] = ()
    """Points without a result that the person was told of."""

    @property
    def valid(self) -> bool:
        """Nothing is missing but results."""
        accepts = not self.accept_changed or self.may_accept_changed == Answer.YES
        return self.standing and self.may == Answer.YES and accepts


@dataclass(frozen=True, kw_only=True)
class SourceFacts:
    """Everything that the decision may look at."""

    repository: str
    default_branch: str
    pr: int
    head_sha: str
    labels: tuple[str, ...] = ()
    """On the pull request now."""
    wanted: tuple[Mark, ...]
    """The pull request's plan at its merge base, every label that only narrows it left out."""
    authorisations: tuple[Authorisation, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    excluded_nodes: tuple[str, ...] = ()
    added_evals: tuple[str, ...] = ()
    """Evals that the target added since the merge base."""
    seen_head: str = ""
    """Head at the time of the comment; empty except while that comment is handled."""
    trouble: str = ""
    """What could not be looked up at all; nothing may rest on the rest."""

    @property
    def current(self) -> Authorisation | None:
        """The newest command of somebody who may, across all its names."""
        valid = [one for one in self.authorisations if one.valid]
        return max(valid, key=lambda one: (one.at, one.comment), default=None)


@dataclass(frozen=True, kw_only=True)
class ReadinessFacts:
    """What the status before the merge is decided from."""

    source: SourceFacts
    sweeping: int | None = None
    """Run of this head that still measures."""
