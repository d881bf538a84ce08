"""Rerun: what runners and harness broke in an ended sweep is run once more, where nothing changed since."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from infx.decision import Decision
from infx.edge.checks import Checks
from infx.edge.github import GitHub
from infx.errors import CouldNotTell, Refused
from infx.event import JobView, PullRequest, Run
from infx.failure import FailureFacts, Signature
from infx.ledger import Entry, Ledger, State
from infx.matrix import split
from infx.plan import Plan
from infx.policy import again, failure
from infx.policy.again import Failed, Way
from infx.reason import Reason
from infx.results import tally
from infx.rules import Rules

ALIVE = frozenset({Reason.CLIENT_FAILED, Reason.REQUESTS_FAILED, Reason.WARMUP_NOT_DRAINED})
"""Reasons with which the engine still answered; it is looked at before the client is blamed."""
DEAD = frozenset({Reason.ENGINE_DIED, Reason.ENGINE_DIED_LOADING, Reason.ENGINE_NOT_READY})
MOST = 12
"""Most failed jobs of one run whose logs are read."""
ACTIVE = 100
"""Dispatched runs that are looked through, newest first: more than can be active."""
NOT_BAD = ("success", "skipped", None)


@dataclass(frozen=True, kw_only=True)
class Ended:
    """One ended run, as its report knows it."""

    run: Run
    plan: Plan
    ledger: Ledger
    pull: PullRequest


@dataclass(frozen=True, kw_only=True)
class Repaired:
    """What was found, and what is run again."""

    failed: tuple[Failed, ...] = ()
    missed: tuple[str, ...] = ()
    """Points that this attempt had to run and did not."""
    again: str = ""
    """`rerun-failed-jobs`, or `rerun-job` and the point's title."""

    @property
    def why(self) -> dict[str, Decision]:
        """Point id → why it failed."""
        return {one.entry.point: one.failure for one in self.failed}


@dataclass(frozen=True, kw_only=True)
class Repair:
    """Looks at an ended run, and runs again what failed for reasons of the infrastructure."""

    github: GitHub
    rules: Rules
    signatures: Sequence[Signature]

    def tried(self, ended: Ended, note: Callable[[str], None]) -> Repaired:
        """`run`, whose failing changes no ledger."""
        try:
            return self.run(ended)
        except (CouldNotTell, Refused) as problem:
            note(problem.sentence)
            return Repaired()

    def run(self, ended: Ended) -> Repaired:
        """Nothing is looked up for a run in which every point is valid."""
        if ended.ledger.complete:
            return Repaired()
        names = {cell["id"]: cell["name"] for cell in split.cells(ended.plan.points)}
        listed = self.github.jobs(ended.run.id)
        jobs = tally.jobs_of(names, listed)
        failed = self.failures(ended.ledger, jobs)
        missing = again.missed(ended.ledger.entries, jobs.items(), attempt=ended.run.attempt)
        return Repaired(failed=failed, missed=missing, again=self.start(ended, failed, jobs))

    def failures(self, ledger: Ledger, jobs: Mapping[str, JobView]) -> tuple[Failed, ...]:
        """Why each point that failed by itself did, of at most `MOST`."""
        known, checks = list(jobs.values()), Checks(self.github)
        found: list[Failed] = []
        for entry in again.culprits(ledger.entries):
            job = jobs.get(entry.point)
            if job is not None and job.conclusion not in NOT_BAD and len(found) < MOST:
                facts = of_point(entry, checks.evidence(job, known))
                decision = failure.decide(facts, self.rules, self.signatures)
                found.append(Failed(entry=entry, job=job, failure=decision))
        return tuple(found)

    def start(self, ended: Ended, failed: Sequence[Failed], jobs: Mapping[str, JobView]) -> str:
        valid = {entry.point for entry in ended.ledger.entries if entry.state == State.VALID}
        lasting = any(job.conclusion not in NOT_BAD for point, job in jobs.items() if point in valid)
        way, one = again.again(failed, lasting=lasting)
        if way == Way.NOTHING or not self.wanted(ended):
            return ""
        checks = Checks(self.github)
        if one is None:
            return str(way) if checks.rerun_failed(ended.run.id) else ""
        return f"{way} {one.entry.title}" if checks.rerun_job(one.job.id) else ""

    def wanted(self, ended: Ended) -> bool:
        """Nobody has ended or replaced the sweep since: such a re-run does not ask its plan job again."""
        run, pull = ended.run, ended.pull
        if run.conclusion == "cancelled" or not pull.open or pull.head_sha != ended.plan.head_sha:
            return False
        if self.rules.paused or self.rules.labels.primaries_on(pull.labels) != (ended.plan.primary,):
            return False
        path = self.rules.layout.sweep_workflow
        known = self.github.runs(path, newest=20, branch=pull.head_ref, event="pull_request")
        dispatched = self.github.runs(path, newest=ACTIVE, event="workflow_dispatch")
        known += [one for one in dispatched if one.pr == pull.number]
        return all(one.id <= run.id or not one.active for one in known)


def of_point(entry: Entry, seen: FailureFacts) -> FailureFacts:
    """What a job shows, and what its record says."""
    alive = True if entry.reason in ALIVE else False if entry.reason in DEAD else None
    return replace(
        seen,
        reason=entry.reason,
        log="\n".join([*entry.notes, seen.log]),
        runner=entry.node or seen.runner,
        server_alive=alive,
        attempt=max(seen.attempt, entry.attempt or 1),
        gpu=True,
        accepted=entry.state == State.VALID,
    )
