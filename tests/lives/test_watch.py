"""What no event tells of is found by the clock."""

from collections.abc import Callable

import pytest

from tests.lives.world import DEMO, FAST, KEY, NAME, Life, change, small

pytestmark = pytest.mark.act
CONTROL = ".github/workflows/control.yml"


def hour(life: Life) -> None:
    """The clock reaches control's schedule."""
    life.forge.schedule(NAME, CONTROL, cron="23 * * * *")
    life.rest()


def age(life: Life, hours: float) -> None:
    """Everything in the repository happened so much earlier: jobs look at the machine's clock."""
    then = life.forge.site.stamp(-hours * 3600)
    for table, column in (("runs", "created_at"), ("issues", "updated_at")):
        life.forge.site.db.run(f"UPDATE {table} SET {column} = ?", then)


def test_a_conflict_that_main_brought_is_named_without_an_event(live: Callable[..., Life]) -> None:
    life = live(small({KEY: [1, 2]}), clusters=0)
    life.mia.push("change", change(life.tree, KEY), message="Change [skip ci]")
    number = life.mia.open_pull("change", title="Longer prompts", labels=[FAST])
    life.rest()
    hour(life)
    assert "**skip-word**" in life.status(number)
    life.mia.push_to_pull(number, {"README.md": "more\n"}, message="More")
    life.rest()
    assert "**skip-word**" not in life.status(number)
    life.mia.push("main", {DEMO: life.tree[DEMO].decode().replace("isl: 32", "isl: 48")}, message="Other")
    life.rest()
    assert life.runs("control")[-1].conclusion == "success"


def test_a_sweep_that_waits_is_told_before_github_gives_up(live: Callable[..., Life]) -> None:
    life = live(small({KEY: [1, 2]}), clusters=0)
    number = life.propose(change(life.tree, KEY), FAST)
    life.rest()
    hour(life)
    assert "waiting-for-runner**" not in life.status(number)
    age(life, 3)
    hour(life)
    assert (
        "⏳ **waiting-for-runner** `1 job waits for 3 h for a runner with label cluster:local"
        in life.status(number)
    )
    age(life, 21)
    hour(life)
    assert "⚠️ **queue-expiring**" in life.status(number)
    assert "GitHub gives up after 24 h" in life.status(number)
    assert len([one for one in life.comments(number) if one.body.startswith("<!-- infx:status")]) == 1
