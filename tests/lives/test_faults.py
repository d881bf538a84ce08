"""GitHub's own faults around a sweep: one status comment, nothing twice, the ledger as without them."""

from collections.abc import Callable

import pytest

from tests.lives.world import FAST, KEY, Life, change, small

pytestmark = [pytest.mark.act, pytest.mark.clients]

FAULTS = (
    "lost POST */issues/*/comments",
    "error_after PATCH */issues/comments/* times=2",
    "error_before GET */issues/*/comments times=2",
    "broken_page GET */actions/runs/*/jobs",
    "error_before GET */actions/artifacts/*/zip times=2",
    "secondary_limit GET */pulls/* seconds=1",
    "error_before GET */actions/runs/*/artifacts times=2",
    "duplicate pull_request.labeled",
    "duplicate workflow_run.completed times=0",
    "late workflow_run.in_progress seconds=3",
)


def test_faults_of_github_change_nothing_that_people_see(live: Callable[..., Life]) -> None:
    life = live(small({KEY: [1]}))
    rules = [life.forge.fault(text) for text in FAULTS]
    number = life.propose(change(life.tree, KEY), FAST)
    life.rest()
    assert [text for text, rule in zip(FAULTS, rules, strict=True) if not rule.hits] == []
    run = life.sweeps()[-1]
    assert life.states(run.id) == {"C1": "valid"}
    assert "1 of 1 points valid" in life.status(number)
    assert [one.conclusion for name in ("control", "report") for one in life.runs(name)].count("failure") == 0
