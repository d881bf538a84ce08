"""Conversation: what control says in a pull request: welcome, package notice, and its parts of the status."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from infx.blocker import Blocker, Topic
from infx.decision import Decision
from infx.description import DescriptionFacts
from infx.edge import sticky
from infx.edge.checks import Checks
from infx.edge.git import Git
from infx.edge.github import FILES_LIMIT, GitHub
from infx.errors import CouldNotTell, InfxError
from infx.event import FileChange, PullRequest, Review
from infx.matrix.changed import Change
from infx.matrix.preview import Preview
from infx.owners import Owners
from infx.policy import blocking, description, touched
from infx.policy.changelog import Kind as Gate
from infx.read import description as written
from infx.rules import Rules
from infx.say import blocking as says
from infx.say import comment, hints, life, notice, preview, welcome
from infx.scope import owners_at
from infx.touched import Changed, Size

T = TypeVar("T")
GREETED = frozenset({"opened", "reopened", "ready_for_review"})
"""Actions after which the welcome is there."""
DOCS = "docs/labels.md"
"""A repository that has this page has the others as well."""


@dataclass(frozen=True, kw_only=True)
class Spoken:
    """What control knows of one event."""

    action: str
    pull: PullRequest
    """As it is now, or as the event showed it."""
    order: tuple[int, ...]
    """Run id and attempt of the control workflow."""
    decision: Decision
    """Of the event; the gate's where the gate refused."""
    preview: Preview | None = None
    readiness: Decision | None = None
    """The status before the merge, where it was decided."""
    signed: tuple[str, str] | None = None
    """State and text of the sign-off's status, where it was just written."""
    body: str | None = None
    """Text of the pull request; None: not known."""
    moment: int = 0
    """Unix seconds now."""
    planned: bool = True
    """The plan is worth showing."""
    since: str = ""
    """Time after which the status comment was probably changed."""
    whole: bool = False
    """Look for copies in the whole conversation."""
    moved: Sequence[Change] | None = None
    """What the push changed of what would run; None when it cannot be compared with the head before."""
    before: str = ""
    """That head."""


@dataclass(frozen=True)
class Conversation:
    """One pull request's conversation."""

    github: GitHub
    git: Git
    rules: Rules
    root: Path
    """Work tree of the default branch."""
    pages: str = ""
    """Address of the default branch's files on the web."""

    def show(self, spoken: Spoken) -> None:
        """Write what changed, with one listing. CouldNotReport when that fails."""
        talk = Talk(self, spoken)
        noticed: list[bool] = []

        def render(old: str) -> str:
            noticed.append(notice.ELSEWHERE in old)
            return comment.compose(old, *talk.sections)

        # A push has fifteen requests for all that it starts.
        patience = sticky.ONCE if spoken.action == "synchronize" else sticky.Patience()
        status = sticky.Topic(mark=comment.STATUS, render=render, patience=patience)
        topics, former = [*talk.topics, status], self.rules.former_bots
        sticky.put_all(
            self.github, spoken.pull.number, topics, since=spoken.since, whole=spoken.whole, former=former
        )
        if talk.size is not None and talk.size.zero and any(noticed):
            sticky.remove(self.github, spoken.pull.number, notice.MARK, former=former)


class Talk:
    """What there is to say about one event."""

    def __init__(self, place: Conversation, spoken: Spoken) -> None:
        self.place, self.spoken, self.rules = place, spoken, place.rules
        self.pull = spoken.pull

    @cached_property
    def topics(self) -> list[sticky.Topic]:
        """Comments of their own; none when the repository wants it quiet."""
        if self.rules.quiet:
            return []
        found = []
        if self.welcome is not None:
            greeting = welcome.body(self.welcome)
            found.append(sticky.Topic(mark=welcome.MARK, render=lambda old: greeting))
        if self.size is not None and not self.size.zero:
            told = notice.body(self.size)
            found.append(sticky.Topic(mark=notice.MARK, render=lambda old: told))
        return found

    @cached_property
    def sections(self) -> list[comment.Section]:
        """Parts of the status comment."""
        head, order = self.pull.head_sha, self.spoken.order
        found = list(self._plan())
        for topic, blockers in self.blockers:
            found += says.sections(topic, blockers, head=head, order=order, notes=self._notes(topic))
        if self.spoken.body is not None:
            advice = description.advise(self.described(self.spoken.body), self.rules)
            guarded = touched.guarded(self.changed, self.rules.guarded_paths) if self.changed else ()
            found.append(hints.section(advice, guarded, head=head, order=order))
        if self.size is not None:
            found.append(notice.section(self.size, head=head, order=order, quiet=self.rules.quiet))
        if self.rules.quiet and self.welcome is not None:
            found.append(welcome.section(self.welcome, head=head, order=order))
        return found

    def _plan(self) -> Iterator[comment.Section]:
        if self.spoken.planned:
            planned = preview.Planned(
                head=self.pull.head_sha,
                order=self.spoken.order,
                decision=self.spoken.decision,
                preview=self.spoken.preview,
                moved=self.spoken.moved,
                since=self.spoken.before,
            )
            yield preview.section(planned)
            # Whatever kept a sweep from living was of an earlier moment.
            yield life.section(None, head=self.pull.head_sha, moment=self.spoken.moment)

    @cached_property
    def blockers(self) -> list[tuple[Topic, Sequence[Blocker]]]:
        """Of every topic that this event tells about."""
        decision, shown = self.spoken.decision, self.spoken.preview
        found: list[tuple[Topic, Sequence[Blocker]]] = [
            (Topic.PULL, blocking.of_pull(self.pull, behind=self.behind))
        ]
        if self.spoken.planned:
            points = shown.throughput + shown.evals if shown else 0
            found += [
                (Topic.GATE, blocking.of_gate(decision)),
                (Topic.SWEEP, blocking.of_sweep(decision, points=points)),
            ]
        if self.spoken.readiness is not None:
            found.append((Topic.REUSE, blocking.of_reuse(self.spoken.readiness)))
        if self.spoken.signed is not None:
            state, text = self.spoken.signed
            required = self.rules.signoff == "required"
            found.append((Topic.SIGNOFF, blocking.of_signoff(state, text, required=required)))
        bots, author = self.rules.review_bots, self.pull.author
        # A push changes no vote; what bots said of older commits is not covered any more.
        if self.spoken.action not in ("opened", "synchronize") or (bots and self.spoken.action != "opened"):
            found.append((Topic.REVIEWS, blocking.of_reviews(self.reviews, author=author, bots=bots)))
        return found

    def _notes(self, topic: Topic) -> list[str]:
        if topic != Topic.REVIEWS:
            return []
        bots, head = self.rules.review_bots, self.pull.head_sha
        return says.uncovered(blocking.uncovered(self.reviews, bots=bots, head=head))

    @cached_property
    def reviews(self) -> list[Review]:
        return Checks(self.place.github).reviews(self.pull.number)

    @cached_property
    def behind(self) -> int:
        """Commits of the target that the branch lacks; 0 when git cannot tell."""
        span = f"{self.pull.head_sha}..{self.pull.base_sha}"
        return int(self._tried(lambda: self.place.git("rev-list", "--count", span)) or 0)

    @cached_property
    def changed(self) -> Changed | None:
        """Changed paths by git, which costs no request; None when it cannot tell."""
        git, pull = self.place.git, self.pull
        paths = self._tried(
            lambda: git.changed_files(git.merge_base(pull.base_sha, pull.head_sha), pull.head_sha)
        )
        if paths is None:
            return None
        return Changed(files=tuple(FileChange(path=path, status="modified") for path in paths))

    @cached_property
    def size(self) -> Size | None:
        """Of the change to the package; GitHub is asked for its lines only when there are any."""
        if not self.spoken.planned and self.spoken.action not in GREETED:
            return None
        layout = self.rules.layout
        folder = layout.path(layout.package)
        if self.changed is not None and not any(touched.inside(one, folder) for one in self.changed.paths):
            return Size(folder=folder, added=0, removed=0)
        try:
            files = tuple(self.place.github.pull_files(self.pull.number, capped=True))
        except CouldNotTell:
            return None
        found = Changed(files=files, capped=len(files) >= FILES_LIMIT)
        return touched.package(found, layout, fork=self.pull.fork)

    @cached_property
    def welcome(self) -> welcome.Welcome | None:
        """None for events and changes that it is not for."""
        paths = touched.recipes(self.changed, self.rules) if self.changed else ()
        if self.spoken.action not in GREETED or not paths:
            return None
        layout = self.rules.layout
        checklist = layout.path(layout.checklist)
        return welcome.Welcome(
            owners=touched.ask(paths, self._owners(), core=self.rules.core_team),
            paths=len(paths),
            labels=self.rules.labels,
            fork=self.pull.fork,
            contact=layout.contact,
            checklist=checklist if (self.place.root / checklist).exists() else "",
            docs=f"{self.place.pages}/docs" if (self.place.root / DOCS).exists() and self.place.pages else "",
        )

    def _owners(self) -> Callable[[str], Sequence[str]]:
        """By the CODEOWNERS file of the target at the commit that the event named."""
        found = self._tried(lambda: owners_at(self.place.git, self.pull.base_sha))
        return (found or Owners()).of

    def described(self, body: str) -> DescriptionFacts:
        """The description beside what is known."""
        shown, decision, changed = self.spoken.preview, self.spoken.decision, self.changed
        entry: bool | None = None
        keys = bool(shown.keys) if shown else None
        if decision.kind == Gate.CHANGED_WITHOUT_ENTRY:
            keys, entry = True, False
        elif shown is not None and changed is not None:
            entry = self.rules.layout.path(self.rules.layout.changelog) in changed.paths
        documents = touched.documents(changed) if changed else ()
        answer = self.spoken.readiness
        return DescriptionFacts(
            said=written.read(body),
            keys=keys,
            entry=entry,
            primaries=len(self.rules.labels.primaries_on(self.pull.labels)),
            fork=self.pull.fork,
            ready=answer.go if answer else None,
            configs=bool(touched.recipes(changed, self.rules)) if changed else None,
            docs=bool(documents) if changed else None,
            only_docs=bool(changed and documents and len(documents) == len(changed.paths)),
        )

    def _tried(self, ask: Callable[[], T]) -> T | None:
        """None where git cannot tell: a conversation is not worth failing for."""
        try:
            return ask()
        except InfxError:
            return None
