"""Handled: the one outcome of one command, as the store of record keeps it."""

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from infx.equal import Mark
from infx.facts import Answer
from infx.source import Authorisation

REUSE = "reuse"
"""Topic of the commands that say whose results stand."""


class Kind(StrEnum):
    """How a command ends that says nothing about a source; `infx.source.Kind` has the rest, and
    `infx.results.selection.Stageable` why a run cannot be shown."""

    NOT_ALLOWED = "not-allowed"
    COULD_NOT_TELL = "could-not-tell"
    """Nothing is recorded, and the next wake-up tries again."""
    WITHDRAWN = "withdrawn"
    PAUSED = "paused"
    NOTHING_MISSING = "nothing-missing"
    NO_LABEL = "no-label"
    RESUMED = "resumed"
    NOTHING_ACTIVE = "nothing-active"
    CANCELLED = "cancelled"
    STATUS = "status"
    HELP = "help"
    FOREIGN_RUN = "foreign-run"
    NOT_STAGED = "not-staged"
    STAGED = "staged"


@dataclass(frozen=True, kw_only=True)
class Accepted:
    """One point that was authorised, and where its result comes from."""

    mark: Mark
    """The planned point, with the fingerprint that it had then."""
    run: int
    attempt: int
    sha: str
    node: str
    match: str


@dataclass(frozen=True, kw_only=True)
class Handled:
    """Who said what about which head, and what came of it."""

    comment: int
    node: str = ""
    """The comment's id in GraphQL, by which it is read again."""
    digest: str
    """Digest of the comment's text."""
    line: int
    words: str
    topic: str
    author: str
    author_id: int
    editor: str = ""
    role: str = ""
    """What the author's live role was."""
    editor_role: str = ""
    """And that of whoever edited the comment, if somebody did."""
    at: str
    """Time of the comment, or of its last edit, ISO 8601 in UTC."""
    pr: int
    head_sha: str
    """Head of the pull request when the command was handled."""
    go: bool
    kind: str
    """A word of `Kind`, `infx.source.Kind` or `Stageable`; older records may have another."""
    reason: str
    lines: tuple[str, ...] = ()
    """What the reply says besides, Markdown of our own."""
    runs: tuple[int, ...] = ()
    """Runs that are used; the chosen one where the command names none."""
    withdraw: bool = False
    chosen: bool = False
    accept_changed: bool = False
    accepted: tuple[Accepted, ...] = ()
    lacking: tuple[Mark, ...] = ()
    workflow_run: int = 0
    """Run of the comment workflow that wrote this."""

    @property
    def key(self) -> str:
        """Natural key: the same text of the same comment is handled once."""
        return key(self.comment, self.digest, self.line)

    @property
    def authorises(self) -> bool:
        """It says whose results stand, or that none do."""
        return self.topic == REUSE and self.go

    def authorisation(self, *, standing: bool) -> Authorisation:
        """What the record is for `resolve source`, if it `authorises`."""
        return Authorisation(
            comment=self.comment,
            at=self.at,
            author=self.author,
            may=Answer.YES,
            runs=self.runs,
            withdraw=self.withdraw,
            accept_changed=self.accept_changed,
            may_accept_changed=Answer.YES,
            standing=standing,
            chosen=self.chosen,
            bound=True,
            lacking=self.lacking,
        )


def key(comment: int, text_digest: str, line: int) -> str:
    return f"{comment} {text_digest} {line}"


def text_digest(body: str) -> str:
    """First 16 hex digits of the text's SHA-256; line ends count as one kind, for GitHub changes them."""
    return sha256(body.replace("\r\n", "\n").encode("utf-8", "surrogatepass")).hexdigest()[:16]
