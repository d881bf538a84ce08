"""Desk: what a command in a comment can see and touch while it is answered."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

from infx.command import Command, Form
from infx.edge import archive, artifacts
from infx.edge import store as files
from infx.edge.api import Denied
from infx.edge.git import Git
from infx.edge.store import Store
from infx.equal import Mark
from infx.errors import BadInput, Refused
from infx.event import Comment, PullRequest, Run
from infx.facts import Answer, PermitFacts, Role
from infx.handled import Accepted, Handled, Kind, text_digest
from infx.lineage import seen
from infx.models import Models
from infx.read import noun
from infx.read.place import At
from infx.results.selection import Stageable
from infx.rules import Rules
from infx.source import Authorisation
from infx.source import Kind as Ruled
from infx.sources import Sources
from infx.sweeps import GitHub as Runs
from infx.sweeps import Sweep, Sweeps

AUTHORISATION = "authorisation"
"""Artifact in which a run of the comment workflow keeps what it recorded."""


class GitHub(Runs, Protocol):
    """The part of `infx.edge.github.GitHub` that commands need."""

    def pull(self, number: int) -> PullRequest: ...
    def head(self, number: int) -> str: ...
    def comments(self, number: int, *, since: str = "") -> Iterable[Comment]: ...
    def visible(self, nodes: Sequence[str]) -> Mapping[str, str]: ...
    def written(self, nodes: Sequence[str]) -> Mapping[str, tuple[str, str]]: ...
    def role(self, login: str) -> Role: ...
    def cancel(self, run_id: int) -> bool: ...
    def default_branch(self) -> str: ...
    def statuses(self, sha: str) -> Mapping[str, tuple[str, str]]: ...
    def set_status(self, sha: str, context: str, *, state: str, description: str, url: str = "") -> None: ...


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of a command. Lines are Markdown of our own."""

    go: bool
    kind: Kind | Ruled | Stageable
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
    default_branch: str = ""
    """Asked of GitHub where it is empty."""
    models: Models = field(default_factory=Models)
    """Display names."""
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Of the job that answers: where its API is, and what it may write to elsewhere."""
    page: str = ""
    """Address of the run that answers."""
    now: float = 0.0
    """Unix seconds; 0 where nothing depends on the time."""
    listed: dict[int, tuple[Run, ...]] = field(default_factory=dict, repr=False)
    """Runs of the pull request, where they were listed before."""
    known: dict[tuple[int, int], Sweep] = field(default_factory=dict, repr=False)
    """What runs left, looked at once; a desk made from this one shares it."""

    @cached_property
    def records(self) -> tuple[Handled, ...]:
        """What was handled before, in the order of the records."""
        found = self.view(self.file)
        return tuple(noun.read(Handled, At(value, f"{self.file} {key}")) for key, value in found.items())

    @property
    def file(self) -> str:
        return files.authorisations(self.pull.number)

    @cached_property
    def view(self) -> Callable[[str], Mapping[str, Any]]:
        """The store as it is at this moment."""
        return self.store.view()

    @cached_property
    def asked(self) -> tuple[Authorisation, ...]:
        """Recorded authorisations; one whose comment was deleted, hidden or has other words is withdrawn.
        The newest that stands is also believed only of the workflow that answers commands."""
        recorded = [one for one in self.records if one.authorises]
        texts = self.github.visible([one.node for one in recorded if one.node]) if recorded else {}
        digests = {node: text_digest(text) for node, text in texts.items()}
        found: list[Authorisation] = []
        known = False
        for one in sorted(recorded, key=lambda one: (one.at, one.comment), reverse=True):
            standing = digests.get(one.node) == one.digest and (known or self.wrote(one))
            known = known or standing
            found.append(one.authorisation(standing=standing))
        return tuple(reversed(found))

    def wrote(self, record: Handled) -> bool:
        """The run that a record names is one of the comment workflow, with code of the default branch."""
        try:
            run = self.github.run(record.workflow_run)
        except Denied as no:
            if no.status != 404:
                raise
            return False
        place = (run.path, run.event, run.head_branch)
        if place != (self.rules.layout.comment_workflow, "issue_comment", self.branch):
            return False
        # What a run leaves is there when it has ended, and not before.
        own = self.env.get("GITHUB_RUN_ID") == str(run.id)
        return own or run.status != "completed" or self._kept(record)

    def _kept(self, record: Handled) -> bool:
        """The artifact of the run says the same of the record: only that run can write it, while the branch
        can be pushed to. Artifacts end, and a job that was cut short may leave none: the run has to do."""
        stored = self.github.artifacts(record.workflow_run, name=AUTHORISATION)
        newest = max((one for one in stored if not one.expired), key=lambda one: one.id, default=None)
        if newest is None:
            return True
        where = f"artifact {AUTHORISATION} of run {record.workflow_run}"
        data = self.github.download(newest, limit=artifacts.ZIP_LIMIT)
        try:
            inside = archive.unpack(data, where=where, total=artifacts.DOCUMENT_LIMIT)
            text = inside.get(f"{AUTHORISATION}.json", b"").decode("utf-8", "replace")
            known = At(artifacts.parse(text, where=where), where)["records"].fields()
            return record.key in known and noun.read(Handled, known[record.key]) == record
        except (BadInput, Refused):
            return True

    def handled(self, one: Command, outcome: Outcome, by: "Asking") -> Handled:
        """What the store keeps of one command."""
        comment, editor = by.comment, by.may.editor
        return Handled(
            comment=comment.id,
            node=comment.node,
            digest=text_digest(comment.body),
            line=one.line,
            words=one.words,
            topic=one.topic,
            author=comment.author,
            author_id=comment.author_id,
            editor=by.editor,
            role=_role(by.may.person),
            editor_role=_role(editor) if editor else "",
            at=comment.updated_at or comment.created_at,
            pr=self.pull.number,
            head_sha=self.pull.head_sha,
            go=outcome.go,
            kind=str(outcome.kind),
            reason=outcome.reason,
            lines=outcome.lines,
            runs=outcome.runs,
            withdraw=outcome.withdraw,
            chosen=outcome.chosen,
            accept_changed=outcome.accept_changed,
            accepted=outcome.accepted,
            lacking=outcome.lacking,
            workflow_run=by.run,
        )

    def moved(self, at: str) -> str:
        """Why the head is another one than a person saw who wrote `at` that time; `""` when it is not. It is
        read again just before anything rests on it."""
        now, known = self.github.head(self.pull.number), self.pull.head_sha
        saw = known if now != known else seen(self.sources.sweeps.runs(self.pull), known, at)
        return f"head moved from {saw[:7]} to {now[:7]}, repeat the command" if saw else ""

    def changed_by(self, comment: Comment) -> str | None:
        """Login of who changed the words of a comment last, `""` when nobody did; None when they are others
        by now, or gone, and another event tells of that."""
        words, editor = self.github.written([comment.node]).get(comment.node, ("", ""))
        return editor if text_digest(words) == text_digest(comment.body) else None

    @cached_property
    def branch(self) -> str:
        """The default branch."""
        return self.default_branch or self.github.default_branch()

    @cached_property
    def sources(self) -> Sources:
        return Sources(
            git=self.git,
            rules=self.rules,
            sweeps=Sweeps(
                self.github, self.rules.layout.sweep_workflow, self.known, held=self.view, listed=self.listed
            ),
            pull=self.pull,
            default_branch=self.branch,
            now=self.now,
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
class Asking:
    """Who asks for a command, as it is recorded."""

    comment: Comment
    editor: str
    """Who edited it; `""` when its text is the first."""
    may: PermitFacts
    run: int
    """Workflow run that answers."""


def _role(person: Role) -> str:
    return person.role_name or person.permission or ""


@dataclass(frozen=True, kw_only=True)
class Order:
    """One command of one comment, by somebody who may."""

    command: Command
    comment: Comment
    at: str
    may_accept_changed: Answer = Answer.NO
    forms: tuple[Form, ...] = ()
    """Every command there is, for help."""

    def asking(self, runs: tuple[int, ...], *, accept_changed: bool = False) -> Authorisation:
        """What the command would authorise if it named these runs."""
        return Authorisation(
            comment=self.comment.id,
            at=self.at,
            author=self.comment.author,
            may=Answer.YES,
            runs=runs,
            accept_changed=accept_changed,
            may_accept_changed=self.may_accept_changed,
        )
