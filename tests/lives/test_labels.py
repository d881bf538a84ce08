"""Labels on the real workflows: which start, which change nothing, and who is told."""

from collections.abc import Callable

import pytest

from infx.say import comment
from tests.lives.world import BARE, ENABLED, FAST, KEY, Life, change, small

pytestmark = [pytest.mark.act, pytest.mark.node]
"""There is no runner for cells here: a sweep that started keeps waiting for one."""


@pytest.fixture
def life(live: Callable[..., Life]) -> Life:
    return live(small({KEY: [1, 2]}), clusters=0)


def test_C01_C02_C43_other_labels_leave_the_sweep_alone(life: Life) -> None:
    number = life.propose(change(life.tree, KEY), FAST)
    life.rest()
    [run] = life.sweeps()
    life.mia.label(number, "documentation", "full-sweep-fail-fest", "gpu-budget-approved")
    life.mia.unlabel(number, "documentation")
    life.rest()
    assert [one.id for one in life.sweeps()] == [run.id]
    assert life.store.run(run.id).status != "completed"
    assert list(life.cells(run.id).values()) == [None]


def test_C04_a_clash_is_repaired_without_a_commit(life: Life) -> None:
    number = life.propose(change(life.tree, KEY), FAST)
    life.rest()
    [first] = life.sweeps()
    life.mia.label(number, ENABLED)
    life.rest()
    assert [one.id for one in life.sweeps()] == [first.id]
    assert life.runs()[-1].conclusion == "failure"
    assert "contradict each other" in life.status(number)
    life.mia.unlabel(number, FAST)
    life.rest()
    assert len(life.sweeps()) == 2
    assert life.store.run(first.id).conclusion == "cancelled"
    assert life.store.run(life.sweeps()[1].id).status != "completed"
    assert "contradict each other" not in life.status(number)
    assert "is running" in life.status(number)
    assert life.mia.pull(number)["commits"] == 1


def test_a_modifier_alone_starts_nothing_until_a_primary_joins_it(life: Life) -> None:
    number = life.propose(change(life.tree, KEY), "all-evals")
    life.rest()
    assert life.sweeps() == []
    assert "needs a primary label" in life.status(number)
    life.mia.label(number, BARE)
    life.rest()
    assert len(life.sweeps()) == 1


def test_opened_with_labels_is_measured_once(life: Life) -> None:
    life.mia.push("change", change(life.tree, KEY), message="Change")
    number = life.mia.open_pull("change", title="Longer prompts", labels=[FAST, "all-evals"])
    life.rest()
    assert [one.action for one in life.runs()] == ["opened", "labeled", "labeled"]
    active = [one for one in life.runs() if one.status != "completed"]
    assert len(active) == 1
    assert [list(life.cells(one.id).values()) for one in active] == [[None]]
    welcome, status = life.comments(number)
    assert welcome.body.startswith("<!-- infx:welcome -->")
    assert status.body.startswith(comment.STATUS)


def test_a_reader_cannot_start_gpus(life: Life) -> None:
    life.forge.user("tom")
    life.forge.role("infx-dev/infx", "tom", "triage")
    number = life.propose(change(life.tree, KEY))
    life.at("tom").label(number, FAST)
    life.rest()
    assert life.sweeps() == []
    assert "counts from role write on" in life.status(number)
