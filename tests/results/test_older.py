"""The ledger of a run that recorded none: which row is of which point, and what it has to pass."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.event import LabelChange, Run
from infx.ledger import State
from infx.plan import Plan
from infx.point import Point
from infx.results import older
from infx.results.older import Rows, labels_at
from tests import builders

FLOORS = {"default": {"gsm8k": 0.9}, "models": {}}


def row(point: Point, **changes: Any) -> dict[str, Any]:
    """What the community's tooling publishes of a point."""
    told = {"tput_per_gpu": 10.0, "median_ttft": 0.1, "result_time": 1_780_000_000}
    return {**older.fields(point), **told, **changes}


@pytest.mark.parametrize("lacking", ["hw", "conc", "framework", "precision", "isl"])
def test_a_row_without_a_field_that_every_row_has_is_nobodys(lacking: str) -> None:
    plan = builders.plan(*[builders.point(4, isl=1024, osl=1024)])
    made = row(plan.points[0])
    del made[lacking]
    assert ledger(plan, Rows(throughput=[made])).counts[State.VALID] == 0


def test_a_row_of_older_tooling_may_lack_fields() -> None:
    plan = builders.plan(builders.point(4), builders.point(8))
    short = [{k: v for k, v in row(one).items() if k not in ("pp", "dcp_size")} for one in plan.points]
    assert ledger(plan, Rows(throughput=short)).complete


def test_a_row_that_fits_two_points_tells_of_none() -> None:
    plan = builders.plan(builders.point(4, tp=4), builders.point(4, tp=8))
    made = row(plan.points[0])
    del made["tp"]
    assert ledger(plan, Rows(throughput=[made])).counts[State.VALID] == 0


@pytest.mark.parametrize(
    ("times", "state", "value"),
    [
        ((1, 2), State.VALID, 20),
        ((2, 1), State.VALID, 10),
        ((2, 2), State.INVALID, None),
        ((0, 2), State.INVALID, None),
        (("2026-06-26T01:00:00Z", "2026-06-26T09:00:00Z"), State.VALID, 20),
        (("soon", "later"), State.INVALID, None),
    ],
)
def test_of_two_values_the_provably_newest_counts(times: Any, state: State, value: float | None) -> None:
    plan = builders.plan(builders.point(4))
    both = [
        row(plan.points[0], tput_per_gpu=10.0 * number, result_time=at)
        for number, at in enumerate(times, start=1)
    ]
    [found] = ledger(plan, Rows(throughput=both)).entries
    assert (found.state, (found.result or {}).get("tput_per_gpu")) == (state, value)
    assert found.reason == ("" if state == State.VALID else "ambiguous-duplicate")


@pytest.mark.parametrize(
    ("written", "state"),
    [({}, State.VALID), ({"tp": 8.0, "router": ""}, State.VALID), ({"tp": 8.5}, State.MISSING)],
)
def test_other_spellings_of_the_same_value(written: dict[str, Any], state: State) -> None:
    plan = builders.plan(builders.point(4))
    made = row(plan.points[0], **written) | {"conc": 4.0}
    [found] = ledger(plan, Rows(throughput=[made])).entries
    assert found.state == state


@pytest.mark.parametrize(
    ("score", "floors", "reason"),
    [
        (0.95, FLOORS, ""),
        (0.9, FLOORS, ""),
        (0.89, FLOORS, "below-threshold"),
        (None, FLOORS, "non-finite"),
        (0.95, {"default": {}, "models": {}}, "no-threshold-for-task"),
        (0.95, {"default": {"gsm8k": 0.9}, "models": {"qwen3.5": {"gsm8k": 0.97}}}, "below-threshold"),
    ],
)
def test_a_score_is_held_against_its_floor(score: Any, floors: Any, reason: str) -> None:
    plan = builders.plan(builders.point(16, task="gsm8k"))
    made = {**older.fields(plan.points[0]), "hw": "H200-DGXC", "score": score}
    [found] = older.ledger(Run(id=1), plan, Rows(evals=[made]), floors).entries
    assert (found.reason, found.state == State.VALID) == (reason, not reason)


def ledger(plan: Plan, found: Rows) -> Any:
    return older.ledger(Run(id=1, attempt=2), plan, found, FLOORS)


@given(st.lists(st.dictionaries(st.text(max_size=8), st.integers() | st.text(max_size=8) | st.none())))
def test_any_rows_give_a_state_to_every_point(found: list[dict[str, Any]]) -> None:
    plan = builders.plan()
    made = ledger(plan, Rows(throughput=found, evals=found))
    assert [one.point for one in made.entries] == [one.id for one in plan.points]
    assert made.counts[State.VALID] == 0


CHANGES = st.lists(
    st.builds(
        LabelChange,
        at=st.integers(1, 9).map("2026-06-0{}T00:00:00Z".format),
        label=st.sampled_from("ab"),
        on=st.booleans(),
    )
).map(lambda found: sorted(found, key=lambda one: one.at))


@given(CHANGES)
def test_a_label_is_there_whose_last_change_set_it(changes: list[LabelChange]) -> None:
    last = {one.label: one.on for one in changes}
    assert set(labels_at(changes, "2026-06-09T00:00:00Z")) == {name for name, on in last.items() if on}
    assert labels_at(changes, "2026-05-31T00:00:00Z") == ()
