"""Decider: what the workflows of one event share, from its facts to the commits that it speaks of."""

from collections.abc import Collection
from functools import cached_property, partial

from infx.decision import Decision
from infx.desk import Desk
from infx.draft import Change
from infx.edge import gha, remote
from infx.edge.api import Denied
from infx.edge.facts import Gatherer
from infx.edge.git import Git
from infx.edge.github import GitHub, connect
from infx.edge.registry import Registry
from infx.edge.store import Store, allowed
from infx.edge.world import World
from infx.equal import Mark
from infx.errors import CouldNotTell, InfxError
from infx.event import PullRequest, Run, Title, Webhook
from infx.facts import Facts, Reuse
from infx.lineage import PUSHING
from infx.policy import permit, source
from infx.read.place import At
from infx.rules import Rules
from infx.say import words
from infx.spent import near, spent
from infx.status import of_push
from infx.sweeps import Sweep as Left
from infx.sweeps import Sweeps
from infx.tend import unfit
from infx.verdict import exit_number


class Decider:
    """What both workflows know of one event."""

    def __init__(self, world: World, webhook: Webhook) -> None:
        self.world, self.webhook = world, webhook
        self.git = Git(world.cwd, env=allowed(world.env))
        self.github: GitHub = connect(world.env)
        self.run_id = gha.number(world.env, "GITHUB_RUN_ID", 0)
        self.attempt = gha.number(world.env, "GITHUB_RUN_ATTEMPT", 1)
        self.known: dict[tuple[int, int], Left] = {}
        self.listed: dict[int, tuple[Run, ...]] = {}

    def gather(self, rules: Rules, *, run_id: int | None, message: str | None = None) -> Facts:
        gatherer = Gatherer(
            github=self.github,
            rules=rules,
            may=partial(permit.may, rules=rules),
            runs=self.sweeps(rules).runs,
            read_message=self.message,
        )
        return gatherer.gather(
            self.webhook,
            run_id=run_id,
            attempt=self.attempt if run_id else 1,
            message=message,
            reuse=self.reuse(rules),
        )

    def reuse(self, rules: Rules) -> Reuse:
        """Asked of a push only: a label always starts."""
        if self.webhook.pull is None or self.webhook.action not in PUSHING:
            return Reuse.NONE
        return of_push(self.desk(rules, self.webhook.pull))

    def desk(self, rules: Rules, pull: PullRequest) -> Desk:
        """The desk of the pull request; what one look finds, every later one of this job knows."""
        return Desk(
            github=self.github,
            git=self.git,
            store=self.store(rules),
            rules=rules,
            pull=pull,
            default_branch=self.branch,
            now=self.world.now(),
            known=self.known,
            listed=self.listed,
        )

    def sweeps(self, rules: Rules) -> Sweeps:
        return Sweeps(self.github, rules.layout.sweep_workflow, self.known, listed=self.listed)

    @cached_property
    def branch(self) -> str:
        """The default branch, as the event names it; `""` when it does not."""
        return At(gha.event(self.world), "event")["repository"]["default_branch"].text("")

    def store(self, rules: Rules) -> Store:
        return Store(git=self.git, branch=rules.layout.results_branch)

    def unfit(self, rules: Rules) -> dict[str, str]:
        """Poisoned nodes, each with why."""
        return unfit(self.store(rules))

    def change(self, title: Title, rules: Rules) -> Change:
        return Change(
            git=self.git,
            rules=rules,
            base=title.base_sha,
            head=title.head_sha,
            labels=title.labels,
            repository=self.github.repository,
            pulls=remote.pulls(self.git, self.world),
            pr=title.pr or None,
            registry=Registry(addresses=rules.registries),
        )

    def accepted(self, pull: PullRequest | None, labels: Collection[str], rules: Rules) -> tuple[Mark, ...]:
        """Points that need not be measured again under a label that leaves them out; none under any other.
        CouldNotTell rather than everything once more."""
        if pull is None or not rules.labels.resumes(labels):
            return ()
        facts = self.desk(rules, pull).sources.facts((), everything=True)
        if facts.trouble:
            todo = "write /sweep resume, which may ask for more"
            raise CouldNotTell(f"what is there already is not known: {facts.trouble}", todo=todo)
        return source.accepted(facts, rules)

    def spent(self, facts: Facts, rules: Rules, hours: float) -> float:
        """GPU-hours of earlier sweeps; in a private repository this job's token may not look."""
        pull = facts.live or self.webhook.pull
        if pull is None or not near(hours, rules.max_gpu_hours.pull):
            return 0.0
        try:
            return spent(self.sweeps(rules), pull, rules.labels, before=self.run_id)
        except Denied as no:
            self.world.note(f"GPU-hours of earlier sweeps are not known: {no.what}")
            return 0.0

    def message(self, sha: str) -> str:
        """Message of the head, from git: the objects are needed for the plan anyway."""
        try:
            if self.webhook.title:
                self.fetch(self.webhook.title)
            return self.git.message(sha)
        except InfxError:
            return self.github.commit_message(sha)

    def fetch(self, title: Title) -> None:
        """Bring the head in as objects; its files are never checked out here."""
        self.git.bring(title.head_sha, f"refs/pull/{title.pr}/head")


def told(world: World, decision: Decision) -> int:
    """Say the decision where people look; the exit number of a step that is red when it is no."""
    text = f"{decision.kind}: {decision.reason}"
    gha.untrusted(world, text)
    gha.summary(world, f"### {decision.kind}\n\n{words.code(decision.reason, words.REASON)}\n")
    return exit_number(decision)
