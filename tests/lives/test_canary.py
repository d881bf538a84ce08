"""What a canary that fails or hangs means for everything behind it."""

from collections.abc import Callable

import pytest

from tests.lives.world import BARE, ENABLED, FAST, KEY, Life, change, faulty, small

pytestmark = [pytest.mark.act, pytest.mark.clients, pytest.mark.node]
OTHER = "demo-other-local-sim"
TWO_KEYS = {KEY: [1, 2], OTHER: [1, 2]}
DIES = {"64-1": "die-loading"}
"""The first point of the first key."""


def swept(life: Life, label: str, *keys: str, faults: dict[str, str]) -> int:
    """The run of a proposal whose engine has these faults."""
    life.propose({**change(life.tree, *keys), **faulty(life.tree, faults)}, label)
    life.rest()
    [run] = life.sweeps()
    return run.id


def test_C34_a_failing_canary_under_fail_fast_releases_nothing(live: Callable[..., Life]) -> None:
    life = live(small({KEY: [1, 2, 4]}))
    run = swept(life, FAST, KEY, faults=DIES)
    assert list(life.cells(run).values()) == ["failure"]
    assert life.states(run) == {
        "C1": "invalid(engine-died-loading)",
        "C2": "not-started(canary-failed)",
        "C4": "not-started(canary-failed)",
    }
    assert life.job(run, "collect").conclusion == "failure"
    assert "engine-died-loading" in life.status(1)


def test_a_failing_canary_without_fail_fast_stops_its_own_key_only(live: Callable[..., Life]) -> None:
    life = live(small(TWO_KEYS))
    run = swept(life, ENABLED, KEY, OTHER, faults=DIES)
    assert sorted(str(end) for end in life.cells(run).values()) == ["failure", "success", "success"]
    assert life.states(run) == {
        f"{KEY} C1": "invalid(engine-died-loading)",
        f"{KEY} C2": "not-started(canary-failed)",
        f"{OTHER} C1": "valid",
        f"{OTHER} C2": "valid",
    }


def test_without_a_canary_every_point_starts_at_once(live: Callable[..., Life]) -> None:
    life = live(small(TWO_KEYS))
    run = swept(life, BARE, KEY, OTHER, faults=DIES)
    assert [name for name in life.cells(run) if name.startswith("canary")] == []
    assert life.job(run, "canary ${{ matrix.cell.name }}").conclusion == "skipped"
    assert sorted(life.states(run).values()) == ["invalid(engine-died-loading)", "valid", "valid", "valid"]


def test_a_canary_that_hangs_gives_way_to_the_next_candidate(live: Callable[..., Life]) -> None:
    life = live(small({KEY: [1, 2, 4]}, policy="canary: {deadline-min: 0.4}\n"))
    run = swept(life, FAST, KEY, faults={"64-1": "hang-at=1"})
    assert life.states(run) == {"C1": "invalid(canary-timeout)", "C2": "valid", "C4": "valid"}
    assert len(life.cells(run)) == 2
    assert set(life.cells(run).values()) == {"success"}
    assert life.job(run, "collect").conclusion == "failure"
    assert "canary-timeout" in life.status(1)
