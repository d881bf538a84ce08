from dataclasses import replace
from typing import Any

import pytest

from infx.matrix.points import Labels, Origin, build
from infx.matrix.release import release
from infx.matrix.split import key_plans
from infx.plan import Plan
from infx.point import Point
from infx.record import Outcome, Record
from tests.matrix.rows import CANARY, disagg, fixed, point, trace

ORIGIN = Origin(repository="o/r", pr=1, head_sha="a" * 40, merge_base="b" * 40)
ROWS = [point(trace(conc), "k") for conc in (1, 2, 4)]
NOT_SUCCESS = [
    Outcome.FAILURE,
    Outcome.CANCELLED,
    Outcome.NOT_STARTED,
    Outcome.INVALID,
    Outcome.TIMEOUT,
    None,
]


def plan(points: list[Point], *, canary: bool = True, fail_fast: bool = False) -> Plan:
    keys = key_plans(points, canary=canary, seconds={}, rule=CANARY)
    labels = Labels(primary="the-label", canary=canary, fail_fast=fail_fast)
    return build(points, keys, origin=ORIGIN, labels=labels, metadata={})


def record(made: Point, outcome: Outcome | None, **fields: Any) -> dict[str, Record]:
    if outcome is None:
        return {}
    base = Record(
        point=made.id,
        identity=made.identity,
        fingerprint=made.fingerprint.as_json(),
        outcome=outcome,
        sha="a" * 40,
        run_id=1,
        attempt=1,
        node="n1",
        started=0,
        ended=1,
    )
    return {made.id: replace(base, **fields)}


def test_C31_a_canary_that_succeeded_releases_the_rest_and_is_not_run_again() -> None:
    assert release(plan(ROWS), record(ROWS[0], Outcome.SUCCESS)).points == tuple(ROWS[1:])


@pytest.mark.parametrize("outcome", NOT_SUCCESS)
def test_C31_anything_but_success_releases_nothing(outcome: Outcome | None) -> None:
    done = release(plan(ROWS), record(ROWS[0], outcome))
    assert done.points == ()
    assert str(outcome or "no record") in done.blocked["k"]


def test_C31_canary_none_releases_every_row_without_a_record() -> None:
    assert release(plan(ROWS, canary=False), {}).points == tuple(ROWS)


@pytest.mark.parametrize("fields", [{"sha": "c" * 40}, {"fingerprint": {"row": "other"}}])
def test_a_success_of_other_work_releases_nothing(fields: dict[str, Any]) -> None:
    assert release(plan(ROWS), record(ROWS[0], Outcome.SUCCESS, **fields)).points == ()


@pytest.mark.parametrize("outcome", NOT_SUCCESS)
def test_C34_full_sweep_fail_fast_spends_one_job_when_the_canary_fails(outcome: Outcome | None) -> None:
    everything = [
        point(trace(1), "k"),
        point(fixed(4), "k"),
        point(disagg([8]), "k"),
        point(disagg([9]), "free"),
    ]
    done = release(plan(everything, fail_fast=True), record(everything[0], outcome))
    assert done.points == ()
    assert set(done.blocked) == {"k", "free"}


def test_fail_fast_releases_nothing_of_a_sibling_whose_canary_succeeded() -> None:
    bad, good, more = point(trace(1), "bad"), point(trace(1), "good"), point(trace(2), "good")
    records = record(bad, Outcome.FAILURE) | record(good, Outcome.SUCCESS)
    assert release(plan([bad, good, more], fail_fast=True), records).points == ()
    assert release(plan([bad, good, more]), records).points == (more,)


def test_after_a_deadline_the_next_candidate_releases_the_key() -> None:
    records = record(ROWS[0], Outcome.TIMEOUT) | record(ROWS[1], Outcome.SUCCESS)
    assert release(plan(ROWS), records).points == (ROWS[2],)
    assert release(plan(ROWS, fail_fast=True), records).points == (ROWS[2],)


def test_the_next_candidate_is_tried_once() -> None:
    records = (
        record(ROWS[0], Outcome.TIMEOUT) | record(ROWS[1], Outcome.TIMEOUT) | record(ROWS[2], Outcome.SUCCESS)
    )
    assert "next candidate C2: timeout" in release(plan(ROWS), records).blocked["k"]


def test_a_candidate_does_not_excuse_a_canary_that_failed() -> None:
    assert (
        release(plan(ROWS), record(ROWS[0], Outcome.FAILURE) | record(ROWS[1], Outcome.SUCCESS)).points == ()
    )


@pytest.mark.parametrize("outcome", [*NOT_SUCCESS, Outcome.SUCCESS])
def test_a_candidate_measured_in_an_older_attempt_is_part_of_the_fan_out(outcome: Outcome | None) -> None:
    """Re-run of all jobs: what a shard of the attempt before left is no word of this canary stage."""
    records = record(ROWS[0], Outcome.SUCCESS) | record(ROWS[1], outcome)
    assert release(plan(ROWS), records).points == tuple(ROWS[1:])
