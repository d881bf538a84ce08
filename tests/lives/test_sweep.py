"""From label to results: the demo's own change, measured for real."""

from collections.abc import Callable

import pytest

from infx.point import EVAL, THROUGHPUT
from tests.lives.project import CHANGELOG
from tests.lives.world import DEMO, FAST, KEY, Life, base

pytestmark = [pytest.mark.act, pytest.mark.clients, pytest.mark.node]
AGENTIC = f"{KEY}-agentic"


def proposed(tree: dict[str, bytes]) -> dict[str, str | bytes | None]:
    """Shorter input for one key and another ladder for both."""
    master = tree[DEMO].decode()
    master = master.replace("isl: 512", "isl: 384").replace("[1, 2, 4, 8]", "[1, 2, 4, 6]")
    entry = (
        f"\n- config-keys:\n    - {KEY}\n    - {AGENTIC}\n  description:\n    - Shorter input\n"
        "  pr-link: https://github.com/infx-dev/infx/pull/XXX\n"
    )
    return {DEMO: master, CHANGELOG: tree[CHANGELOG] + entry.encode()}


def test_a_labelled_pull_request_becomes_a_sweep(live: Callable[..., Life]) -> None:
    life = live(base())
    number = life.propose(proposed(life.tree), FAST)
    life.rest(limit_s=300)
    [run] = life.sweeps()
    measured(life, run.id)
    shown(life.status(number), run.id)
    silent_cells(life, run.id)


def measured(life: Life, run: int) -> None:
    """Every cell is green, every point is valid, the published files hold what was measured."""
    assert life.store.run(run).conclusion == "success"
    assert set(life.cells(run).values()) == {"success"}
    ledger = life.ledger(run)
    assert (ledger.planned(THROUGHPUT), ledger.planned(EVAL)) == (8, 1)
    assert ledger.complete
    assert [key.canary is not None for key in life.plan(run).keys] == [True, True]
    rows = life.json(run, "results_bmk", "agg_bmk.json")
    assert sorted(row["conc"] for row in rows) == [1, 1, 2, 4, 4, 6, 16, 64]
    assert all(row["tput_per_gpu"] > 0 and row["hw"] for row in rows)
    [score] = life.json(run, "eval_results_all", "agg_eval_all.json")
    assert score["score"] >= 0.9
    assert b"<html" in life.files(run, "report")["index.html"]
    assert {"run-stats", "changelog-metadata", "plan", "facts"} <= life.artifacts(run)


def shown(text: str, run: int) -> None:
    """Verdict, points, links, and what still blocks."""
    assert "8 of 8 points and 1 of 1 evals valid" in text
    assert f"/actions/runs/{run}" in text
    assert "2 things still block the merge" in text
    assert "nothing authorised: /use" in text
    assert text.count(" valid · ") == 8


def silent_cells(life: Life, run: int) -> None:
    cells = {job.id for job in life.jobs(run) if "cluster:local" in job.labels}
    assert [one for one in life.requests() if one.job in cells] == []
