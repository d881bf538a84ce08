"""The pull request that added the H200 agentic recipe, as first proposed. There is no GPU here."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from infx.point import EVAL
from tests.lives.project import H200_KEY, MASTER, before_h200, h200_as_first_proposed
from tests.lives.world import FAST, Life, base, repository

pytestmark = pytest.mark.act
LADDER = [1, 4, 4, 8, 8, 12, 12, 16, 16]


def test_it_waits_for_its_runner_and_says_so(live: Callable[..., Life]) -> None:
    tree = base()
    life = live(before_h200(tree))
    number = life.propose(h200_as_first_proposed(tree), FAST)
    life.rest()
    [run] = life.sweeps()
    plan = life.plan(run.id)
    evals = [point for point in plan.points if point.mode == EVAL]
    assert sorted(point.row["conc"] for point in plan.points if point.mode != EVAL) == LADDER
    assert [(point.task, point.row["conc"], point.row["kv-offloading"]) for point in evals] == [
        ("gsm8k", 16, "none")
    ]
    [key] = plan.keys
    assert [plan.by_id[str(one)].title for one in (key.canary, key.candidates[0])] == ["C1", "C4"]
    assert life.cells(run.id) == {f"canary {H200_KEY} C1": None}
    waits(life.status(number))


def waits(text: str) -> None:
    """Preview and what it waits for, in one comment."""
    assert "C1 waits for a runner with label `cluster:h200-dgxc`" in text
    assert "9 points and 1 eval" in text
    assert "| C1, deadline 90 min | C4 |" in text


def test_test_config_prints_its_rows(tmp_path: Path) -> None:
    tree = base()
    folder = repository(tmp_path, {**tree, **h200_as_first_proposed(tree)})
    words = ["matrix", "generate", "test-config", "--config-files", MASTER, "--config-keys", H200_KEY]
    argv = [sys.executable, "-m", "infx", *words]
    rows = json.loads(subprocess.run(argv, cwd=folder, capture_output=True, check=True, text=True).stdout)
    assert sorted(row["conc"] for row in rows) == LADDER
