"""The Actions half of the embedded GitHub: events start runs, runs start jobs, jobs run with act."""

from collections.abc import Callable, Sequence
from pathlib import Path

from infx.errors import Refused
from infx.forge.actions import graph, recover
from infx.forge.actions.attempt import Attempt, Cell
from infx.forge.actions.parser import Parser
from infx.forge.actions.prepare import Place
from infx.forge.actions.scheduler import Scheduler
from infx.forge.actions.starter import Starter
from infx.forge.actions.workflows import Workflow
from infx.forge.ports import Event, Run, Store


class Engine:
    """Implements `infx.forge.ports.Engine`."""

    def __init__(
        self,
        store: Store,
        *,
        folder: Path,
        api_url: str,
        results_url: str,
        log: Callable[[str], None] = lambda line: None,
        parser: Parser | None = None,
    ) -> None:
        """`folder` holds what jobs write while they run; `log` gets faults of the engine itself.

        A `parser` that is given stays open: several engines may share one.
        """
        self._store = store
        self._seen: set[str] = set()
        self.parser = parser or Parser()
        self._shared = parser is not None
        place = Place(folder=folder.resolve(), api_url=api_url, results_url=results_url)
        self._starter = Starter(store, self.parser, api_url=api_url)
        self._scheduler = Scheduler(store, self.parser, place=place, log=log)

    def deliver(self, event: Event) -> Sequence[int]:
        """BadInput for a `workflow_dispatch` that GitHub would refuse."""
        self._recover(event.repository)
        runs = self._starter.start(event)
        for run in runs:
            if run.status != "completed":
                self._scheduler.begin(self._attempt(run))
        return [run.id for run in runs]

    def _recover(self, repository: str) -> None:
        """Before the first work for a repository: what an earlier life of the forge left is ended."""
        if repository not in self._seen:
            self._seen.add(repository)
            recover.give_up(self._store, repository)

    def cancel(self, run_id: int) -> None:
        self._scheduler.cancel(run_id)

    def rerun(self, run_id: int, *, failed_only: bool, job_id: int | None = None, actor: str = "") -> None:
        """Refused while the run goes on, or when what it should take over is not known any more."""
        run = self._run(run_id)
        if run.status != "completed":
            raise Refused(f"run {run_id} is still going on", todo="cancel it or wait for its end")
        older = self._scheduler.last_attempt(run_id)
        partial = failed_only or job_id is not None
        if partial and older is None:
            raise Refused(f"the jobs of run {run_id} are of an earlier life of this forge", todo="re-run all")
        again = self._store.change_run(
            run_id,
            attempt=run.attempt + 1,
            status="queued",
            conclusion=None,
            triggering_actor=actor or run.triggering_actor,
        )
        attempt = self._attempt(again)
        if partial and older is not None:
            attempt.keep(older, _again(job_id))
        # No `requested`: GitHub does not tell it of a re-run (docs: Events that trigger workflows).
        self._scheduler.begin(attempt)

    def approve(self, run_id: int) -> None:
        """Start a run that waited for a maintainer's word. Refused for any other."""
        run = self._run(run_id)
        if run.conclusion != "action_required":
            raise Refused(f"run {run_id} does not wait for approval")
        self._scheduler.begin(self._attempt(self._store.change_run(run_id, status="queued", conclusion=None)))

    def runners_changed(self) -> None:
        self._scheduler.look()

    def kill_runner(self, name: str) -> None:
        """The machine of this name dies, and its job fails: lost communication. For tests and fault rules."""
        self._scheduler.kill_runner(name)

    def wait_idle(self, timeout_s: float) -> bool:
        return self._scheduler.wait_idle(timeout_s)

    def close(self) -> None:
        self._scheduler.close()
        if not self._shared:
            self.parser.close()

    def _run(self, run_id: int) -> Run:
        self._recover(self._store.run(run_id).repository)
        return self._store.run(run_id)

    def _attempt(self, run: Run) -> Attempt:
        repository = self._store.repository(run.repository)
        workflow: Workflow = self._starter.workflows.one(repository.git_dir, run.sha, run.workflow)
        if workflow.errors:
            raise Refused(f"the workflow file of run {run.id} is invalid", where=run.workflow)
        contexts = self._starter.contexts(run, workflow, repository)
        return Attempt(run, workflow.document, self.parser, contexts=contexts)


def _again(job_id: int | None) -> Callable[[Cell], bool]:
    """Which cells a partial re-run does again: the one asked for, else all that did not succeed."""
    if job_id is not None:
        return lambda cell: cell.job is not None and cell.job.id == job_id
    return lambda cell: cell.conclusion in (graph.FAILURE, graph.CANCELLED)
