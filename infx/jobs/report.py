"""`infx job report`: what a sweep does, into its pull request's status comment. Its artifacts are data."""

import argparse
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from infx import recount
from infx.beside import Main
from infx.compared import Compared
from infx.edge import archive, artifacts, gha, settings, sticky
from infx.edge.git import Git
from infx.edge.github import connect
from infx.edge.world import World
from infx.errors import Refused
from infx.event import Artifact, JobView, PullRequest, Run
from infx.ledger import Ledger
from infx.matrix import split
from infx.outlook import Outlook
from infx.plan import Plan
from infx.policy.blocking import blocking
from infx.read import rest
from infx.read.place import At
from infx.record import Record
from infx.redraw import redraw
from infx.rerun import Ended, Repair, Repaired
from infx.results import tally
from infx.rules import Layout
from infx.say import comment, status
from infx.sweeps import Sweep

EXAMPLE = """example:
  GITHUB_EVENT_PATH=workflow_run.json GITHUB_TOKEN=… infx job report"""
WAITS_S = (5, 20, 60, 60)
"""Pauses until the plan job of a run that just began has ended: no event tells of jobs that only wait."""


class GitHub(sticky.Comments, Protocol):
    """The part of `infx.edge.github.GitHub` that a report needs."""

    def pull(self, number: int) -> PullRequest: ...
    def jobs(self, run_id: int) -> Sequence[JobView]: ...
    def artifacts(self, run_id: int) -> Sequence[Artifact]: ...
    def download(self, artifact: Artifact, *, limit: int) -> bytes: ...


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE


def run(args: argparse.Namespace, world: World) -> int:
    """0 also when there is nothing to show; CouldNotReport when the comment could not be written."""
    event = At(gha.event(world), "event")
    sweep = rest.run(event["workflow_run"])
    rules = settings.load(world.cwd)
    if sweep.path != rules.layout.sweep_workflow:
        raise Refused(
            f"{sweep.path} is not the sweep workflow",
            todo=f"only {rules.layout.sweep_workflow} is reported",
        )
    if sweep.status not in ("in_progress", "completed"):
        world.say("the run has not begun")
        return 0
    github = connect(world.env)
    reporter = Reporter(
        github=github,
        run=sweep,
        layout=rules.layout,
        default_branch=event["repository"]["default_branch"].text(),
        note=world.note,
        repair=Repair(github=github, rules=rules, signatures=settings.signatures(world.cwd, rules)),
        former=rules.former_bots,
        moment=int(world.now()),
        beside=Main(world=world, rules=rules).compared,
        draw=lambda: redraw(Git(world.cwd), rules, sweep.title, github.repository),
    )
    outlook = Outlook(
        github=github,
        rules=rules,
        world=world,
        run=sweep,
        pull=reporter.pull,
        left=reporter.left,
        default_branch=reporter.default_branch,
    )
    world.say(reporter.report(listed(event), outlook.sections))
    outlook.tell()
    return 0


def listed(event: At) -> int | None:
    """Number of the pull request that GitHub itself names for the run; None for forks and dispatches."""
    pulls = event["workflow_run"]["pull_requests"].items()
    return pulls[0]["number"].integer() if pulls else None


@dataclass(frozen=True, kw_only=True)
class Reporter:
    """One look at one run."""

    github: GitHub
    run: Run
    layout: Layout
    default_branch: str
    """The branch whose workflow files count for dispatched runs."""
    note: Callable[[str], None]
    repair: Repair | None = None
    """None: nothing is ever run again."""
    former: Collection[str] = ()
    """Logins that the bot had before."""
    moment: int = 0
    """Unix seconds now: what was said of a sweep that did not live is over."""
    sleep: Callable[[float], None] = time.sleep
    beside: Callable[[Plan, Ledger], Compared | None] = lambda plan, ledger: None
    """Compares what was measured with main."""
    draw: Callable[[], Plan | None] = lambda: None
    """Makes the plan of a run that just began; None when only its artifact can tell."""
    unpacked: dict[str, dict[str, bytes]] = field(default_factory=dict)
    """Files of the artifacts that were downloaded."""
    pulls: dict[int, PullRequest] = field(default_factory=dict)
    left: dict[tuple[int, int], Sweep] = field(default_factory=dict)
    """What the run left, once it was read."""

    def report(self, named: int | None, more: Callable[[], Sequence[comment.Section]] = lambda: ()) -> str:
        """Write the results part of the comment, and `more`. `named` is `listed`; the answer is for logs."""
        if self._dispatched:
            named = None  # a pull request of the default branch itself, for which the run was not made
        number = named or self.run.pr
        if not number:
            return "the run belongs to no pull request"
        pull = None if named else self.pull(number)
        if pull is not None and pull.fork and not self._dispatched:
            return "a fork's own runs never measure: control dispatches the sweep of its head"
        if pull is not None and not self._owned(pull):
            raise Refused(f"run {self.run.id} only claims to be of #{number}", todo="look at its run-name")
        jobs = () if self._finished else self._jobs()
        drawn = self.draw() if jobs and planned(jobs) and self.run.attempt == 1 else None
        stored = {} if drawn else self._stored()
        plan = drawn or self._plan(stored)
        if plan is None or not plan.points:
            return "the run has no plan to show"
        if plan.pr != number:
            raise Refused(
                f"the plan of run {self.run.id} names another pull request", todo="look at that run"
            )
        known = self._known(plan, stored)
        if self._finished and not (known and all(entry.attempt is not None for entry in known.entries)):
            # Only what left nothing is explained by its job.
            jobs = self.github.jobs(self.run.id)
        facts = self._facts(plan, jobs)
        if not facts.jobs and not any(name.startswith(("ledger", *artifacts.KINDS)) for name in stored):
            return "the run started nothing"
        if pull is None and self._finished:
            pull = self.pull(number)
        ledger = self._ledger(plan, stored, facts, known=known)
        repaired = Repaired()
        if self.repair is not None and pull is not None and self._finished:
            repaired = self.repair.tried(Ended(run=self.run, plan=plan, ledger=ledger, pull=pull), self.note)
        shown = status.Status(
            run=self.run,
            plan=plan,
            ledger=ledger,
            blockers=blocking(ledger, pull, failures=repaired.why, again=bool(repaired.again)),
            links=status.links(self.layout, self.run, page=stored.get("report")),
            failures=[(one.entry.title, one.failure) for one in repaired.failed],
            missed=repaired.missed,
            again=repaired.again,
            compared=self.beside(plan, ledger) if self._finished else None,
        )
        return self._write(shown, number, more())

    def pull(self, number: int) -> PullRequest:
        """The pull request, asked for once."""
        if number not in self.pulls:
            self.pulls[number] = self.github.pull(number)
        return self.pulls[number]

    def _stored(self) -> dict[str, Artifact]:
        return {one.name: one for one in self.github.artifacts(self.run.id) if not one.expired}

    @property
    def _finished(self) -> bool:
        return self.run.status == "completed"

    def _write(self, shown: status.Status, number: int, more: Sequence[comment.Section]) -> str:
        quiet = comment.Section(name=comment.LIFE, order=(self.moment,), head=shown.ledger.head_sha, text="")
        parts = [*status.sections(shown), quiet, *more]
        topic = sticky.Topic(
            mark=comment.STATUS,
            render=lambda old: comment.compose(old, *parts),
            patience=sticky.ONCE,  # a push has fifteen requests, and each sweep is told of twice
        )
        # Control has shown the plan of this run since it was created.
        [written] = sticky.put_all(
            self.github, number, [topic], since=self.run.created_at, former=self.former
        )
        return f"comment {written.comment} {written.change}: {status.verdict(shown)}"

    def _owned(self, pull: PullRequest) -> bool:
        """The number came from the run's title, which whoever wrote the run's workflow file can choose."""
        if self._dispatched:
            return self.run.head_branch == self.default_branch
        return (self.run.head_branch, self.run.head_repo) == (pull.head_ref, pull.head_repo)

    @property
    def _dispatched(self) -> bool:
        return self.run.event == "workflow_dispatch"

    def _jobs(self) -> Sequence[JobView]:
        """Jobs of the run; of one that just began, once its plan job has ended or nobody waits any longer."""
        jobs = self.github.jobs(self.run.id)
        for pause in WAITS_S:
            if planned(jobs):
                break
            self.sleep(pause)
            jobs = self.github.jobs(self.run.id)
        return jobs

    def _plan(self, stored: dict[str, Artifact]) -> Plan | None:
        data = self._file(stored, "ledger", "plan.json") or self._file(stored, "plan", "plan.json")
        plan = artifacts.plan(data) if data is not None else None
        # A dispatched run is one of the default branch's commit; what it measures stands in its title.
        title = self.run.title if self._dispatched else None
        if plan is not None and plan.head_sha != (title.head_sha if title else self.run.head_sha):
            raise Refused(f"the plan of run {self.run.id} names another commit", todo="look at that run")
        return plan

    def _facts(self, plan: Plan, jobs: Iterable[JobView]) -> tally.Facts:
        names = {cell["id"]: cell["name"] for cell in split.cells(plan.points)}
        return tally.Facts(
            run_id=self.run.id,
            attempt=self.run.attempt,
            finished=self._finished,
            jobs=tally.jobs_of(names, jobs),
        )

    def _known(self, plan: Plan, stored: dict[str, Artifact]) -> Ledger | None:
        """The ledger that collect left, if it is of this run and plan."""
        data = self._file(stored, "ledger", "ledger.json")
        known = artifacts.ledger(data) if data is not None else None
        if known is None or not fits(known, plan, self.run):
            return None
        if self._finished:
            ends = stored["ledger"].expires_at
            left = Sweep(run=self.run, plan=plan, ledger=known, expires=ends)
            self.left[self.run.id, self.run.attempt] = left
        return known

    def _ledger(
        self, plan: Plan, stored: dict[str, Artifact], facts: tally.Facts, *, known: Ledger | None
    ) -> Ledger:
        """What collect left, with what the jobs add; counted anew when it left none."""
        if known is not None:
            return tally.explained(known, plan, facts)
        return tally.ledger(plan, self._records(stored) if facts.finished else (), facts)

    def _records(self, stored: dict[str, Artifact]) -> list[Record]:
        """Records of a run that was killed before it could collect them."""
        return recount.records(stored, lambda name, file: self._file(stored, name, file), self.note)

    def _file(self, stored: dict[str, Artifact], name: str, file: str) -> bytes | None:
        """One file of one artifact; None when either is not there."""
        if name not in stored:
            return None
        if name not in self.unpacked:
            data = self.github.download(stored[name], limit=artifacts.ZIP_LIMIT)
            self.unpacked[name] = archive.unpack(
                data, where=f"artifact {name}", total=artifacts.DOCUMENT_LIMIT
            )
        return self.unpacked[name].get(file)


def planned(jobs: Sequence[JobView]) -> bool:
    """The plan job has ended, and what follows is listed."""
    return len(jobs) > 1 and any(job.name == "plan" and job.status == "completed" for job in jobs)


def fits(ledger: Ledger, plan: Plan, run: Run) -> bool:
    """The ledger is of this run and counts exactly the points of the plan."""
    same = [entry.point for entry in ledger.entries] == [point.id for point in plan.points]
    return same and ledger.run_id == run.id
