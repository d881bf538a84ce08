"""From webhook to jobs, on the embedded GitHub with the real workflow files."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from infx.forge.actions.parser import Parser
from tests.lives.world import FAST, KEY, Life, change, small

ROUNDS = 3
PLAN_LIMIT_S = 3.0
QUEUED_LIMIT_S = 5.0


def bench() -> None:
    """Print the seconds from webhook to the end of the plan job, and from label to the first queued cell."""
    plans, cells = [], []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder, Parser() as parser:
            life = Life(Path(folder), parser, small({KEY: [1, 2]}), clusters=0)
            try:
                plans.append(_opened(life))
                cells.append(_labelled(life))
            finally:
                life.close()
    print(f"webhook to the end of the plan job: {_told(plans)} (at most {PLAN_LIMIT_S:g} s)")
    print(f"label to the first cell queued: {_told(cells)} (at most {QUEUED_LIMIT_S:g} s)")


def _told(seconds: list[float]) -> str:
    return ", ".join(f"{one:.2f} s" for one in sorted(seconds))


def _opened(life: Life) -> float:
    life.mia.push("change", change(life.tree, KEY), message="Change")
    begin = time.perf_counter()
    life.mia.open_pull("change", title="Longer prompts")
    taken = _until(begin, lambda: any(_planned(life, run.id) for run in life.runs()))
    life.rest()
    return taken


def _planned(life: Life, run: int) -> bool:
    return any(job.name == "plan" and job.status == "completed" for job in life.jobs(run))


def _labelled(life: Life) -> float:
    begin = time.perf_counter()
    life.mia.label(1, FAST)
    taken = _until(begin, lambda: bool(life.sweeps()))
    life.rest()
    return taken


def _until(begin: float, done: Callable[[], bool]) -> float:
    while not done():
        time.sleep(0.01)
    return time.perf_counter() - begin
