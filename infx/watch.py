"""Watch: what no event tells of: heads for which GitHub started nothing, and sweeps that wait or hang."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from infx.control import Control
from infx.decision import Decision
from infx.edge import gha, settings, sticky
from infx.edge.checks import Checks
from infx.errors import InfxError
from infx.event import PullRequest, Run, Title, Webhook
from infx.facts import Facts
from infx.policy import liveness
from infx.policy.gate import decide
from infx.policy.liveness import Life
from infx.rules import Rules
from infx.say import comment, life
from infx.verdict import Kind

NEWEST = 50
"""Open pull requests that one look goes through, those that changed last."""
SILENT = frozenset({Kind.SKIP_WORD, Kind.CONFLICT, Kind.APPROVAL_PENDING})
"""Reasons for which GitHub itself starts nothing."""
WORTH_S = 3600
"""Seconds in the queue after which people want to know."""


@dataclass(frozen=True, kw_only=True)
class Open:
    """One open pull request that wants a sweep."""

    pull: PullRequest
    since: float
    """Unix seconds of its newest change."""


class Watch(Control):
    """One look at every open pull request with a primary label. Two requests each, and one comment for those
    that have something to be said."""

    def run(self) -> int:
        """0 also when some could not be looked at: the next look does."""
        rules = settings.load(self.world.cwd)
        for one in self.wanted(rules):
            try:
                self.look(one, rules)
            except InfxError as problem:
                gha.error(self.world, f"#{one.pull.number}: {problem.sentence}")
        return 0

    def wanted(self, rules: Rules) -> list[Open]:
        listed = Checks(self.github).open_pulls(newest=NEWEST)
        found = (Open(pull=pull, since=_seconds(at)) for pull, at in listed)
        return [one for one in found if len(rules.labels.primaries_on(one.pull.labels)) == 1]

    def look(self, one: Open, rules: Rules) -> None:
        told = self.told(one, rules)
        gha.untrusted(self.world, f"#{one.pull.number} {told.kind}: {told.reason}")
        if not told.go or (told.kind == Life.WAITING and self.world.now() - one.since > WORTH_S):
            self.tell(one.pull, told, rules)

    def told(self, one: Open, rules: Rules) -> Decision:
        """Whether the wanted sweep lives; why not, where GitHub's own reason can be told."""
        runs = [run for run in self.sweeps(rules).runs(one.pull) if self.is_of(run, one.pull)]
        silent = not runs or any(run.awaits_approval for run in runs)
        if silent and (reason := self.silence(one.pull, rules, runs)):
            return reason
        newest = max(runs, key=lambda run: run.id, default=None)
        facts = liveness.Facts(
            head_sha=one.pull.head_sha,
            wanted=not rules.paused,
            since=one.since,
            # A dispatched run is one of the default branch's commit; what it measures stands in its title.
            runs=[replace(run, head_sha=one.pull.head_sha) for run in runs],
            jobs=self.github.jobs(newest.id) if newest is not None and newest.active else (),
            queue_hours=rules.queue_hours,
        )
        return liveness.liveness(facts, self.world.now())

    def is_of(self, run: Run, pull: PullRequest) -> bool:
        return pull.head_sha in (run.head_sha, run.title.head_sha if run.title else "")

    def silence(self, pull: PullRequest, rules: Rules, runs: Sequence[Run]) -> Decision | None:
        """GitHub's own reason for having started nothing, by the same decision as for a push."""
        if any(run.awaits_approval for run in runs):
            text = "GitHub holds the runs until someone with write access approves them"
            return Decision(decision="liveness", go=False, kind=Kind.APPROVAL_PENDING, reason=text)
        webhook = Webhook(name="pull_request", action="synchronize", pull=pull)
        title = webhook.title
        if title is None:
            return None
        facts = self.merging(Facts(webhook=webhook, live=pull, message=self.words(title), runs=()), title)
        answer = decide(facts, rules)
        return answer if answer.kind in SILENT else None

    def words(self, title: Title) -> str | None:
        """Message of the head; None where git does not have it."""
        try:
            self.fetch(title)
            return self.git.message(title.head_sha)
        except InfxError:
            return None

    def tell(self, pull: PullRequest, told: Decision, rules: Rules) -> None:
        section = life.section(told, head=pull.head_sha, moment=int(self.world.now()))
        gha.reported(
            self.world,
            lambda: sticky.put(
                self.github,
                pull.number,
                comment.STATUS,
                render=lambda old: comment.compose(old, section),
                former=rules.former_bots,
            ),
        )


def _seconds(at: str) -> float:
    try:
        return datetime.fromisoformat(at).timestamp()
    except ValueError:
        return 0.0
