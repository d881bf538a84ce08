"""Signing: the facts of a pull request's sign-offs, from GitHub, git and earlier verdicts."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from infx.assessment import Findings, outstanding
from infx.checks import Sheet, findings
from infx.decision import Decision
from infx.desk import Desk
from infx.edge import archive, artifacts, patch, remarks
from infx.edge.api import Api
from infx.edge.github import GitHub
from infx.edge.teams import Members, app_api
from infx.edge.world import World
from infx.errors import BadInput
from infx.event import Remark
from infx.evidence import Evidence
from infx.handled import text_digest
from infx.ownership import required
from infx.policy import signoff
from infx.read import checklist, noun
from infx.read.place import At
from infx.read.teams import teams
from infx.rules import Rules
from infx.scope import glance, tip
from infx.signoff import CONTEXT, Assessed, Item, Membership, Place, SignoffFacts, Statement

NEWEST = 3
"""Artifacts with earlier verdicts that are read: of runs at the same time one may not know the other's."""
LIMIT = 4 * 1024 * 1024
"""Bytes of one such artifact, unpacked."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """What an event says about one remark, and no later look can find out."""

    key: str = ""
    editor: str = ""
    edited: bool = False
    named: bool = False
    """A person gave its address, nothing happened to it."""


@dataclass(frozen=True, kw_only=True)
class Office:
    """One pull request with everything about its sign-offs."""

    desk: Desk
    github: GitHub
    server: str
    app: Api | None = None
    """Reads team members."""
    told: Told = field(default_factory=Told)

    @cached_property
    def facts(self) -> SignoffFacts:
        """Everything but the subject, which costs more and is made only where a sign-off needs it."""
        first = glance(self.github, self.desk.git, self.desk.rules, self.desk.pull)
        if not first.open or first.draft or first.trouble or not required(first):
            return replace(first, assessed=self.assessed if first.open else ())
        statements = tuple(self.statements)
        return replace(
            first,
            template=self.template,
            statements=statements,
            assessed=self.assessed,
            memberships=tuple(self.memberships(first, statements)),
            diffs=self.diffs(first, statements),
        )

    @cached_property
    def whole(self) -> SignoffFacts:
        """With the subject, where a sign-off asks for it."""
        if not outstanding(self.facts):
            return self.facts
        evidence = Evidence(
            desk=self.desk,
            github=self.github,
            about=remarks.about(self.github, self.desk.pull.number),
            target=self.facts.base_sha,
            server=self.server,
        )
        return replace(self.facts, subject=evidence.subject())

    @cached_property
    def template(self) -> tuple[Item, ...]:
        """The checklist of the target."""
        path = self.desk.rules.layout.path(self.desk.rules.layout.checklist)
        data = self.desk.git.show(tip(self.desk.git, self.desk.pull.base_ref), path)
        if data is None:
            raise BadInput(f"the target has no {path}", todo="add the checklist")
        return checklist.template(data.decode("utf-8", "replace"), where=path)

    @cached_property
    def remarks(self) -> tuple[Remark, ...]:
        """Everything that was said in the pull request."""
        return remarks.remarks(self.github, self.desk.pull.number)

    @cached_property
    def signed(self) -> tuple[Remark, ...]:
        """Remarks of people that sign off. A bot's words, and those of a dismissed review, are none."""
        said = (one for one in self.remarks if not (one.bot or one.dismissed))
        return tuple(one for one in said if checklist.is_signoff(one.body))

    @cached_property
    def editors(self) -> Mapping[str, str]:
        """Node of each sign-off whose words somebody changed → who did so last. An event that tells of it may
        come later than another look at the same words, or never."""
        nodes = [one.node for one in self.signed if one.node]
        return {node: editor for node, (_, editor) in self.github.written(nodes).items()} if nodes else {}

    @property
    def statements(self) -> Iterator[Statement]:
        """What the sign-offs say."""
        since = ""
        for one in self.signed:
            made = self.statement(one)
            if not made.commit and not self.recorded(made):
                since = since or remarks.head_since(self.github, self.desk.pull.head_sha, CONTEXT)
                made = replace(made, stale=bool(since) and one.at < since)
            yield made

    def statement(self, one: Remark) -> Statement:
        said = checklist.read(one.body, self.template)
        mine = self.told.key == f"{one.place} {one.id}"
        # Whoever changes a review looks at the head of that moment.
        commit = self.desk.pull.head_sha if mine and self.told.edited else one.commit
        return Statement(
            place=Place(one.place),
            id=one.id,
            author=one.author,
            author_id=one.author_id,
            at=one.at,
            url=one.url,
            digest=text_digest(one.body),
            length=len(one.body),
            commit=commit,
            editor=self.editors.get(one.node) or (self.told.editor if mine else ""),
            signer=said.signer,
            claims=said.claims,
        )

    def shows(self, mark: str) -> bool:
        """A comment of the bot with this mark stands in the conversation."""
        bots = {self.github.login(), *self.desk.rules.former_bots}
        return any(one.author in bots and one.body.startswith(mark) for one in self.remarks)

    def recorded(self, one: Statement) -> bool:
        return any((old.key, old.digest) == (one.key, one.digest) for old in self.assessed)

    @cached_property
    def assessed(self) -> tuple[Assessed, ...]:
        """Earlier verdicts, from the newest artifacts of the sign-off workflow's own runs."""
        name, found = artifact(self.desk.pull.number), {}
        layout, branch = self.desk.rules.layout, self.github.default_branch()
        for one in reversed(self.github.artifacts_named(name, newest=NEWEST)):
            if one.expired:
                continue
            run = self.github.run(one.run_id)
            if run.path != layout.signoff_workflow or run.head_branch != branch:
                continue
            data = archive.unpack(self.github.download(one, limit=LIMIT), where=name, total=LIMIT)
            for old in read_assessed(data.get("signoff.json", b"[]"), where=name):
                found[(old.key, old.digest, old.head, old.kind, old.run)] = old
        return tuple(sorted(found.values(), key=lambda old: (old.at, old.run)))

    def memberships(self, facts: SignoffFacts, statements: Sequence[Statement]) -> Iterator[Membership]:
        """Of every owner that is no person, for everybody who signed."""
        names = dict.fromkeys(
            owner
            for one in required(facts)
            for owner in one.owners
            if "/" in owner or not owner.startswith("@")
        )
        for login in dict.fromkeys(one.author for one in statements):
            for owner in names:
                yield Membership(owner=owner, login=login, answer=self.members.answer(owner, login))

    @cached_property
    def members(self) -> Members:
        path = self.desk.rules.layout.path(self.desk.rules.layout.teams)
        data = self.desk.git.show(self.facts_target, path)
        listed = teams(data or b"", where=path)
        return Members(listed=listed, api=self.app)

    @property
    def facts_target(self) -> str:
        return tip(self.desk.git, self.desk.pull.base_ref)

    def diffs(self, facts: SignoffFacts, statements: Sequence[Statement]) -> Mapping[str, str]:
        """Of the head, and of every older commit that a sign-off was for."""
        heads = {old.head for old in self.assessed if any(old.key == one.key for one in statements)}
        heads |= {one.commit for one in statements if one.commit}
        older = heads - {facts.head_sha}
        asked = sorted({*older, facts.head_sha}) if older else []
        return {sha: patch.digest(self.desk.git, facts.base_sha, sha) for sha in asked}


def office(github: GitHub, rules: Rules, world: World, number: int, told: Told | None = None) -> Office:
    """The office of one pull request, as a workflow's environment has it."""
    from infx.status import desk_of  # late: explaining from a document needs neither git nor GitHub

    return Office(
        desk=desk_of(github, rules, world, number),
        github=github,
        server=world.env.get("GITHUB_SERVER_URL", "https://github.com"),
        app=app_api(world.env),
        told=told or Told(),
    )


def artifact(number: int) -> str:
    """Name of the artifact that keeps the verdicts of one pull request."""
    return f"signoff-{number:d}"


def read_assessed(data: bytes, *, where: str) -> tuple[Assessed, ...]:
    """Records of a verdict artifact. BadInput when it is none."""
    value = artifacts.parse(data.decode("utf-8", "replace"), where=where)
    return tuple(noun.read(Assessed, one) for one in At(value, where).items())


def write_assessed(found: Sequence[Assessed]) -> str:
    return json.dumps([noun.write(one) for one in found], indent=1)


def judged(facts: SignoffFacts) -> Findings:
    """What the checks say about every sign-off that needs them."""
    if facts.subject is None:
        return {}
    sheets = {one.key: Sheet(template=facts.template, statement=one) for one in outstanding(facts)}
    return {key: findings(facts.subject, sheet) for key, sheet in sheets.items()}


def decide(facts: SignoffFacts, rules: Rules) -> Decision:
    """The decision from the facts alone, checks included."""
    return signoff.decide(facts, judged(facts), rules)
