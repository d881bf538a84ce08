"""The ledger knows what the artifacts prove, and says why the rest is not there."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.event import JobView
from infx.ledger import State
from infx.record import Outcome, Record
from infx.results.tally import Facts, carried, explained, jobs_of, ledger, newest
from tests import builders as build

ONE, FOUR, EVAL = build.point(1), build.point(4), build.point(16, task="gsm8k")
PLAN = build.plan(ONE, FOUR, EVAL)


def job(status: str, conclusion: str | None = None, **fields: Any) -> JobView:
    return JobView(**{"id": 1, "name": "", "status": status, "conclusion": conclusion, **fields})


def facts(**fields: Any) -> Facts:
    return Facts(**{"run_id": build.RUN, "attempt": 1, **fields})


def texts(*records: Any, plan: Any = PLAN, **fields: Any) -> list[str]:
    return [entry.text for entry in ledger(plan, records, facts(**fields)).entries]


def test_every_point_valid_is_complete() -> None:
    done = ledger(PLAN, [build.record(point) for point in PLAN.points], facts())
    assert done.complete
    assert [entry.title for entry in done.entries] == ["C1", "C4", "C16 gsm8k"]
    assert done.entries[2].result == build.eval_row()


@pytest.mark.parametrize("name", build.rules().labels.primaries)
def test_C07_a_sweep_is_complete_under_every_primary(name: str) -> None:
    runs = [build.point(conc) for conc in range(1, 15)]
    evals = [build.point(conc, task="gsm8k") for conc in (1, 2)]
    plan = build.plan(*runs, *evals, primary=name)
    records = [build.record(point) for point in plan.points]
    assert ledger(plan, records, facts()).complete
    assert not ledger(plan, records[1:], facts()).complete


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        pytest.param({"sha": "b" * 40}, "invalid(wrong-sha)", id="C37"),
        ({"identity": FOUR.identity}, "invalid(wrong-identity)"),
        ({"fingerprint": {"row": "", "recipe": "", "shared": ""}}, "invalid(wrong-fingerprint)"),
        ({"run_id": 1}, "invalid(stale)"),
        ({"result": None}, "invalid(no-result)"),
        ({"outcome": Outcome.TIMEOUT, "reason": "canary-timeout"}, "invalid(canary-timeout)"),
        ({"outcome": Outcome.INVALID, "reason": "corpus"}, "invalid(corpus)"),
        ({"outcome": Outcome.FAILURE}, "invalid(failure)"),
        ({"outcome": Outcome.NOT_STARTED, "reason": "drained"}, "not-started(drained)"),
        ({"outcome": Outcome.CANCELLED}, "missing(cancelled)"),
    ],
)
def test_one_record_is_checked_before_it_is_believed(fields: dict[str, Any], text: str) -> None:
    assert texts(build.record(ONE, **fields), plan=build.plan(ONE)) == [text]


def test_C37_every_attempt_must_have_measured_the_pinned_commit() -> None:
    second = build.record(ONE, attempt=2, sha="bbb2" + "0" * 36)
    assert texts(build.record(ONE), second, plan=build.plan(ONE)) == ["invalid(wrong-sha)"]


def test_C47_newest_attempt_wins_and_the_rest_is_counted() -> None:
    copies = [build.record(EVAL, attempt=n, result=build.eval_row(0.7 + n / 100)) for n in (3, 1, 6, 2, 5, 4)]
    entry = ledger(build.plan(EVAL), copies, facts()).entries[0]
    assert (entry.state, entry.attempt, entry.notes) == (State.VALID, 6, ("5 superseded",))
    assert entry.result is not None
    assert entry.result["score"] == 0.76


@pytest.mark.parametrize("ended", [0.0, 1_790_001_800.0])
def test_C47_two_values_without_an_order_are_both_shown(ended: float) -> None:
    copies = [build.record(EVAL, ended=ended, result=build.eval_row(score)) for score in (0.7817, 0.9515)]
    entry = ledger(build.plan(EVAL), copies, facts()).entries[0]
    assert entry.text == "invalid(ambiguous-duplicate)"
    assert entry.notes == ("values: 0.7817, 0.9515",)
    assert entry.result is None


def test_the_same_record_twice_is_one_record() -> None:
    assert texts(build.record(ONE), build.record(ONE), plan=build.plan(ONE)) == ["valid"]


def test_an_attempt_that_was_cut_short_takes_no_value_away() -> None:
    cut = build.record(ONE, Outcome.CANCELLED, attempt=2)
    assert texts(build.record(ONE), cut, plan=build.plan(ONE)) == ["valid"]


@pytest.mark.parametrize(
    "outcome", [Outcome.FAILURE, Outcome.TIMEOUT, Outcome.CANCELLED, Outcome.NOT_STARTED]
)
def test_an_attempt_that_came_to_no_value_takes_none_away(outcome: Outcome) -> None:
    """The newest value wins, and an attempt whose engine died has none."""
    retried = build.record(ONE, outcome, reason="engine-died", attempt=2, ended=1_800_000_000.0)
    for copies in ([build.record(ONE), retried], [retried, build.record(ONE)]):
        [entry] = ledger(build.plan(ONE), copies, facts()).entries
        assert (entry.state, entry.attempt, entry.notes) == (State.VALID, 1, ("1 superseded",))
    assert newest([build.record(ONE), retried])[ONE.id].outcome == Outcome.SUCCESS


@pytest.mark.parametrize(
    ("second", "third", "text"),
    [
        ({"outcome": Outcome.INVALID, "reason": "below-threshold"}, None, "invalid(below-threshold)"),
        (
            {"outcome": Outcome.INVALID, "reason": "below-threshold"},
            {"outcome": Outcome.FAILURE, "reason": "engine-died"},
            "invalid(engine-died)",
        ),
        ({"outcome": Outcome.FAILURE, "reason": "engine-died"}, {}, "valid"),
        ({"sha": "bbb2" + "0" * 36}, {"outcome": Outcome.FAILURE, "reason": "x"}, "invalid(wrong-sha)"),
    ],
)
def test_a_newer_value_that_breaks_a_rule_counts(second: Any, third: Any, text: str) -> None:
    later = [build.record(ONE, attempt=n, **one) for n, one in ((2, second), (3, third)) if one is not None]
    assert texts(build.record(ONE), *later, plan=build.plan(ONE)) == [text]


SOME = st.lists(
    st.builds(
        lambda outcome, attempt: build.record(
            ONE, outcome, reason="" if outcome == Outcome.SUCCESS else "x", attempt=attempt, ended=attempt
        ),
        st.sampled_from(Outcome),
        st.integers(2, 9),
    ),
    max_size=5,
    unique_by=lambda record: record.attempt,
)


@given(SOME)
def test_an_accepted_value_is_lost_only_to_a_newer_value(later: list[Record]) -> None:
    [entry] = ledger(build.plan(ONE), [build.record(ONE, ended=1), *later], facts()).entries
    values = [one for one in later if one.outcome in (Outcome.SUCCESS, Outcome.INVALID)]
    lost = bool(values) and max(values, key=lambda one: one.attempt).outcome == Outcome.INVALID
    assert (entry.state == State.VALID) != lost


@pytest.mark.parametrize(
    ("new", "state"),
    [
        ({"outcome": Outcome.FAILURE, "reason": "engine-died"}, "valid"),
        ({"outcome": Outcome.CANCELLED, "reason": "interrupted"}, "valid"),
        (None, "valid"),
        ({"outcome": Outcome.INVALID, "reason": "below-threshold"}, "invalid"),
        ({"sha": "bbb2" + "0" * 36}, "invalid"),
        ({}, "valid"),
    ],
)
def test_a_value_whose_artifact_was_replaced_is_carried_over(new: Any, state: str) -> None:
    plan = build.plan(ONE)
    old = ledger(plan, [build.record(ONE)], facts())
    records = [] if new is None else [build.record(ONE, attempt=2, **new)]
    [entry] = carried(ledger(plan, records, facts()), old).entries
    assert entry.state == state
    if new != {} and state == "valid":
        assert (entry.attempt, entry.result) == (1, old.entries[0].result)
        assert entry.notes[-1].startswith("since then ")


@pytest.mark.parametrize("changes", [{"run_id": 1}, {"plan_digest": "x"}])
def test_nothing_is_carried_over_from_another_run_or_plan(changes: Any) -> None:
    plan = build.plan(ONE)
    old, new = ledger(plan, [build.record(ONE)], facts()), ledger(plan, [], facts())
    assert carried(new, replace(old, **changes)) == new


def test_failed_canary_releases_nobody() -> None:
    failed = build.record(ONE, Outcome.FAILURE, reason="server-crash")
    assert texts(failed, blocked={ONE.key: "canary C1: failure"}) == [
        "invalid(server-crash)",
        "not-started(canary-failed)",
        "not-started(canary-failed)",
    ]


def test_fail_fast_cuts_are_not_failures() -> None:
    failed = build.record(FOUR, Outcome.FAILURE, reason="server-crash")
    assert texts(build.record(ONE), failed) == ["valid", "invalid(server-crash)", "not-started(fail-fast)"]
    running = build.record(EVAL, Outcome.CANCELLED)
    assert texts(build.record(ONE), failed, running)[2] == "not-started(fail-fast)"


def test_fail_fast_acts_inside_one_matrix() -> None:
    timeout = build.record(ONE, Outcome.TIMEOUT, reason="canary-timeout")
    tried = build.record(FOUR)
    assert texts(timeout, tried) == ["invalid(canary-timeout)", "valid", "missing(no-artifact)"]
    other = build.point(1, key="other")
    plan = build.plan(ONE, other)
    assert texts(timeout, plan=plan, blocked={"other": ""}) == [
        "invalid(canary-timeout)",
        "not-started(fail-fast)",
    ]


def test_nothing_left_behind_is_missing() -> None:
    assert texts(build.record(ONE))[1:] == ["missing(no-artifact)"] * 2


def test_C50_an_unreadable_artifact_is_named_and_loses_nobody_else() -> None:
    done = ledger(
        PLAN, [build.record(ONE), build.record(EVAL)], facts(unreadable={FOUR.id: "not JSON at line 1"})
    )
    assert [entry.text for entry in done.entries] == ["valid", "invalid(unreadable)", "valid"]
    assert done.entries[1].notes == ("not JSON at line 1",)


@pytest.mark.parametrize(
    ("job", "text"),
    [
        (job("queued"), "not-started(waiting-for-runner)"),
        (job("in_progress", runner="n1"), "running"),
        (job("completed", "success", runner="n1"), "missing(no-artifact)"),
        (job("completed", "failure", runner="n1"), "missing(no-artifact)"),
        (job("completed", "cancelled"), "not-started(cancelled)"),
        (job("completed", "skipped"), "not-started(cancelled)"),
        (
            job(
                "completed",
                "cancelled",
                started_at="2026-12-01T00:00:00Z",
                completed_at="2026-12-02T00:00:01Z",
            ),
            "not-started(queue-expired)",
        ),
    ],
)
def test_a_job_explains_an_absence_and_is_never_a_value(job: JobView, text: str) -> None:
    assert texts(plan=build.plan(ONE), jobs={ONE.id: job}) == [text]


def test_an_unfinished_run_waits() -> None:
    assert texts(finished=False) == ["not-started(not-yet)"] * 3


def test_a_cancelled_run_started_no_more() -> None:
    assert texts(build.record(ONE), cancelled=True)[1:] == ["not-started(cancelled)"] * 2


def test_a_lost_canary_is_missing_itself() -> None:
    assert texts(blocked={ONE.key: "canary C1: no record"})[0] == "missing(no-artifact)"


def test_job_facts_mend_a_guess_and_nothing_else() -> None:
    failed = build.record(FOUR, Outcome.FAILURE)
    guessed = ledger(PLAN, [build.record(ONE), failed], facts())
    lost = job("completed", "failure", runner="n1")
    jobs = {point.id: lost for point in PLAN.points}
    told = explained(guessed, PLAN, facts(jobs=jobs))
    assert [entry.text for entry in told.entries] == ["valid", "invalid(failure)", "missing(no-artifact)"]


def test_a_point_that_is_tried_again_is_running() -> None:
    first = ledger(PLAN, [build.record(ONE), build.record(FOUR, Outcome.FAILURE)], facts())
    jobs = {point.id: job("in_progress", runner="n1") for point in PLAN.points}
    told = explained(first, PLAN, facts(attempt=2, finished=False, jobs=jobs))
    assert [entry.text for entry in told.entries] == ["valid", "running", "running"]


@given(
    st.lists(st.tuples(st.sampled_from(PLAN.points), st.sampled_from(Outcome), st.integers(1, 3))),
    st.randoms(use_true_random=False),
)
def test_order_of_records_does_not_matter(cells: list[Any], random: Any) -> None:
    records = [build.record(point, outcome, attempt=attempt) for point, outcome, attempt in cells]
    mixed = list(records)
    random.shuffle(mixed)
    first, second = ledger(PLAN, records, facts()), ledger(PLAN, mixed, facts())
    assert [entry.state for entry in first.entries] == [entry.state for entry in second.entries]
    wins = {record.point for record in records if record.outcome == Outcome.SUCCESS}
    assert {entry.point for entry in first.entries if entry.state == State.VALID} <= wins


def test_cells_and_canaries_are_found_by_name_unless_it_is_shared() -> None:
    jobs = [job("queued", name=name) for name in ("plan", "canary k C1", "k C4")]
    assert jobs_of({"p1": "k C1", "p4": "k C4", "p8": "k C8"}, jobs) == {"p1": jobs[1], "p4": jobs[2]}
    assert jobs_of({"p1": "k C4", "p2": "k C4"}, jobs) == {}
