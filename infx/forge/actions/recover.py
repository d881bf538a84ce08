"""Runs that an earlier life of the forge left unfinished: their jobs died with it."""

from infx.forge.actions import graph
from infx.forge.actions.work import LOST, stamp
from infx.forge.ports import Store


def give_up(store: Store, repository: str) -> None:
    """End them: what ran failed, what waited is cancelled. Nothing is started again."""
    now = stamp(store.now())
    for run in store.unfinished_runs(repository):
        for job in store.jobs(run.id, run.attempt):
            if job.status == "completed":
                continue
            ran = job.status == "in_progress"
            store.append_log(job.id, f"{now} ##[error]{LOST}\n")
            conclusion = graph.FAILURE if ran else graph.CANCELLED
            store.change_job(job.id, status="completed", conclusion=conclusion, completed_at=now)
        store.change_run(run.id, status="completed", conclusion=graph.FAILURE)
