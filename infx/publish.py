"""Publish: what landed on the target branch becomes rows in the store of record, each exactly once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from infx.decision import Decision
from infx.desk import Desk
from infx.edge import landed, remote
from infx.edge import store as files
from infx.edge.api import Denied
from infx.edge.checkout import added_entries
from infx.edge.git import Git
from infx.edge.github import GitHub, connect
from infx.edge.merges import Merges
from infx.edge.store import Store, Value, access
from infx.edge.world import World
from infx.entry import Entry
from infx.errors import BadInput, CouldNotTell, InfxError
from infx.event import PullRequest
from infx.landing import Landing, PublishFacts, Result
from infx.policy import publishing, source
from infx.policy.publishing import Kind
from infx.publication import Publication
from infx.rules import Rules
from infx.source import Kind as SourceKind
from infx.source import SourceFacts
from infx.status import desk_of

Group = tuple[str, int | None, tuple[Landing, ...]]
"""Commit, pull request, and the entries of that pull request which landed with that commit."""


EVENT = "infx-publish"
"""Type of the `repository_dispatch` that another repository gets."""
UNTOLD = SourceKind.COULD_NOT_TELL


@dataclass(frozen=True, kw_only=True)
class Looked:
    """One pull request that landed, with everything that was decided from."""

    facts: PublishFacts
    source: SourceFacts


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one pull request that landed."""

    commit: str
    decision: Decision
    entries: tuple[Landing, ...]
    rows: tuple[Publication, ...] = ()
    looked: Looked | None = None
    added: int = 0
    """Rows that were not in the store before."""


@dataclass(frozen=True, kw_only=True)
class Publisher:
    """One repository, its store, and where its pull requests are."""

    world: World
    github: GitHub
    git: Git
    rules: Rules
    store: Store
    pulls: str
    """`https://github.com/o/r/pull`."""
    known: dict[int, PullRequest | None] = field(default_factory=dict, repr=False)

    @cached_property
    def changelog(self) -> str:
        return self.rules.layout.path(self.rules.layout.changelog)

    def groups(self, found: Iterable[Landing]) -> list[Group]:
        """Entries by commit and pull request, in the order in which they landed."""
        made: dict[tuple[str, int | None], list[Landing]] = {}
        for one in found:
            made.setdefault((one.commit, self.pull_of(one)), []).append(one)
        return [(commit, pr, tuple(entries)) for (commit, pr), entries in made.items()]

    def pull_of(self, landing: Landing) -> int | None:
        """The pull request that its link names, unless another one brought the commit."""
        named = self._pull(landing.pr(self.pulls))
        if named and named.merged:
            return named.number
        brought = [pull.number for pull in Merges(self.github).pulls_of(landing.commit) if pull.merged]
        return brought[0] if brought else named.number if named else None

    def _pull(self, number: int | None) -> PullRequest | None:
        if number is None:
            return None
        if number not in self.known:
            try:
                self.known[number] = self.github.pull(number)
            except Denied as no:
                if no.status != 404:
                    raise
                self.known[number] = None
        return self.known[number]

    def outcome(self, group: Group) -> Outcome:
        """Decide about one pull request; nothing is written. A fault of one is none of the others."""
        commit, pr, entries = group
        if pr is None:
            link = entries[0].link or "nothing"
            reason = f"the entry at {commit[:12]} links to {link}, and its commit is of no pull request"
            return Outcome(commit=commit, decision=_refusal(Kind.NO_PULL, reason), entries=entries)
        try:
            looked = self.look(commit, pr, entries)
        except InfxError as problem:
            kind = UNTOLD if isinstance(problem, CouldNotTell) else Kind.UNREADABLE
            answer = _refusal(kind, f"#{pr}: {problem.sentence}")
            return Outcome(commit=commit, decision=answer, entries=entries)
        decision = publishing.decide(looked.facts)
        rows = tuple(publishing.rows(looked.facts)) if decision.kind == Kind.PUBLISHED else ()
        there = self.published(commit, pr)
        if not decision.go and there:
            reason = f"#{pr}: {len(there)} rows are published already"
            decision = replace(decision, go=True, kind=Kind.PUBLISHED, reason=reason)
        return Outcome(commit=commit, decision=decision, entries=entries, rows=rows, looked=looked)

    def look(self, commit: str, pr: int, entries: Sequence[Landing]) -> Looked:
        """The facts that the comment and the status were decided from, looked up again."""
        desk = desk_of(self.github, self.rules, self.world, self._pull(pr) or pr)
        desk = replace(desk, pull=self.as_proposed(desk.pull, commit))
        facts = desk.sources.facts(desk.asked)
        found = source.decide(facts, self.rules)
        if not found.go:
            facts = desk.sources.facts(desk.asked, everything=True)
            found = source.decide(facts, self.rules)
        asked = facts.current
        return Looked(
            source=facts,
            facts=PublishFacts(
                pr=pr,
                commit=commit,
                at=entries[0].at,
                entries=tuple(entries),
                proposed=proposed(desk) if not facts.trouble else (),
                source=found,
                accept_changed=bool(asked and asked.accept_changed),
                results=tuple(results(desk, found, facts)) if found.go else (),
                authorised_at=asked.at if asked else "",
            ),
        )

    def as_proposed(self, pull: PullRequest, commit: str) -> PullRequest:
        """The pull request on the target as it was before the merge, where GitHub names a later tip."""
        if not landed.contains(self.git, commit, pull.base_sha):
            return pull
        return replace(pull, base_sha=self.git.resolve(f"{commit}^1"))

    def published(self, commit: str, pr: int | None = None) -> dict[str, Value]:
        """Rows of one merge in the store, of one pull request where that is named."""
        found = self.store.read(files.published(commit))
        return {key: row for key, row in found.items() if pr is None or row.get("pr") == pr}

    def write(self, outcome: Outcome, *, why: str) -> Outcome:
        """Publish the rows: all of them in one commit, and a row that is there already stays as it is.

        CouldNotTell when the store cannot be written, or does not show them afterwards."""
        if not outcome.rows:
            return outcome
        rows = {row.point: row.as_json() for row in outcome.rows}
        put = self.store.put({files.published(outcome.commit): rows}, why=why, once=True)
        lacking = rows.keys() - self.published(outcome.commit).keys()
        if lacking:
            raise CouldNotTell(
                f"{len(lacking)} of {len(rows)} rows cannot be seen in the store after they were written",
                where=files.published(outcome.commit),
                todo="run it again",
            )
        return replace(outcome, added=put.added)

    def announce(self, outcome: Outcome) -> None:
        """Tell the other repository, if policy names one, of a merge of which it does not know all rows. A
        crash between telling and writing that down tells it twice, with the same `merge`."""
        target, key = self.rules.publish_to, f"{self.rules.publish_to} {outcome.commit}"
        if not target or not outcome.rows:
            return
        whole = len(self.published(outcome.commit))
        if self.store.read(files.SENT).get(key, {}).get("rows") == whole:
            return
        token = self.world.env.get("INFX_PUBLISH_TOKEN")
        if not token:
            todo = "set it in the environment `publish`"
            raise BadInput(f"publish-to is {target}, but INFX_PUBLISH_TOKEN is empty", todo=todo)
        there = connect({**self.world.env, "GITHUB_TOKEN": token})
        told = {
            "repository": self.github.repository,
            "merge": outcome.commit,
            "pr": outcome.rows[0].pr,
            "branch": self.rules.layout.results_branch,
            "file": files.published(outcome.commit),
            "rows": whole,
            "runs": sorted({row.run for row in outcome.rows}),
        }
        Merges(there).tell(target, EVENT, told)
        why = f"{target} was told of {outcome.commit[:12]}"
        self.store.put({files.SENT: {key: {"rows": whole}}}, why=why)

    def show(self, outcome: Outcome) -> None:
        """The status of the merge commit. CouldNotReport when it cannot be written."""
        answer = outcome.decision
        state = "success" if answer.go else "error" if answer.kind == UNTOLD else "failure"
        text = answer.reason if answer.go else f"{answer.kind}: {answer.reason}"
        self.github.set_status(outcome.commit, publishing.CONTEXT, state=state, description=text)


def publisher(github: GitHub, rules: Rules, world: World) -> Publisher:
    """For the clone at hand, whose git may push with the token of the environment."""
    server = world.env.get("GITHUB_SERVER_URL", "https://github.com")
    git = Git(world.cwd, env={**world.env, **access(world.env.get("GITHUB_TOKEN", ""), server)})
    return Publisher(
        world=world,
        github=github,
        git=git,
        rules=rules,
        store=Store(git=git, branch=rules.layout.results_branch),
        pulls=remote.pulls(git, world),
    )


def proposed(desk: Desk) -> tuple[Entry, ...]:
    """Entries that the pull request appends at its head."""
    before, after = desk.sources.sides
    return added_entries(desk.git, desk.sources.change.changelog, base=before.commit, head=after.commit)


def results(desk: Desk, found: Decision, facts: SourceFacts) -> Iterable[Result]:
    """Every accepted point with the row that its run left."""
    planned = desk.sources.wanted.by_id
    prints = {mark.id: mark.fingerprint.as_json() for mark in facts.wanted}
    sweeps = {sweep.run.id: sweep for sweep in desk.sources.looked}
    for accepted in found.details.get("accepted", ()):
        sweep, point = sweeps[accepted["run"]], planned[accepted["point"]]
        entries = {entry.point: entry for entry in sweep.ledger.entries} if sweep.ledger else {}
        measured = sweep.plan.by_id.get(accepted["measured"]) if sweep.plan else None
        entry = entries.get(accepted["measured"])
        yield Result(
            accepted=accepted,
            task=point.task,
            agentic="isl" not in point.row,
            planned=prints[point.id],
            fingerprint=measured.fingerprint.as_json() if measured else {},
            row=entry.result if entry else None,
        )


def _refusal(kind: Kind | SourceKind, reason: str) -> Decision:
    return Decision(decision="ingest", go=False, kind=kind, reason=reason)
