"""GPU-hours of earlier sweeps: what was started counts, whatever came of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from infx.policy import gate
from infx.spent import near, spent
from infx.verdict import Kind
from tests.builders import FULL, event, rules
from tests.repo import Repo
from tests.sweeping import RULES, Life


@pytest.fixture
def life(tmp_path: Path) -> Life:
    made = Life(Repo(tmp_path))
    made.push()
    points = made.plan.points
    made.sweep(500, points[:5], failed=points[5:6])
    made.sweep(501, points[6:])
    return made


def hours(life: Life, before: int | None) -> float:
    return spent(life.sources.sweeps, life.pull, RULES.labels, before=before)


def test_every_started_point_of_an_earlier_run_counts(life: Life) -> None:
    one = life.plan.gpu_hours / 9
    assert hours(life, None) == pytest.approx(9 * one)
    assert hours(life, 501) == pytest.approx(6 * one)
    assert hours(life, 500) == 0


def test_a_run_that_still_goes_or_left_nothing_counts_for_nothing(life: Life) -> None:
    life.hub.known[501] = replace(life.hub.known[501], status="in_progress")
    life.hub.known[502] = replace(life.hub.known[501], id=502, status="completed")
    assert hours(life, None) == pytest.approx(life.plan.gpu_hours / 9 * 6)


@pytest.mark.parametrize(("hours", "ceiling", "looks"), [(1, 51, False), (1, 49, True), (1e9, None, False)])
def test_a_small_plan_costs_no_request(hours: float, ceiling: float | None, looks: bool) -> None:
    assert near(hours, ceiling) == looks


def test_the_ceiling_of_a_pull_request_counts_what_was_spent(life: Life) -> None:
    plan = life.plan.gpu_hours
    facts = event("labeled", FULL, (FULL,), points=9, gpu_hours=plan, gpu_hours_before=hours(life, None))
    policy = f"max-gpu-hours: {{plan: null, pull: {plan * 1.5}}}"
    assert gate.decide(facts, rules(policy)).kind == Kind.OVER_BUDGET
