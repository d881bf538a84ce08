"""Cells that fail, engines that die, machines that are lost."""

from collections.abc import Callable

import pytest

from tests.lives.world import BARE, FAST, KEY, Life, change, faulty, small

pytestmark = [pytest.mark.act, pytest.mark.clients, pytest.mark.node]


def test_the_first_failure_cuts_the_rest_of_its_shard(live: Callable[..., Life]) -> None:
    life = live(small({KEY: [1, 2, 4, 8, 16]}))
    files = {**change(life.tree, KEY), **faulty(life.tree, {"64-2": "die-loading", "64-4": "hang-at=1"})}
    number = life.propose(files, FAST)
    life.rest()
    [run] = life.sweeps()
    cells, states = life.cells(run.id), life.states(run.id)
    assert sorted(str(end) for end in cells.values()) == [*["cancelled"] * 3, "failure", "success"]
    assert states == {
        "C1": "valid",
        "C2": "invalid(engine-died-loading)",
        "C4": "not-started(fail-fast)",
        "C8": "not-started(fail-fast)",
        "C16": "not-started(fail-fast)",
    }
    said = life.log(life.job(run.id, "collect"))
    assert f"first: {KEY} C2 invalid(engine-died-loading)" in said
    assert "C2" in life.status(number).split("**Points**")[0]


def test_an_engine_that_is_killed_while_it_is_measured(live: Callable[..., Life]) -> None:
    life = live(small({KEY: [1, 2]}))
    number = life.propose({**change(life.tree, KEY), **faulty(life.tree, {"64-2": "die-after=4"})}, FAST)
    life.rest()
    [run] = life.sweeps()
    assert life.states(run.id) == {"C1": "valid", "C2": "invalid(engine-died)"}
    assert "engine-died" in life.status(number)


def test_a_runner_that_dies_leaves_a_point_missing(live: Callable[..., Life]) -> None:
    # A lost runner earns a second attempt, in which this engine would hang again.
    life = live(small({KEY: [1, 2]}, policy="auto-rerun: 0\n"))
    files = {**change(life.tree, KEY), **faulty(life.tree, {"64-2": "hang-at=1"})}
    number = life.propose(files, BARE)
    life.until(life.sweeps)
    [run] = life.sweeps()
    life.until(lambda: life.measuring(run.id, "C2"))
    life.kill(run.id, "C2")
    life.rest()
    assert life.states(run.id) == {"C1": "valid", "C2": "missing(no-artifact)"}
    assert "no-artifact" in life.status(number)
