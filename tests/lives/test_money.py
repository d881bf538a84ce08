"""The money guard: a plan over the ceiling waits for the label that lifts it, and people are told."""

from collections.abc import Callable

import pytest

from tests.lives.world import FAST, KEY, Life, change, small

pytestmark = [pytest.mark.act, pytest.mark.clients]
GRANT = "gpu-budget-approved"
POLICY = "max-gpu-hours: { plan: 0.001, pull: null }\n"


def test_a_plan_over_the_ceiling_waits_for_a_maintainer(live: Callable[..., Life]) -> None:
    life = live(small({KEY: [1, 2]}, policy=POLICY))
    number = life.propose(change(life.tree, KEY))
    life.rest()
    assert f"max-gpu-hours allows 0 a plan: the sweep waits for '{GRANT}'" in life.status(number)
    life.mia.label(number, FAST)
    life.rest()
    assert life.sweeps() == []
    assert "over-budget" in life.status(number)
    life.forge.user("will")
    life.forge.role("infx-dev/infx", "will", "write")
    life.at("will").label(number, GRANT)
    life.rest()
    assert life.sweeps() == []
    life.mia.unlabel(number, GRANT)
    life.mia.label(number, GRANT)
    life.rest()
    [run] = life.sweeps()
    assert life.states(run.id) == {"C1": "valid", "C2": "valid"}
