"""Signoff: what a CODEOWNER's sign-off is judged from, and the closed lists of its answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from infx.facts import Answer
from infx.subject import Subject

PHRASE = "As a PR reviewer and CODEOWNER, I have reviewed this and have"
"""Whoever writes this signs off."""
CONTEXT = "infx/signoff"
"""Name of the commit status."""


class Place(StrEnum):
    """Where a sign-off was written."""

    COMMENT = "comment"
    REVIEW = "review"
    INLINE = "inline"


class Grade(StrEnum):
    """What a check says."""

    PASS = "PASS"
    WARN = "WARN"
    FAIL = "FAIL"
    NA = "N/A"
    HUMAN = "HUMAN"
    """No program can tell; the owner's word is shown."""
    UNKNOWN = "UNKNOWN"
    """It was asked and nobody could tell; never a pass."""


class Kind(StrEnum):
    """What became of one sign-off."""

    PASSED = "passed"
    CARRIED = "carried-forward"
    """Passed on an older head whose diff is the same to the byte."""
    NEW_HEAD = "new-head"
    """The head has another diff than the one that was signed."""
    WITHDRAWN = "withdrawn"
    DELETED_ACCOUNT = "deleted-account"
    TOO_LONG = "too-long"
    EDITED = "edited-by-another"
    """Somebody else changed the words, so they are not the owner's."""
    NOT_AN_OWNER = "not-an-owner"
    NO_SIGNER = "no-signer"
    OTHER_SIGNER = "other-signer"
    """The signer line names somebody else than the account that wrote it."""
    FAILED = "check-failed"
    COULD_NOT_TELL = "could-not-tell"


class Standing(StrEnum):
    """What the status of a head says."""

    NOT_REQUIRED = "not-required"
    WAITING = "waiting"
    PASSED = "passed"
    REJECTED = "rejected"
    NEW_HEAD = "new-head-needs-sign-off"
    COULD_NOT_TELL = "could-not-tell"


GOOD = frozenset({Kind.PASSED, Kind.CARRIED})


@dataclass(frozen=True, kw_only=True)
class Item:
    """One item of the checklist."""

    id: str
    """Stable; the words beside it may change."""
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What the signer says about one item."""

    item: str
    ticked: bool
    reason: str = ""
    """Why it is not ticked."""


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One sign-off as it stands now."""

    place: Place
    id: int
    author: str
    author_id: int = 0
    at: str = ""
    """ISO 8601 in UTC."""
    url: str = ""
    digest: str
    """Of its text, as `handled.text_digest`."""
    length: int = 0
    """Characters of the text."""
    commit: str = ""
    """Head that it was written on, where GitHub or a record tells."""
    stale: bool = False
    """It is older than the push of the head, and nobody looked at it before that."""
    editor: str = ""
    """Who changed its words last, where an event told."""
    signer: str = ""
    """Login in the signer line; empty when there is none."""
    claims: tuple[Claim, ...] = ()

    @property
    def key(self) -> str:
        """`comment 123`."""
        return f"{self.place} {self.id}"


@dataclass(frozen=True, kw_only=True)
class Owned:
    """One touched path that somebody owns."""

    path: str
    pattern: str
    line: int
    """In the CODEOWNERS file."""
    owners: tuple[str, ...]
    catch_all: bool = False


@dataclass(frozen=True, kw_only=True)
class Membership:
    """Whether a login stands behind an owner that is a team or an address."""

    owner: str
    login: str
    answer: Answer


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What one check found."""

    check: str
    grade: Grade
    what: str
    """One line."""
    evidence: tuple[str, ...] = ()
    """Links, numbers, `file:line`."""


@dataclass(frozen=True, kw_only=True)
class Assessed:
    """The record of one verdict. A new one never replaces that of another sign-off or another head."""

    key: str
    """Of the statement."""
    digest: str
    head: str
    """Commit that was assessed."""
    author: str
    kind: Kind
    reason: str
    covers: tuple[str, ...] = ()
    """Patterns of the CODEOWNERS file that it speaks for."""
    at: str = ""
    run: int = 0
    """Workflow run that wrote this."""


@dataclass(frozen=True, kw_only=True)
class SignoffFacts:
    """Everything about one pull request that its sign-offs are judged from."""

    repository: str
    pr: int
    head_sha: str
    base_ref: str
    base_sha: str
    """Tip of the target branch that CODEOWNERS was read at."""
    open: bool = True
    draft: bool = False
    owned: tuple[Owned, ...] = ()
    exempt: tuple[str, ...] = ()
    """Owners whose files need no sign-off: repository admins and the core team."""
    memberships: tuple[Membership, ...] = ()
    faults: tuple[str, ...] = ()
    """Lines of CODEOWNERS that GitHub skips."""
    statements: tuple[Statement, ...] = ()
    assessed: tuple[Assessed, ...] = ()
    """What was recorded before, oldest first."""
    diffs: Mapping[str, str] = field(default_factory=dict)
    """Commit → digest of the pull request's diff against its target there; a commit that is gone has none."""
    template: tuple[Item, ...] = ()
    subject: Subject | None = None
    """What the checks look at; None while no sign-off needs them."""
    trouble: str = ""
    """Why nothing can be told at all."""
