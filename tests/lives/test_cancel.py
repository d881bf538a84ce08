"""Sweeps that people stop: exactly the right run ends, and nothing of it is left."""

from collections.abc import Callable

import pytest

from infx.forge.ports import Run
from tests.lives.project import CHANGELOG
from tests.lives.world import BARE, DEMO, FAST, KEY, Life, change, faulty, small

pytestmark = [pytest.mark.act, pytest.mark.clients, pytest.mark.node]


def measuring(life: Life, label: str = FAST) -> tuple[int, Run]:
    """A pull request whose sweep measures something that never ends by itself."""
    number = life.propose({**change(life.tree, KEY), **faulty(life.tree, {"64-1": "hang-at=1"})}, label)
    life.until(life.sweeps)
    [run] = life.sweeps()
    life.until(lambda: life.measuring(run.id, "C1"))
    return number, run


def ended(life: Life, run: Run) -> None:
    """Cancelled, its record is there, and nobody measures any more."""
    life.rest()
    assert life.store.run(run.id).conclusion == "cancelled"
    assert "cancelled" in life.cells(run.id).values()
    assert life.states(run.id)["C1"] == "missing(cancelled)"


@pytest.mark.parametrize("how", ["unlabel", "close"])
def test_a_sweep_is_cancelled(live: Callable[..., Life], how: str) -> None:
    life = live(small({KEY: [1, 2]}))
    number, run = measuring(life)
    life.mia.unlabel(number, FAST) if how == "unlabel" else life.mia.close(number)
    ended(life, run)
    assert [one.id for one in life.sweeps()] == [run.id]
    assert "cancelled" in life.status(number)


def test_a_push_replaces_the_sweep(live: Callable[..., Life]) -> None:
    life = live(small({KEY: [1, 2]}))
    number, old = measuring(life)
    head = life.mia.push_to_pull(number, faulty(life.tree, {}), message="Without the fault")
    ended(life, old)
    new = life.sweeps()[-1]
    assert (len(life.sweeps()), new.head_sha, new.conclusion) == (2, head, "success")
    assert set(life.states(new.id).values()) == {"valid"}
    assert f"Sweep of {head[:7]}" in life.status(number)


def test_a_sweep_of_another_pull_request_goes_on(live: Callable[..., Life]) -> None:
    life = live(small({KEY: [1, 2]}))
    _, mine = measuring(life, BARE)
    master = change(life.tree, KEY, isl=96)
    other = life.propose({DEMO: master[DEMO], CHANGELOG: master[CHANGELOG]}, BARE, branch="other")
    life.until(lambda: len(life.sweeps()) == 2)
    life.mia.unlabel(other, BARE)
    life.until(lambda: life.store.run(life.sweeps()[1].id).status == "completed")
    assert life.store.run(mine.id).status == "in_progress"
    assert life.measuring(mine.id, "C1")
