"""Sweeps: the runs of one pull request's sweep workflow with what their plan and ledger artifacts say."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from infx.edge import archive, artifacts
from infx.edge.api import Denied
from infx.errors import BadInput, CouldNotTell, Refused
from infx.event import Artifact, PullRequest, Run
from infx.ledger import Ledger
from infx.plan import Plan

LIMIT = 8 * 1024 * 1024
"""Bytes of one zipped plan or ledger."""
UNPACKED = 32 * 1024 * 1024
NAMES = ("plan", "ledger")
LISTED = 300
"""Newest plans and ledgers of the repository that are listed; of older runs each is asked alone."""
RECENT = 100
"""Dispatched runs that are looked through, newest first."""


class GitHub(Protocol):
    """The part of `infx.edge.github.GitHub` that this module needs."""

    repository: str

    def runs(
        self, workflow_path: str, *, active: bool = False, newest: int | None = None, **filters: str
    ) -> list[Run]: ...
    def run(self, run_id: int) -> Run: ...
    def artifacts(self, run_id: int) -> list[Artifact]: ...
    def artifacts_named(self, name: str, *, newest: int) -> list[Artifact]: ...
    def download(self, artifact: Artifact, *, limit: int) -> bytes: ...


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """One run. Of `plan` and `ledger` both or none are there."""

    run: Run
    plan: Plan | None = None
    ledger: Ledger | None = None
    broken: str = ""
    """Why what it left cannot be used, for good."""
    trouble: str = ""
    """Why GitHub could not tell."""


@dataclass(frozen=True)
class Sweeps:
    """Looks at the sweeps of one repository."""

    github: GitHub
    workflow: str
    known: dict[tuple[int, int], Sweep] = field(default_factory=dict)
    """Run and attempt → what it left, looked at once."""

    def of(self, pull: PullRequest, *, named: Collection[int] = (), only_named: bool = False) -> list[Sweep]:
        """Runs of the pull request and those that are named; with `only_named`, what other runs left is not
        looked at."""
        runs = {run.id: run for run in self.runs(pull)}
        for number in named:
            if number not in runs and (found := self._run(number)):
                runs[number] = found
        return [
            Sweep(run=run) if only_named and run.id not in named else self.look(run) for run in runs.values()
        ]

    def runs(self, pull: PullRequest) -> list[Run]:
        """Runs of the branch, and those that were dispatched for the pull request. A branch of that name in
        another fork may write any title it likes, so it is left out."""
        found = self.github.runs(self.workflow, event="workflow_dispatch", newest=RECENT)
        if pull.head_ref:
            branch = self.github.runs(self.workflow, branch=pull.head_ref, event="pull_request")
            found += [run for run in branch if run.head_repo == pull.head_repo]
        return [run for run in found if run.pr == pull.number]

    def look(self, run: Run) -> Sweep:
        """What the run left; a run that still goes, or that left nothing, has no plan."""
        if run.status != "completed":
            return Sweep(run=run)
        place = (run.id, run.attempt)
        if place not in self.known or self.known[place].trouble:
            self.known[place] = self._look(run)
        return self.known[place]

    def _look(self, run: Run) -> Sweep:
        try:
            plan, ledger = self._file(run, "plan"), self._file(run, "ledger")
            if plan is None or ledger is None:
                return Sweep(run=run)
            return _fitting(run, artifacts.plan(plan), artifacts.ledger(ledger))
        except CouldNotTell as problem:
            return Sweep(run=run, trouble=problem.what)
        except (BadInput, Refused) as problem:
            return Sweep(run=run, broken=problem.what)

    def _run(self, number: int) -> Run | None:
        try:
            return self.github.run(number)
        except Denied as no:
            if no.status != 404:
                raise
            return None

    def _file(self, run: Run, name: str) -> bytes | None:
        """`<name>.json` of the artifact `<name>`; Refused when it has expired."""
        listing = self._listing[name]
        found = listing.get(run.id)
        if found is None and len(listing) >= LISTED:
            found = _by_run(one for one in self.github.artifacts(run.id) if one.name == name).get(run.id)
        if found is None:
            return None
        if found.expired:
            raise Refused(f"its {name} has expired")
        data = self.github.download(found, limit=LIMIT)
        return archive.unpack(data, where=f"artifact {name}", total=UNPACKED).get(f"{name}.json")

    @cached_property
    def _listing(self) -> Mapping[str, Mapping[int, Artifact]]:
        """Name → run → its artifact: two requests for a whole repository instead of one for every run."""
        return {
            name: _by_run(self.github.artifacts_named(name, newest=LISTED)) for name in ("plan", "ledger")
        }


def _by_run(found: Iterable[Artifact]) -> dict[int, Artifact]:
    """Newest unexpired of each run, else the expired one."""
    ordered = sorted(found, key=lambda one: (not one.expired, one.created_at, one.id))
    return {one.run_id: one for one in ordered}


def _fitting(run: Run, plan: Plan, ledger: Ledger) -> Sweep:
    """Plan and ledger of exactly this run and of each other; anything else is not what infx wrote."""
    same = [entry.point for entry in ledger.entries] == [point.id for point in plan.points]
    if ledger.run_id != run.id or not same:
        return Sweep(run=run, broken="its ledger is of another run or plan")
    if run.event == "pull_request" and plan.head_sha != run.head_sha:
        return Sweep(run=run, broken="its plan is of another commit")
    return Sweep(run=run, plan=plan, ledger=ledger)
