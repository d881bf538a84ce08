"""Sweeps: the runs of one pull request's sweep workflow with what their ledger artifacts say."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from secrets import token_hex
from typing import Any, Protocol

from infx import recount
from infx.edge import archive, artifacts, store
from infx.edge.api import Denied
from infx.errors import BadInput, CouldNotTell, Refused
from infx.event import Artifact, LabelChange, PullRequest, Run, Title
from infx.ledger import Ledger
from infx.plan import Plan
from infx.results import tally
from infx.results.older import Rows

LEDGER, PLAN, OLDER = "ledger", "plan", "older"
BUNDLES = {"throughput": ("results_bmk", "agg_bmk.json"), "evals": ("eval_results_all", "agg_eval_all.json")}
"""Rows of older tooling → artifact, and the file in it."""
LISTED = 300
"""Newest artifacts of one name that are listed of the repository; of older runs each is asked alone."""
FEW = 3
"""So many runs are asked one by one, which is cheaper than a list of the whole repository."""
COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
"""What git may be asked for: any other word of a plan could be an option, or write a ref."""
RECENT = 100
"""Dispatched runs that are looked through, newest first: more than can be active."""


class GitHub(Protocol):
    """The part of `infx.edge.github.GitHub` that this module needs."""

    repository: str

    def runs(
        self, workflow_path: str, *, active: bool = False, newest: int | None = None, **filters: str
    ) -> list[Run]: ...
    def run(self, run_id: int) -> Run: ...
    def artifacts(self, run_id: int, *, name: str = "") -> list[Artifact]: ...
    def artifacts_named(self, name: str, *, newest: int) -> list[Artifact]: ...
    def download(self, artifact: Artifact, *, limit: int) -> bytes: ...
    def label_changes(self, number: int) -> list[LabelChange]: ...
    def dispatch(
        self,
        workflow_path: str,
        ref: str,
        *,
        inputs: Mapping[str, str],
        find: Callable[[], Run | None] | None = None,
    ) -> None: ...


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
    expires: str = ""
    """When its results end, ISO 8601; empty when the store holds them, or there are none."""
    rows: Rows = field(default_factory=Rows)
    """What a run of older tooling published, which recorded neither plan nor ledger."""
    older: tuple[str, ...] | None = None
    """Labels at its creation, where plan and ledger were made of `rows`; None for every other run."""


@dataclass(frozen=True)
class Sweeps:
    """Looks at the sweeps of one repository."""

    github: GitHub
    workflow: str
    known: dict[tuple[int, int], Sweep] = field(default_factory=dict)
    """Run and attempt → what it left, looked at once."""
    held: Callable[[str], Mapping[str, Any]] | None = None
    """Reads the store, where results are held that an authorisation named."""
    listed: dict[int, tuple[Run, ...]] = field(default_factory=dict)
    """Pull request → its runs, listed once."""
    _listed: dict[str, Mapping[int, Artifact]] = field(default_factory=dict, compare=False)
    """Artifact name → run → the newest of that name, of the repository's newest."""

    def of(self, pull: PullRequest, *, named: Collection[int] = (), only_named: bool = False) -> list[Sweep]:
        """Runs of the pull request and those that are named; with `only_named`, what other runs left is not
        looked at, unless it is known already."""
        runs = {run.id: run for run in self.runs(pull)}
        for number in named:
            if number not in runs and (found := self._run(number)):
                runs[number] = found
        wanted = [run for run in runs.values() if not only_named or run.id in named or self._seen(run)]
        if sum(not self._seen(run) for run in wanted) <= FEW:
            looked = {run.id: self.look(run) for run in wanted}
        else:
            looked = {run.id: self.look(run, wide=True) for run in wanted}
        for number in looked.keys() & set(named):
            looked[number] = self._counted(looked[number])
        return [looked.get(run.id) or Sweep(run=run) for run in runs.values()]

    def runs(self, pull: PullRequest) -> tuple[Run, ...]:
        """Runs of the branch, and those that were dispatched for the pull request. A branch of that name in
        another fork may write any title it likes, so it is left out."""
        if pull.number not in self.listed:
            found = self.github.runs(self.workflow, event="workflow_dispatch", newest=RECENT)
            if pull.head_ref:
                branch = self.github.runs(self.workflow, branch=pull.head_ref, event="pull_request")
                found += [run for run in branch if run.head_repo == pull.head_repo]
            self.listed[pull.number] = tuple(run for run in found if run.pr == pull.number)
        return self.listed[pull.number]

    def dispatch(self, title: Title, branch: str) -> None:
        """Start the sweep of `title` with the files of the default branch. When the answer is lost, the run
        is looked for by a mark that only this dispatch has, so that it starts once."""
        mark = token_hex(8)

        def find() -> Run | None:
            found = self.github.runs(self.workflow, event="workflow_dispatch", newest=RECENT)
            return next((run for run in found if run.title and run.title.mark == mark), None)

        inputs = {
            "mark": mark,
            "pr": str(title.pr or ""),
            "head-sha": title.head_sha,
            "merge-base": title.base_sha,
            "mode": title.action,
            "labels": ",".join(sorted(title.labels)),
            "key": title.key,
            "conc": ",".join(map(str, title.conc)),
        }
        self.github.dispatch(self.workflow, branch, inputs=inputs, find=find)

    def look(self, run: Run, *, wide: bool = False) -> Sweep:
        """What the run left; a run that still goes, or that left nothing, has no plan. `wide`: one of many,
        so that artifacts are listed of the whole repository."""
        if run.status != "completed":
            return Sweep(run=run)
        place = (run.id, run.attempt)
        if place not in self.known or self.known[place].trouble:
            self.known[place] = self._look(run, wide=wide)
        return self.known[place]

    def _seen(self, run: Run) -> bool:
        return (run.id, run.attempt) in self.known or run.status != "completed"

    def _look(self, run: Run, *, wide: bool) -> Sweep:
        """The store's copy while it is of the newest attempt, or when it is all that is left."""
        kept = self._kept(run)
        if kept and kept.ledger and kept.ledger.attempt == run.attempt:
            return kept
        fresh = self._fresh(run, wide=wide)
        if kept and kept.ledger and fresh.ledger:
            return replace(fresh, ledger=tally.carried(fresh.ledger, kept.ledger))
        return fresh if fresh.plan or fresh.trouble or not kept else kept

    def _kept(self, run: Run) -> Sweep | None:
        found = self.held(store.held(run.id)) if self.held else {}
        if not {PLAN, LEDGER} <= found.keys():
            return None
        plan, ledger = (json.dumps(found[name]).encode() for name in (PLAN, LEDGER))
        kept = _fitting(run, artifacts.plan(plan), artifacts.ledger(ledger))
        labels = found.get(OLDER, {}).get("labels")
        return kept if labels is None else replace(kept, older=tuple(map(str, labels)))

    def _fresh(self, run: Run, *, wide: bool) -> Sweep:
        try:
            stored = self._artifact(run, LEDGER, wide=wide)
            if stored is None:
                # Ours write what they are for into their title.
                return Sweep(run=run) if run.title else self._older(run, wide=wide)
            if stored.expired:
                raise Refused("its ledger has expired")
            files = self._files(stored)
            ledger = files.get(f"{LEDGER}.json")
            plan = files.get(f"{PLAN}.json") or self._plan(run)
            if plan is None or ledger is None:
                return Sweep(run=run)
            found = _fitting(run, artifacts.plan(plan), artifacts.ledger(ledger))
            return replace(found, expires=stored.expires_at)
        except CouldNotTell as problem:
            return Sweep(run=run, trouble=problem.what)
        except (BadInput, Refused) as problem:
            return Sweep(run=run, broken=problem.what)

    def _counted(self, sweep: Sweep) -> Sweep:
        """A run that somebody named and that was killed before it could collect: its records are counted."""
        run = sweep.run
        if run.status != "completed" or sweep.plan or sweep.rows.there or sweep.broken or sweep.trouble:
            return sweep
        try:
            stored = {one.name: one for one in self.github.artifacts(run.id) if not one.expired}
            data = self._files(stored[PLAN]).get(f"{PLAN}.json") if PLAN in stored else None
            if data is None:
                self.known[run.id, run.attempt] = self._rows(run, stored)
                return self.known[run.id, run.attempt]
            plan = artifacts.plan(data)
            found = recount.records(stored, lambda name, file: self._files(stored[name]).get(file), str)
            counted = _fitting(run, plan, recount.ledger(run, plan, found))
        except CouldNotTell as problem:
            return replace(sweep, trouble=problem.what)
        except (BadInput, Refused) as problem:
            return replace(sweep, broken=problem.what)
        self.known[run.id, run.attempt] = replace(counted, expires=stored[PLAN].expires_at)
        return self.known[run.id, run.attempt]

    def _older(self, run: Run, *, wide: bool) -> Sweep:
        """The aggregates that older tooling left."""
        found = [self._artifact(run, name, wide=wide) for name, _ in BUNDLES.values()]
        return self._rows(run, {one.name: one for one in found if one})

    def _rows(self, run: Run, stored: Mapping[str, Artifact]) -> Sweep:
        """Rows in the artifacts of a run, by name. Refused when they have expired."""
        rows: dict[str, tuple[Mapping[str, Any], ...]] = {}
        for kind, (name, file) in BUNDLES.items():
            if name in stored:
                if stored[name].expired:
                    raise Refused(f"its {name} has expired")
                rows[kind] = artifacts.rows(self._files(stored[name]).get(file, b"[]"), where=file)
        ends = min((stored[name].expires_at for name, _ in BUNDLES.values() if name in stored), default="")
        return Sweep(run=run, rows=Rows(**rows), expires=ends)

    def _run(self, number: int) -> Run | None:
        try:
            return self.github.run(number)
        except Denied as no:
            if no.status != 404:
                raise
            return None

    def _artifact(self, run: Run, name: str, *, wide: bool) -> Artifact | None:
        """One artifact of a run by its name. Of many runs a few requests for a whole repository find it,
        instead of one for every run."""
        if wide:
            if name not in self._listed:
                self._listed[name] = _newest(self.github.artifacts_named(name, newest=LISTED))
            listing = self._listed[name]
            if run.id in listing or len(listing) < LISTED:
                return listing.get(run.id)
        return _newest(self.github.artifacts(run.id, name=name)).get(run.id)

    def _plan(self, run: Run) -> bytes | None:
        """The plan of a run whose ledger came without one."""
        stored = _newest(self.github.artifacts(run.id, name=PLAN)).get(run.id)
        return None if stored is None or stored.expired else self._files(stored).get(f"{PLAN}.json")

    def _files(self, stored: Artifact) -> dict[str, bytes]:
        data = self.github.download(stored, limit=artifacts.ZIP_LIMIT)
        return archive.unpack(data, where=f"artifact {stored.name}", total=artifacts.DOCUMENT_LIMIT)


def documents(sweep: Sweep) -> dict[str, Any]:
    """What the store holds of a run whose results were authorised: they end as artifacts."""
    if sweep.plan is None or sweep.ledger is None:
        return {}
    older = {} if sweep.older is None else {OLDER: {"labels": list(sweep.older)}}
    return {PLAN: sweep.plan.as_json(), LEDGER: sweep.ledger.as_json(), **older}


def _newest(found: Iterable[Artifact]) -> dict[int, Artifact]:
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
    if not (COMMIT.fullmatch(plan.head_sha) and COMMIT.fullmatch(plan.merge_base)):
        return Sweep(run=run, broken="its plan names no commits")
    return Sweep(run=run, plan=plan, ledger=ledger)
