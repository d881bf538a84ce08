"""`infx job comment`: answers the commands in a pull request's comments, each exactly once."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from infx import staging
from infx.blocked import tell_reuse
from infx.command import Command, Commands, Form
from infx.commands import ANSWERS, FORMS
from infx.desk import AUTHORISATION, Asking, Desk, Order, Outcome
from infx.edge import files, gha, settings
from infx.edge.github import connect
from infx.edge.world import World
from infx.errors import CouldNotTell, InfxError, Refused
from infx.event import Comment
from infx.facts import Answer, PermitFacts
from infx.handled import REUSE, Handled, Kind, key, text_digest
from infx.policy import permit
from infx.read import command, noun, rest
from infx.read.place import At
from infx.say import reply
from infx.status import desk_of, show

EXAMPLE = """example:
  GITHUB_EVENT_PATH=issue_comment.json GITHUB_TOKEN=… infx job comment"""
RECENT_S = 24 * 3600
"""Older comments than this before the event's are history, not lost commands."""
UP, DOWN = "+1", "-1"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE


def run(args: argparse.Namespace, world: World) -> int:
    """0 also when a command was refused: the answer is in the conversation. 3 when nobody could tell.
    A dispatch is the answer of the other repository to what was staged there."""
    event = At(gha.event(world), "event")
    if not event["inputs"].absent:
        return staging.answered(event["inputs"], world)
    if event["issue"]["pull_request"].absent:
        world.say("not a pull request")
        return 0
    rules = settings.load(world.cwd)
    branch = event["repository"]["default_branch"].text("")
    number = event["issue"]["number"].integer()
    desk = desk_of(connect(world.env), rules, world, number, default_branch=branch)
    clerk = Clerk(
        world=world,
        desk=replace(desk, page=page(desk, gha.number(world.env, "GITHUB_RUN_ID", 0))),
        event=rest.comment(event["comment"]),
        editor=event["sender"]["login"].text("") if event["action"].text() == "edited" else "",
    )
    return clerk.work()


def page(desk: Desk, run: int) -> str:
    """Address of the run at hand; `""` where GitHub does not tell."""
    try:
        return desk.github.run(run).url if run else ""
    except (Refused, CouldNotTell):
        return ""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One comment with commands that nobody has answered yet, or of whose answer nobody was told."""

    comment: Comment
    editor: str
    """Who edited it; `""` when its text is the first."""
    said: Commands
    known: Mapping[int, Handled | None]
    """Line of each command → what came of it before."""


class Clerk:
    """One wake-up: every command that was not answered yet, in the order of the comments."""

    def __init__(self, *, world: World, desk: Desk, event: Comment, editor: str) -> None:
        self.world, self.desk, self.event, self.editor = world, desk, event, editor
        self.github: Any = desk.github
        self.code = 0
        self.kept: dict[str, Any] = {}
        self.replies: dict[int, Comment] = {}
        """Comment → the reply to it; one run after the other answers, so that nobody else writes one."""

    def work(self) -> int:
        answered: set[int] = set()
        for asked in list(self.waiting()):
            self.answer(asked)
            answered.add(asked.comment.id)
            # Looked up anew: what was just recorded counts for the next command.
            self.desk = replace(self.desk, listed={})
        gha.reported(self.world, lambda: staging.resumed(self.github, self.desk, without=answered))
        gha.reported(self.world, self.ready)
        return self.code

    def waiting(self) -> Iterator[Asked]:
        """A group of runs keeps only one waiting, so a run that was dropped left its comment to this one."""
        done = {record.key: record for record in self.desk.records}
        recent = list(self.github.comments(self.desk.pull.number, since=self._horizon))
        self.replied(recent)
        for comment in sorted(recent, key=lambda one: (one.created_at, one.id)):
            own = comment.id == self.event.id
            if not own and not self._recent(comment):
                continue
            said, mark = command.read(comment, FORMS), text_digest(comment.body)
            found = {one.line: done.get(key(comment.id, mark, one.line)) for one in said.effective}
            asked = Asked(comment=comment, editor="", said=said, known=found)
            if None in found.values():
                editor = self.changed_by(comment)
                if editor is not None:
                    yield replace(asked, editor=editor)
            elif (own and said.mistakes) or self.untold(asked):
                yield asked

    def changed_by(self, comment: Comment) -> str | None:
        """Who wrote the words as they are now, as `Desk.changed_by`. The event tells it of its own words
        only, which somebody else may have changed since."""
        own = comment.id == self.event.id and text_digest(comment.body) == text_digest(self.event.body)
        return self.editor if own else self.desk.changed_by(comment)

    def untold(self, asked: Asked) -> bool:
        """Everything is decided, but the reply or the reaction could not be written."""
        records = [one for one in asked.known.values() if one]
        if not records:
            return False
        told, seen = self.replies.get(asked.comment.id), asked.comment.reactions
        wanted = UP if all(one.go for one in records) else DOWN
        return told is None or reply.WORKING in told.body or (seen is not None and wanted not in seen)

    def replied(self, recent: Sequence[Comment]) -> None:
        """Find the replies that are there: none is older than what it replies to."""
        mine = [one for one in recent if one.author == self.github.login()]
        marks = {reply.mark(one.id): one.id for one in recent}
        for one in mine:
            of = marks.get(one.body.partition("\n")[0])
            if of is not None:
                self.replies.setdefault(of, one)

    @property
    def _horizon(self) -> str:
        """The time from which on comments are looked through: a full hour, so that the question is the same
        when it is asked again."""
        try:
            then = datetime.fromisoformat(self.event.created_at).timestamp() // 3600 * 3600 - RECENT_S
        except ValueError:
            return ""
        return f"{datetime.fromtimestamp(then, UTC):%Y-%m-%dT%H:%M:%SZ}"

    def _recent(self, comment: Comment) -> bool:
        try:
            then, now = (datetime.fromisoformat(one.created_at) for one in (comment, self.event))
        except ValueError:
            return False
        return abs((now - then).total_seconds()) <= RECENT_S

    def answer(self, asked: Asked) -> None:
        """Decide, record, then tell: what could not be told stands all the same."""
        results = [(one, asked.known[one.line] or self.decided(asked, one)) for one in asked.said.effective]
        parts = [self.part(asked, one, outcome) for one, outcome in results]
        more = [*reply.mistakes(asked.said.mistakes), *reply.superseded(asked.said)]
        good = bool(results) and all(outcome.go for _, outcome in results)
        head = next((one.head_sha for one in asked.known.values() if one), self.desk.pull.head_sha)
        gha.reported(self.world, lambda: self.tell(asked.comment, [*parts, *more], head=head))
        gha.reported(self.world, lambda: self.react(asked.comment, good=good))
        gha.reported(self.world, lambda: staging.caught_up(self.github, self.desk, asked.comment.id))

    def decided(self, asked: Asked, one: Command) -> Outcome:
        """The outcome of one command, recorded before anybody is told of it."""
        asking = self.may(asked, self.needs(one), literal=one.topic == REUSE)
        outcome = self.barred(asking)
        if outcome is None:
            if self.form(one).stages:
                waiting, head = reply.working(asked.comment.author, one.text), self.desk.pull.head_sha
                gha.reported(self.world, lambda: self.tell(asked.comment, [waiting], head=head))
            outcome = self.applied(asked, one)
        if outcome.kind == Kind.COULD_NOT_TELL:
            self.code = self.code or CouldNotTell.exit_code
            return outcome
        by = Asking(comment=asked.comment, editor=asked.editor, may=asking, run=self.run)
        record = self.desk.handled(one, outcome, by)
        lines = {self.desk.file: {record.key: noun.write(record)}}
        self.desk.store.put(lines, why=f"{one.words} on #{self.desk.pull.number}")
        self.keep(record)
        return outcome

    @property
    def run(self) -> int:
        """The workflow run at hand."""
        return int(self.world.env.get("GITHUB_RUN_ID", "0"))

    def keep(self, record: Handled) -> None:
        """The record also as an artifact of this run, against which readers hold what the store says; those
        of an earlier attempt too, whose artifact this one replaces."""
        for one in (*self.desk.records, record):
            if one.workflow_run == self.run:
                self.kept[one.key] = noun.write(one)
        path = self.world.cwd / "infx-out" / AUTHORISATION / f"{AUTHORISATION}.json"
        files.write_json(path, {"records": self.kept})

    def barred(self, asking: PermitFacts) -> Outcome | None:
        """None when author and editor may."""
        decision = permit.decide(asking, self.desk.rules)
        if decision.go:
            return None
        kind = Kind.COULD_NOT_TELL if decision.kind == Answer.UNKNOWN else Kind.NOT_ALLOWED
        return Outcome(go=False, kind=kind, reason=decision.reason)

    def needs(self, one: Command) -> str:
        form = self.form(one)
        order = permit.ORDER
        asked = self.desk.rules.command_authority if form.role == "write" else form.role
        return max(form.role, asked, key=order.index)

    def form(self, one: Command) -> Form:
        return next(form for form in FORMS if form.words == one.words)

    def may(self, asked: Asked, needs: str, *, literal: bool) -> PermitFacts:
        return self.desk.may(asked.comment, asked.editor, needs=needs, literal=literal)

    def applied(self, asked: Asked, one: Command) -> Outcome:
        grant = Answer.NO
        if one.flags:
            facts = self.may(asked, self.desk.rules.grant_authority, literal=False)
            grant = Answer(permit.decide(facts, self.desk.rules).kind)
        order = Order(
            command=one,
            comment=asked.comment,
            at=asked.comment.updated_at or asked.comment.created_at,
            may_accept_changed=grant,
            forms=FORMS,
        )
        try:
            return ANSWERS[one.words](self.desk, order)
        except InfxError as problem:
            self.code = self.code or problem.exit_code
            return Outcome(go=False, kind=Kind.COULD_NOT_TELL, reason=f"could not tell: {problem.what}")

    def part(self, asked: Asked, one: Command, outcome: Outcome | Handled) -> str:
        gha.untrusted(self.world, f"{one.text}: {outcome.kind}: {outcome.reason}")
        word = "done" if outcome.go else "not done"
        verdict = f"{word}, {outcome.kind}: {reply.plain_text(outcome.reason)}"
        more = () if outcome.go else reply.repair(str(outcome.kind))
        return reply.part(asked.comment.author, one.text, verdict, [*outcome.lines, *more])

    def tell(self, comment: Comment, parts: Sequence[str], *, head: str) -> None:
        """One reply, edited in place."""
        body = reply.whole(comment.id, parts, head=head)
        known = self.replies.get(comment.id)
        if known is not None and known.body == body:
            return
        written = self.github.edit_comment(known.id, body) if known is not None else None
        if written is None:
            login = self.github.login()
            written = self.github.create_comment(
                self.desk.pull.number, body, mark=reply.mark(comment.id), login=login
            )
        self.replies[comment.id] = written

    def react(self, comment: Comment, *, good: bool) -> None:
        """One reaction: the bot's own older one goes, people's stay."""
        new, old = (UP, DOWN) if good else (DOWN, UP)
        if comment.reactions is None or old in comment.reactions:
            self.github.unreact(comment.id, old, self.github.login())
        self.github.react(comment.id, new)

    def ready(self) -> None:
        """The status before the merge, and what of it still blocks."""
        answer, order = show(self.desk), gha.run_order(self.world.env)
        tell_reuse(self.github, self.desk.pull, answer, order=order, rules=self.desk.rules)
