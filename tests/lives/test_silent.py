"""Heads for which nothing starts: control says which of the reasons it is."""

from collections.abc import Callable

import pytest

from tests.lives.world import DEMO, FAST, KEY, Life, change, small

pytestmark = pytest.mark.act


@pytest.mark.parametrize(
    ("message", "runs", "said"),
    [
        ("Change [skip-sweep]", ["success"], "the gate runs, GPUs do not"),
        ("Change [skip ci]", [], "so GitHub starts nothing"),
    ],
)
def test_a_head_that_asks_for_nothing(
    live: Callable[..., Life], message: str, runs: list[str], said: str
) -> None:
    life = live(small({KEY: [1, 2]}), clusters=0)
    life.mia.push("change", change(life.tree, KEY), message=message)
    number = life.mia.open_pull("change", title="Longer prompts", labels=[FAST])
    life.rest()
    assert life.sweeps() == []
    assert {run.conclusion for run in life.runs()} == set(runs)
    assert said in life.status(number)


def test_a_conflict_is_named(live: Callable[..., Life]) -> None:
    life = live(small({KEY: [1, 2]}), clusters=0)
    number = life.propose(change(life.tree, KEY), FAST)
    life.rest()
    count = len(life.sweeps())
    life.mia.push("main", {DEMO: life.tree[DEMO].decode().replace("isl: 32", "isl: 48")}, message="Other")
    life.mia.push_to_pull(number, {"README.md": "more\n"}, message="More")
    life.rest()
    assert len(life.sweeps()) == count
    assert "conflicts with its base" in life.status(number)
