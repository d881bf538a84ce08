"""Runs and jobs on their way: who waits, who starts, who ends. One thread owns all of this."""

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from infx.forge.actions import concurrency, graph, jobfile, permissions, pool
from infx.forge.actions.attempt import QUEUED, RUNNING, Attempt, Cell
from infx.forge.actions.inbox import Inbox
from infx.forge.actions.parser import Parser
from infx.forge.actions.prepare import Order, Place
from infx.forge.actions.work import Outcome, Work, stamp
from infx.forge.ports import Job, Run, Runner, Store

QUEUE_LIMIT_S = 24 * 3600
"""Longest time that a job waits for a self-hosted runner (docs: Actions limits)."""
EXPIRED = (
    "This request was automatically failed because there were no enabled runners online "
    "to process the request for more than 1 days."
)
"""GitHub's own words."""


class Scheduler:
    """Methods without an underscore may be called from any thread; they return at once."""

    def __init__(self, store: Store, parser: Parser, *, place: Place, log: Callable[[str], None]) -> None:
        self._store, self._parser, self._place, self._log = store, parser, place, log
        self._attempts: dict[int, Attempt] = {}
        """Newest attempt of every run, finished ones too: a re-run takes results over from them."""
        self._works: dict[int, tuple[Work, Runner, Cell]] = {}
        """What runs now, by job."""
        self._threads: set[threading.Thread] = set()
        self._inbox = Inbox(self._tick, lambda error: log(f"forge: {type(error).__name__}: {error}"))

    # -- from any thread

    def begin(self, attempt: Attempt) -> None:
        self._inbox.put(lambda: self._admit(attempt))

    def cancel(self, run_id: int) -> None:
        self._inbox.put(lambda: self._cancel(run_id))

    def look(self) -> None:
        """Runners or the clock changed."""
        self._inbox.put(self._tick)
        self._inbox.put(self._assign)

    def kill_runner(self, name: str) -> None:
        """The machine of this name dies under its job."""
        self._inbox.put(lambda: self._kill(name))

    def last_attempt(self, run_id: int) -> Attempt | None:
        return self._attempts.get(run_id)

    def wait_idle(self, timeout_s: float) -> bool:
        return self._inbox.wait_idle(timeout_s)

    def close(self) -> None:
        """No job is started any more; those that run are killed and waited for."""
        self._inbox.close()
        for work, _, _ in list(self._works.values()):
            work.kill()
        for thread in list(self._threads):
            thread.join()

    # -- runs

    def _admit(self, attempt: Attempt) -> None:
        run = attempt.run
        admission = concurrency.admit(run, self._active_runs())
        self._attempts[run.id] = attempt
        for other in admission.cancels:
            self._cancel(other)
        if admission.wait and concurrency.rivals(run, self._active_runs()):
            self._change_run(attempt, status=concurrency.WAITING)
        else:
            self._advance(attempt)
            self._assign()

    def _active_runs(self) -> list[Run]:
        return [attempt.run for attempt in self._attempts.values() if attempt.run.status != "completed"]

    def _active(self) -> list[Attempt]:
        """Attempts whose jobs may run, oldest run first."""
        going = [one for one in self._attempts.values() if one.run.status in ("queued", "in_progress")]
        return sorted(going, key=lambda one: one.run.id)

    def _change_run(self, attempt: Attempt, **changes: Any) -> None:
        attempt.run = self._store.change_run(attempt.run.id, **changes)

    def _advance(self, attempt: Attempt) -> None:
        """Queue what became ready; complete the run when nothing is left."""
        for cell in attempt.settle():
            self._announce(attempt, cell)
        if attempt.conclusion and attempt.run.status != "completed":
            self._complete(attempt, attempt.conclusion)

    def _complete(self, attempt: Attempt, conclusion: str) -> None:
        self._change_run(attempt, status="completed", conclusion=conclusion)
        self._store.tell("workflow_run", "completed", attempt.run)
        following = concurrency.next_up(attempt.run, self._active_runs())
        if following is not None:
            waiting = self._attempts[following.id]
            self._change_run(waiting, status="queued")
            self._advance(waiting)

    def _cancel(self, run_id: int) -> None:
        attempt = self._attempts.get(run_id)
        if attempt is None or attempt.run.status == "completed":
            return
        if attempt.run.status == concurrency.WAITING:
            self._complete(attempt, graph.CANCELLED)
            return
        self._end_cells(attempt, attempt.cancel())
        self._advance(attempt)
        self._assign()

    def _end_cells(self, attempt: Attempt, cells: Iterable[Cell]) -> None:
        """Queued cells end at once; running ones are interrupted and end when their work does."""
        for cell in cells:
            if cell.state == RUNNING and cell.job is not None:
                self._works[cell.job.id][0].cancel()
            elif cell.state == QUEUED:
                self._end_unstarted(attempt, cell, graph.CANCELLED)

    # -- jobs

    def _announce(self, attempt: Attempt, cell: Cell) -> None:
        """Give a new cell its job in the store."""
        job = Job(id=0, run=attempt.run.id, attempt=attempt.run.attempt, name=cell.name, labels=cell.labels)
        cell.job = self._store.add_job(job)
        cell.since = self._store.now()
        if cell.state == QUEUED:
            self._store.tell("workflow_job", "queued", attempt.run, cell.job)
            note = self._kept_out(attempt, cell)
            if note:
                self._end_unstarted(attempt, cell, graph.FAILURE, note)
        else:
            self._record_end(attempt, cell)

    def _kept_out(self, attempt: Attempt, cell: Cell) -> str:
        """Why the run's ref may not deploy to the job's environment; empty when it may."""
        name = self._environment(attempt, cell)
        if not name:
            return ""
        repository = self._store.repository(attempt.run.repository)
        return permissions.kept_out(attempt.run.ref, name, repository.environments)

    def _environment(self, attempt: Attempt, cell: Cell) -> str:
        """Name of the environment that the job is of; empty for none."""
        wanted = cell.node.spec.get("environment")
        if not wanted:
            return ""
        contexts = {**attempt.known(cell.node), "matrix": dict(cell.combination)}
        filled = self._parser.fill(wanted, contexts)
        return str(filled.get("name") if isinstance(filled, Mapping) else filled)

    def _end_unstarted(self, attempt: Attempt, cell: Cell, conclusion: str, note: str = "") -> None:
        doomed = attempt.finish(cell, conclusion, {})
        cell.note = note
        self._record_end(attempt, cell)
        self._end_cells(attempt, doomed)

    def _record_end(self, attempt: Attempt, cell: Cell) -> None:
        assert cell.job is not None
        now = stamp(self._store.now())
        changes: dict[str, Any] = {"started_at": cell.job.started_at or now, "completed_at": now}
        if cell.reused is not None:
            old = cell.reused
            changes = {"started_at": old.started_at, "completed_at": old.completed_at}
            changes |= {"steps": old.steps, "runner": old.runner}
        if cell.note:
            self._store.append_log(cell.job.id, f"{now} ##[error]{cell.note}\n")
        cell.job = self._store.change_job(
            cell.job.id, status="completed", conclusion=cell.conclusion, **changes
        )
        self._store.tell("workflow_job", "completed", attempt.run, cell.job)

    def _assign(self) -> None:
        """Give every queued cell a runner that is free and has its labels, oldest job first."""
        pools: dict[str, Any] = {}
        busy = {runner.id for _, runner, _ in self._works.values()}
        for attempt in self._active():
            for cell in [cell for cell in attempt.cells if cell.state == QUEUED]:
                name = attempt.run.repository
                if name not in pools:
                    pools[name] = self._store.runners(name)
                runner = None if attempt.at_limit(cell) else pool.pick(pools[name], cell.labels, busy)
                if runner is not None:
                    busy.add(runner.id)
                    self._start(attempt, cell, runner)

    def _start(self, attempt: Attempt, cell: Cell, runner: Runner) -> None:
        assert cell.job is not None
        cell.state, cell.since = RUNNING, self._store.now()
        cell.job = self._store.change_job(
            cell.job.id, status="in_progress", runner=runner.name, started_at=stamp(cell.since)
        )
        if attempt.run.status == "queued":
            self._change_run(attempt, status="in_progress")
            self._store.tell("workflow_run", "in_progress", attempt.run)
        self._store.tell("workflow_job", "in_progress", attempt.run, cell.job)
        work = Work(self._order(attempt, cell, runner), self._store, self._parser, place=self._place)
        self._works[cell.job.id] = (work, runner, cell)
        self._inbox.hold()
        job = cell.job.id
        thread = threading.Thread(
            target=self._perform, args=(attempt, job, work), name=f"forge-job-{job}", daemon=True
        )
        self._threads.add(thread)
        thread.start()

    def _perform(self, attempt: Attempt, job: int, work: Work) -> None:
        """In the job's own thread."""
        outcome = Outcome(conclusion=graph.FAILURE)
        try:
            outcome = work.run()
        finally:
            self._threads.discard(threading.current_thread())
            self._inbox.put(lambda: self._finished(attempt, job, outcome))
            self._inbox.release()

    def _order(self, attempt: Attempt, cell: Cell, runner: Runner) -> Order:
        assert cell.job is not None
        run, repository = attempt.run, self._store.repository(attempt.run.repository)
        folder = self._place.folder / "jobs" / str(cell.job.id)
        environment, known = self._environment(attempt, cell).lower(), attempt.known(cell.node)
        own = {} if run.fork else repository.environment_variables.get(environment, {})
        return Order(
            run=run,
            job=cell.job,
            runner=runner,
            repository=repository,
            environment=environment,
            job_id=cell.node.id,
            document=jobfile.unbound(attempt, cell, folder / "outputs"),
            contexts={
                **known,
                "vars": {**known["vars"], **own},
                "matrix": dict(cell.combination),
                "strategy": dict(cell.strategy),
            },
            permissions=permissions.effective(
                attempt.document.get("permissions"),
                cell.node.spec.get("permissions"),
                default=repository.default_permissions,
                read_only=run.fork,
            ),
            folder=folder,
        )

    def _finished(self, attempt: Attempt, job: int, outcome: Outcome) -> None:
        _, _, cell = self._works.pop(job)
        doomed = attempt.finish(cell, outcome.conclusion, outcome.outputs)
        self._record_end(attempt, cell)
        self._end_cells(attempt, doomed)
        self._advance(attempt)
        self._assign()

    def _kill(self, name: str) -> None:
        for work, runner, _ in list(self._works.values()):
            if runner.name == name:
                work.kill()

    # -- the clock

    def _tick(self) -> None:
        """Deadlines, on the forge's clock."""
        now = self._store.now()
        for work, _, cell in list(self._works.values()):
            if now - cell.since > cell.timeout_s:
                work.cancel(
                    f"The job has exceeded the maximum execution time of {cell.timeout_s / 60:g} minutes."
                )
        for attempt in self._active():
            late = [c for c in attempt.cells if c.state == QUEUED and now - c.since > QUEUE_LIMIT_S]
            for cell in late:
                if cell.state == QUEUED:
                    self._end_unstarted(attempt, cell, graph.FAILURE, EXPIRED)
            if late:
                self._advance(attempt)
                self._assign()
