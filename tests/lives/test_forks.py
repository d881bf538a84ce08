"""Pull requests from forks: a maintainer's label measures exactly the head that was seen."""

from collections.abc import Callable

import pytest

from tests.lives.world import FAST, KEY, NAME, Life, change, small

pytestmark = [pytest.mark.act, pytest.mark.clients]


def from_fork(life: Life) -> int:
    """Opened by fred, who has no rights in the repository; somebody approved fred's runs before."""
    life.forge.user("fred")
    life.forge.configure(NAME, approval="none")
    fork = life.forge.at(life.at("fred").fork(), "fred")
    fork.push("change", change(life.tree, KEY), message="Change")
    number = life.at("fred").open_pull("fred:change", title="Longer prompts")
    life.rest()
    return number


def test_a_label_approves_one_head_of_a_fork(live: Callable[..., Life]) -> None:
    life = live(small({KEY: [1, 2]}))
    number = from_fork(life)
    assert life.sweeps() == []
    life.mia.label(number, FAST)
    life.rest()
    [run] = life.sweeps()
    head = life.mia.pull(number)["head"]["sha"]
    assert (run.event, life.plan(run.id).head_sha, run.conclusion) == ("workflow_dispatch", head, "success")
    assert life.states(run.id) == {"C1": "valid", "C2": "valid"}
    assert f"Sweep of {head[:7]}: 2 of 2 points valid" in life.status(number)
    life.at("fred").push_to_pull(number, {"README.md": "more\n"}, message="More")
    life.rest()
    assert len(life.sweeps()) == 1
    assert "needs approval" in life.status(number)
