"""Desk: what a command in a comment can see and touch while it is answered."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from infx.command import Command, Form
from infx.edge import store as files
from infx.edge.git import Git
from infx.edge.store import Store
from infx.equal import Mark
from infx.event import Comment, PullRequest
from infx.facts import Answer, PermitFacts, Role
from infx.handled import Accepted, Handled, text_digest
from infx.read import noun
from infx.read.place import At
from infx.rules import Rules
from infx.source import Authorisation
from infx.sources import Sources
from infx.sweeps import GitHub as Runs
from infx.sweeps import Sweep, Sweeps


class GitHub(Runs, Protocol):
    """The part of `infx.edge.github.GitHub` that commands need."""

    def pull(self, number: int) -> PullRequest: ...
    def comments(self, number: int) -> Iterable[Comment]: ...
    def role(self, login: str) -> Role: ...
    def cancel(self, run_id: int) -> bool: ...
    def default_branch(self) -> str: ...
    def statuses(self, sha: str) -> Mapping[str, tuple[str, str]]: ...
    def set_status(self, sha: str, context: str, *, state: str, description: str, url: str = "") -> None: ...
    def dispatch(self, workflow_path: str, ref: str, *, inputs: Mapping[str, str]) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of a command. Lines are Markdown of our own."""

    go: bool
    kind: str
    reason: str
    lines: tuple[str, ...] = ()
    runs: tuple[int, ...] = ()
    withdraw: bool = False
    chosen: bool = False
    accept_changed: bool = False
    accepted: tuple[Accepted, ...] = ()
    lacking: tuple[Mark, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Desk:
    """One pull request, at one moment."""

    github: GitHub
    git: Git
    store: Store
    rules: Rules
    pull: PullRequest
    comments: tuple[Comment, ...] = ()
    """Every comment there is now: a record whose text is gone counts no more."""
    known: dict[tuple[int, int], Sweep] = field(default_factory=dict, repr=False)
    """What runs left, looked at once; a desk made from this one shares it."""

    @cached_property
    def records(self) -> tuple[Handled, ...]:
        """What was handled before, in the order of the records."""
        found = self.store.read(self.file)
        return tuple(noun.read(Handled, At(value, f"{self.file} {key}")) for key, value in found.items())

    @property
    def file(self) -> str:
        return files.authorisations(self.pull.number)

    @cached_property
    def asked(self) -> tuple[Authorisation, ...]:
        """Recorded authorisations; one whose comment was deleted or has other words is withdrawn."""
        words = {one.id: text_digest(one.body) for one in self.comments}
        found = (one.authorisation(standing=words.get(one.comment) == one.digest) for one in self.records)
        return tuple(one for one in found if one)

    @cached_property
    def sources(self) -> Sources:
        return Sources(
            git=self.git,
            rules=self.rules,
            sweeps=Sweeps(self.github, self.rules.layout.sweep_workflow, self.known),
            pull=self.pull,
            default_branch=self.github.default_branch(),
        )

    def may(self, comment: Comment, editor: str, *, needs: str, literal: bool) -> PermitFacts:
        """Who asks, looked up now. `literal`: the association rule may stand for the role."""
        author = replace(
            self.github.role(comment.author), association=comment.association, acted_as=comment.author_id
        )
        other = editor if editor and editor != comment.author else ""
        return PermitFacts(
            person=author,
            needs=needs,
            editor=self.github.role(other) if other else None,
            by_association=literal and self.rules.reuse_authority == "association",
        )


@dataclass(frozen=True, kw_only=True)
class Order:
    """One command of one comment, by somebody who may."""

    command: Command
    comment: Comment
    at: str
    may_accept_changed: Answer = Answer.NO
    forms: tuple[Form, ...] = ()
    """Every command there is, for help."""
