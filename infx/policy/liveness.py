"""Whether a wanted sweep is alive: nothing started, started but empty, or waiting for a runner."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from infx.decision import Decision
from infx.event import JobView, Run

PATIENCE_S = 600
"""Seconds after which a push or label without a run, or a run without a job, will not move by itself."""

QUEUE_LIMIT_H = 24
"""Hours that a job may wait for a self-hosted runner (docs: Usage limits for self-hosted runners)."""
UNSTARTED = "startup_failure"
"""Conclusion of a run whose workflow file GitHub could not read."""
NAMED = 3
"""Most waiting jobs that are named."""


class Life(StrEnum):
    NOT_WANTED = "not-wanted"
    TOO_EARLY = "too-early"
    NO_RUN = "no-run-for-head"
    EMPTY = "stuck-with-no-jobs"
    WAITING = "waiting-for-runner"
    EXPIRING = "queue-expiring"
    """GitHub will soon give up waiting for a runner."""
    RUNNING = "running"
    FINISHED = "finished"


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What GitHub shows for one head of a pull request."""

    head_sha: str
    wanted: bool
    """Exactly one primary label is on, and nothing else stops a sweep."""
    since: float
    """Unix seconds since when it is wanted: the newer of push and label."""
    runs: Sequence[Run] = ()
    """Runs of the sweep workflow, of any head."""
    jobs: Sequence[JobView] = ()
    """Jobs of the newest run of this head."""
    queue_hours: float = 20
    """Hours in the queue after which somebody has to act."""


RESTART = "remove the primary label and add it again; no commit is needed"


def liveness(facts: Facts, now: float) -> Decision:
    """Kind is a `Life`; `go` is false when a person has to act. `now` is Unix seconds."""
    runs = [run for run in facts.runs if run.head_sha == facts.head_sha]
    if not facts.wanted:
        return _told(Life.NOT_WANTED, "no sweep is asked for")
    if not runs:
        if now - facts.since < PATIENCE_S:
            return _told(Life.TOO_EARLY, "no run yet for this head")
        return _told(Life.NO_RUN, f"nothing was ever started for {facts.head_sha[:7]}; {RESTART}", go=False)
    newest = max(runs, key=lambda run: (run.id, run.attempt))
    return _of_run(newest, facts, now)


def _of_run(run: Run, facts: Facts, now: float) -> Decision:
    jobs = facts.jobs
    age = now - datetime.fromisoformat(run.created_at).timestamp() if run.created_at else 0
    if run.conclusion == UNSTARTED:
        todo = "mend the workflow file that its page names, and push"
        return _told(Life.EMPTY, f"run {run.id} could not start, so it has no job; {todo}", go=False)
    if run.status == "completed":
        return _told(Life.FINISHED, f"run {run.id} ended: {run.conclusion or 'unknown'}")
    if not jobs:
        if age < PATIENCE_S:
            return _told(Life.TOO_EARLY, f"run {run.id} has no jobs yet")
        minutes = int(age // 60)
        return _told(
            Life.EMPTY,
            f"run {run.id} has no job after {minutes} minutes; cancel it, then {RESTART}",
            go=False,
        )
    waiting = [job for job in jobs if job.status not in ("in_progress", "completed")]
    if waiting and not any(job.status == "in_progress" for job in jobs):
        return _waiting(waiting, age / 3600, facts.queue_hours)
    return _told(Life.RUNNING, f"run {run.id} is running")


def _waiting(jobs: Sequence[JobView], hours: float, most: float) -> Decision:
    labels = ", ".join(sorted({label for job in jobs for label in job.labels}))
    names = f" ({', '.join(job.name for job in jobs)})" if len(jobs) <= NAMED else ""
    since = f" for {hours:.0f} h" if hours >= 1 else ""
    wait = "1 job waits" if len(jobs) == 1 else f"{len(jobs)} jobs wait"
    text = f"{wait}{since} for a runner with label {labels}{names}"
    if hours < most:
        return _told(Life.WAITING, text)
    todo = f"GitHub gives up after {QUEUE_LIMIT_H} h: bring a runner online, or cancel the sweep"
    return _told(Life.EXPIRING, f"{text}; {todo}", go=False)


def _told(kind: Life, reason: str, *, go: bool = True) -> Decision:
    return Decision(decision="liveness", go=go, kind=kind, reason=reason)
