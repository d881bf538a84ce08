from infx.record import Outcome, Try
from infx.results.stats import aggregates, run_stats, tries
from infx.results.tally import Facts, ledger
from tests import builders as build

ONE, FOUR, EVAL = build.point(1), build.point(4, runner="mi355x_07"), build.point(16, task="gsm8k")
PLAN = build.plan(ONE, FOUR, EVAL, changelog_metadata={"base_ref": "b"})
RECORDS = [
    build.record(ONE),
    build.record(ONE, Outcome.INVALID, attempt=2),
    build.record(FOUR, Outcome.NOT_STARTED),
    build.record(EVAL),
    build.record(build.point(99)),
]


def test_every_attempt_counts_but_skipped_ones_and_strangers() -> None:
    assert run_stats(PLAN, tries(RECORDS, [])) == {"h200-dgxc": {"n_success": 2, "total": 3}}


def test_attempts_whose_records_were_replaced_count_once() -> None:
    first = tries([build.record(ONE, Outcome.FAILURE), build.record(EVAL)], [])
    again = tries([build.record(ONE, attempt=2), build.record(EVAL)], first)
    assert [(one.attempt, one.outcome) for one in again if one.point == ONE.id] == [
        (1, Outcome.FAILURE),
        (2, Outcome.SUCCESS),
    ]
    assert run_stats(PLAN, again) == {"h200-dgxc": {"n_success": 2, "total": 3}}
    assert tries([build.record(ONE, attempt=2), build.record(EVAL)], again) == again
    assert [Try.from_json(one.as_json()) for one in again] == again


def test_only_valid_rows_are_published() -> None:
    made = aggregates(PLAN, ledger(PLAN, RECORDS, Facts(run_id=build.RUN, attempt=2)), tries(RECORDS, []))
    assert made["results_bmk/agg_bmk.json"] == []
    assert made["eval_results_all/agg_eval_all.json"] == [build.eval_row()]
    assert made["changelog-metadata/changelog_metadata.json"] == {"base_ref": "b"}
    assert made["ledger/ledger.json"]["run_id"] == build.RUN
