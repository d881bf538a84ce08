"""`infx job postmerge`: follows every job of a merge commit to its end, and runs transient failures again."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from infx.aftermath import Looked, Merge, State
from infx.check import Check, Standing
from infx.decision import Decision
from infx.edge import files, gha, settings, sticky
from infx.edge.checks import Checks, workflow
from infx.edge.github import GitHub, connect
from infx.edge.world import World
from infx.errors import CouldNotReport, CouldNotTell, Refused
from infx.event import JobView, Run
from infx.failure import FailureFacts, Signature
from infx.policy import aftermath, checks, failure
from infx.policy.aftermath import LABEL
from infx.read import facts as facts_document
from infx.read.place import At
from infx.rules import Rules
from infx.say import aftermath as say

EXAMPLE = """example:
  GITHUB_EVENT_PATH=push.json GITHUB_TOKEN=… infx job postmerge"""
NEWEST = 30
"""Closed pull requests that one look goes through, those that changed last."""
FOLLOWED_S = 3 * 24 * 3600
"""Seconds after its merge for which a pull request is followed."""
ELSEWHERE = frozenset(
    {"schedule", "workflow_run", "issue_comment", "issues", "pull_request", "pull_request_target"}
    | {"pull_request_review", "pull_request_review_comment", "discussion", "discussion_comment", "watch"}
)
"""Events whose runs stand at the newest commit of the default branch whatever they are about."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE


def run(args: argparse.Namespace, world: World) -> int:
    """0 when every merge that is still followed could be looked at. Refused when a direct push needs a
    person, as there is no conversation to say it in; CouldNotTell when GitHub gave no answer for one."""
    github = connect(world.env)
    rules = settings.load(world.cwd)
    event = At(gha.event(world), "event")
    follower = Follower(
        world=world, github=github, rules=rules, signatures=settings.signatures(world.cwd, rules)
    )
    lost = [merge for merge in follower.merges(event) if not follower.tried(merge)]
    follower.tell_pushes()
    if lost:
        where = ", ".join(f"#{one.pr}" if one.pr else one.sha[:7] for one in lost)
        raise CouldNotTell("GitHub gave no answer about their checks", where=where, todo="the next look does")
    return 0


@dataclass
class Follower:
    """One look at every merge that has not come to a good end yet."""

    world: World
    github: GitHub
    rules: Rules
    signatures: Sequence[Signature]
    pushes: list[say.Shown] = field(default_factory=list)
    """Direct pushes that need a person."""

    def __post_init__(self) -> None:
        self.checks = Checks(self.github)

    def merges(self, event: At) -> list[Merge]:
        """The commit that this wake-up is about, and every merge of late that has no green label."""
        found = {
            one.sha: one for one in self.checks.merges(branch_of(event), newest=NEWEST) if self.open(one)
        }
        sha = commit_of(event)
        if sha and sha not in found:
            own = self.checks.merge_of(sha)
            # Without a pull request nobody keeps the outcome: told at every wake-up of this commit.
            found[sha] = own or Merge(sha=sha, author=event["sender"]["login"].text(""))
        done = [one for one in found.values() if LABEL not in one.labels]
        return sorted(done, key=lambda one: one.at)

    def open(self, merge: Merge) -> bool:
        return LABEL not in merge.labels and self.age_s(merge) < FOLLOWED_S

    def age_s(self, merge: Merge) -> float:
        try:
            return self.world.now() - datetime.fromisoformat(merge.at).timestamp()
        except ValueError:
            return 0.0

    def tried(self, merge: Merge) -> bool:
        """False when GitHub could not tell; the other merges are looked at all the same."""
        try:
            self.follow(merge)
        except CouldNotTell as problem:
            gha.error(self.world, problem.sentence)
            return False
        return True

    def follow(self, merge: Merge) -> None:
        """Look, decide, run again what may pass, tell."""
        looked = self.look(merge.sha)
        decision = aftermath.decide(looked, age_s=self.age_s(merge))
        started = [one for one in decision.extra["reruns"] if self.checks.rerun_failed(one)]
        for number in started:
            self.world.note(f"run {number}: its failed jobs are run again")
        shown = say.Shown(merge=merge, looked=looked, decision=decision)
        gha.untrusted(self.world, f"{merge.sha[:7]}: {decision.kind}: {decision.reason}")
        gha.summary(self.world, say.summary(shown))
        if merge.pr:
            self.tell(shown)
        elif decision.kind in (State.PERSON, State.NOTHING):
            self.pushes.append(shown)

    def look(self, sha: str) -> list[Looked]:
        """Every check of the commit in its newest attempt."""
        own = self.world.env.get("GITHUB_WORKFLOW_REF", "")
        runs = [one for one in self.checks.runs(sha) if counts(one, own)]
        jobs = {one.id: self.checks.jobs(one) for one in runs}
        known = [job for several in jobs.values() for job in several]
        found = [self.of_job(run, several, known) for run in runs for several in attempts(jobs[run.id])]
        found += [self.unstarted(run) for run in runs if not jobs[run.id]]
        others = [Looked(check=one, standing=self.standing(one)) for one in self.checks.others(sha)]
        return [*found, *others]

    def of_job(self, run: Run, several: Sequence[JobView], known: Sequence[JobView]) -> Looked:
        """One job, from its attempts, oldest first."""
        newest = several[-1]
        check = check_of(run, newest)
        standing = self.standing(check)
        failed = self.failure(run, newest, known) if standing == Standing.FAIL else None
        return Looked(
            check=check,
            standing=standing,
            failure=failed,
            earlier=tuple(job.conclusion or job.status for job in several[:-1]),
        )

    def unstarted(self, run: Run) -> Looked:
        """A run without jobs: its workflow file is broken, or it waits."""
        check = Check(
            name=workflow(run),
            status=run.status,
            conclusion=run.conclusion,
            url=run.url,
            attempt=run.attempt,
            run=run.id,
        )
        return Looked(check=check, standing=self.standing(check))

    def standing(self, check: Check) -> Standing:
        return checks.standing(check, self.rules.checks)

    def failure(self, run: Run, job: JobView, known: Sequence[JobView]) -> Decision:
        """Why it failed; what that was decided from is kept, so that anybody can decide it again."""
        facts = self.checks.evidence(job, known)
        # A job that was not run again keeps its number, while the run has been tried more often.
        facts = replace(facts, attempt=max(facts.attempt, run.attempt))
        keep(self.world, facts, job.id)
        return failure.decide(facts, self.rules, self.signatures)

    def tell(self, shown: say.Shown) -> None:
        """Comment and label; either may fail without changing what was decided."""
        number, green = shown.merge.pr, shown.decision.kind == State.GREEN
        gha.reported(
            self.world,
            lambda: sticky.put(
                self.github,
                number,
                say.MARK,
                render=lambda old: say.body(shown),
                since=shown.merge.at,
                former=self.rules.former_bots,
            ),
        )
        if green and LABEL not in shown.merge.labels:
            gha.reported(self.world, lambda: self.label(number))

    def label(self, number: int) -> None:
        try:
            self.github.add_label(number, LABEL)
        except (Refused, CouldNotTell) as problem:
            raise CouldNotReport(
                problem.what, where=f"label {LABEL} of #{number}", todo=problem.todo
            ) from problem

    def tell_pushes(self) -> None:
        """A run that ends red is the only sign that a direct push can give."""
        if self.pushes:
            first = self.pushes[0]
            raise Refused(
                first.decision.reason, where=f"push {first.merge.sha[:7]}", todo="see the step summary"
            )


def branch_of(event: At) -> str:
    return event["repository"]["default_branch"].text()


def commit_of(event: At) -> str:
    """Commit of the default branch that an event is about; `""` for those of the clock."""
    if not event["workflow_run"].absent:
        run = event["workflow_run"]
        return run["head_sha"].text() if run["event"].text("") == "push" else ""
    return event["after"].text("") if not event["ref"].absent else ""


def counts(run: Run, own: str) -> bool:
    """Runs of the commit itself. `own` is GITHUB_WORKFLOW_REF: this workflow would wait for itself."""
    return run.event not in ELSEWHERE and not (own and f"/{run.path}@" in own)


def attempts(jobs: Sequence[JobView]) -> list[list[JobView]]:
    """Jobs of one name together, oldest attempt first; those that share a name in one attempt stay apart."""
    ordered = sorted(jobs, key=lambda job: (job.name, job.attempt, job.id))
    found: list[list[JobView]] = []
    for _, group in groupby(ordered, key=lambda job: job.name):
        several = list(group)
        newest = [job for job in several if job.attempt == several[-1].attempt]
        older = [job for job in several if job.attempt != several[-1].attempt]
        found += [[*older, job] for job in newest]
    return found


def check_of(run: Run, job: JobView) -> Check:
    return Check(
        name=f"{workflow(run)} / {job.name}",
        status=job.status,
        conclusion=job.conclusion,
        url=job.url,
        attempt=job.attempt,
        id=job.id,
        run=run.id,
    )


def keep(world: World, facts: FailureFacts, job: int) -> None:
    """The facts, for `infx explain failure`."""
    document: Any = facts_document.write(facts)
    files.write_json(world.cwd / "infx-out/facts" / f"failure-{job}.json", document)
