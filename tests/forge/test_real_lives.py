"""A few random lives with the real engine: workflow files of one step, run by act."""

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from infx.forge.actions.engine import Engine
from infx.forge.forge import Forge
from tests.forge.client import REPO, Client

SEED = os.environ.get("INFX_SEED", "")
SWEEP = """\
name: Sweep
on: {pull_request: {types: [labeled, synchronize]}}
concurrency: {group: "sweep-${{ github.event.number }}", cancel-in-progress: true}
jobs:
  measure:
    runs-on: ubuntu-latest
    steps:
      - run: test "${{ github.event.label.name }}" != broken
"""
LABELS = ("sweep", "evals-only", "broken")
ACTS = ("label", "label", "push", "comment", "rerun", "cancel", "wait")
COUNTS = "SELECT count(*) FROM deliveries WHERE name = ? AND action = ?"


@pytest.fixture
def forge(tmp_path: Path) -> Iterator[Forge]:
    def engine(store: Any, url: str) -> Engine:
        return Engine(store, folder=tmp_path / "jobs", api_url=f"{url}/api/v3", results_url=f"{url}/")

    with Forge.start(tmp_path / "forge", engine) as forge:
        forge.create_repo(REPO)
        forge.runner("hosted-0", ["ubuntu-latest"], hosted=True)
        forge.role(REPO, "will", "write")
        yield forge


class RealLife:
    def __init__(self, forge: Forge, seed: int) -> None:
        self.forge, self.dice = forge, random.Random(seed)
        self.will, self.client = forge.at(REPO, "will"), Client(forge.api, forge.user("will"))
        self.will.push("main", {".github/workflows/sweep.yml": SWEEP}, message="workflow")
        self.heads = [self.will.push("feature", {"a": "0"}, message="a")]
        self.number = self.will.open_pull("feature", title="Life")
        self.labels: set[str] = set()
        self.started = self.again = 0

    def runs(self) -> list[Any]:
        found: list[Any] = self.client("GET", f"/repos/{REPO}/actions/runs?per_page=100").json[
            "workflow_runs"
        ]
        return found

    def label(self) -> None:
        name = self.dice.choice(LABELS)
        self.will.label(self.number, name)
        self.started += name not in self.labels
        self.labels.add(name)

    def push(self) -> None:
        self.heads.append(self.will.push("feature", {"a": str(len(self.heads))}, message="more"))
        self.started += 1

    def comment(self) -> None:
        self.will.comment(self.number, "/sweep")

    def rerun(self) -> None:
        done = [run["id"] for run in self.runs() if run["status"] == "completed"]
        if done:
            chosen = self.dice.choice(done)
            self.again += self.client("POST", f"/repos/{REPO}/actions/runs/{chosen}/rerun").status == 201

    def cancel(self) -> None:
        for run in self.runs():
            if run["status"] != "completed":
                self.client("POST", f"/repos/{REPO}/actions/runs/{run['id']}/cancel")

    def wait(self) -> None:
        assert self.forge.wait_idle(60)

    def count(self, name: str, action: str) -> int:
        return int(self.forge.site.db.value(COUNTS, name, action))


@pytest.mark.act
@pytest.mark.parametrize("seed", [int(SEED)] if SEED else range(6))
def test_a_real_life(forge, seed):
    """Every run has its event and its end, and every attempt tells its end once."""
    life = RealLife(forge, seed)
    for act in life.dice.choices(ACTS, k=8):
        getattr(life, act)()
    life.wait()
    runs = life.runs()
    assert len(runs) == life.started == life.count("workflow_run", "requested")
    assert {run["status"] for run in runs} <= {"completed"}
    assert {run["conclusion"] for run in runs} <= {"success", "failure", "cancelled"}
    assert {run["head_sha"] for run in runs} <= set(life.heads)
    assert sum(run["run_attempt"] for run in runs) == life.started + life.again
    assert life.count("workflow_run", "completed") == life.started + life.again
    jobs = life.count("workflow_job", "completed")
    assert jobs == forge.site.db.value("SELECT count(*) FROM jobs WHERE status = 'completed'")
    assert not forge.site.db.value("SELECT count(*) FROM jobs WHERE status != 'completed'")
