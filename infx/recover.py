"""Recover: starts the ingest workflow for what was missed, and follows it to its end."""

import time
from collections.abc import Callable

from infx.errors import CouldNotTell, Refused
from infx.event import Run
from infx.publish import Publisher

POLL_S = 10.0
LIMIT_S = 1800.0
RECENT = 20
"""Dispatched runs that are looked through for the one that was just started."""


def recover(at: Publisher, *, commit: str, sleep: Callable[[float], None] = time.sleep) -> int:
    """0 when the run that this starts ends well. Refused with its address when it does not."""
    name, branch = at.rules.layout.ingest_workflow, at.github.default_branch()
    full = at.git.resolve(commit) if commit else ""
    before = max((run.id for run in _dispatched(at)), default=0)

    def started() -> Run | None:
        return next((run for run in _dispatched(at) if run.id > before), None)

    at.github.dispatch(name, branch, inputs={"commit": full}, find=started)
    run = _until(started, sleep=sleep, what=f"{name} did not start")
    at.world.note(f"infx: run {run.id} recovers {full[:12] or 'everything that was missed'}: {run.url}")

    def ended() -> Run | None:
        now = at.github.run(run.id)
        return now if now.status == "completed" else None

    done = _until(ended, sleep=sleep, what=f"run {run.id} has not ended")
    if done.conclusion != "success":
        raise Refused(f"run {done.id} ended in {done.conclusion}", where=done.url, todo="see its summary")
    at.world.say(f"run {done.id} published what was missed")
    return 0


def _dispatched(at: Publisher) -> list[Run]:
    return at.github.runs(at.rules.layout.ingest_workflow, event="workflow_dispatch", newest=RECENT)


def _until(look: Callable[[], Run | None], *, sleep: Callable[[float], None], what: str) -> Run:
    for _ in range(int(LIMIT_S / POLL_S)):
        if found := look():
            return found
        sleep(POLL_S)
    raise CouldNotTell(f"{what} within {LIMIT_S / 60:.0f} minutes", todo="look at the Actions page")
