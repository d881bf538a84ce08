"""Collect is green only when every planned point is valid, and tells the truth about the rest."""

import json
import re
import zipfile
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from infx.cli import main
from infx.edge.world import World
from infx.record import Outcome
from tests import builders as build

ONE, FOUR, EVAL = build.point(1), build.point(4), build.point(16, task="gsm8k")
PLAN = build.plan(ONE, FOUR, EVAL)
ENV = {"GITHUB_RUN_ID": str(build.RUN), "GITHUB_RUN_ATTEMPT": "1", "INFX_GO": "true"}
FILES = {
    "ledger/ledger.json",
    "ledger/plan.json",
    "results_bmk/agg_bmk.json",
    "eval_results_all/agg_eval_all.json",
    "run-stats/attempts.json",
    "run-stats/run_stats.json",
    "changelog-metadata/changelog_metadata.json",
    "report/index.html",
}


class Here:
    """A folder as the collect job finds it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.out, self.err = folder, StringIO(), StringIO()

    def plan(self, plan: Any) -> None:
        self.put("infx-in/plan/plan.json", json.dumps(plan.as_json()))

    def record(self, point: Any, *args: Any, **fields: Any) -> None:
        kind = "eval" if point.task else "bmk"
        self.put(
            f"infx-in/{point.artifact(kind)}/record.json",
            json.dumps(build.record(point, *args, **fields).as_json()),
        )

    def put(self, name: str, text: str) -> None:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def collect(self, **env: str) -> int:
        given = {**ENV, "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"), **env}
        return main(["job", "collect"], World(env=given, cwd=self.folder, out=self.out, err=self.err))

    def json(self, name: str) -> Any:
        return json.loads((self.folder / "infx-out" / name).read_text())

    @property
    def states(self) -> list[str]:
        return [f"{one['state']}({one['reason']})" for one in self.json("ledger/ledger.json")["entries"]]


@pytest.fixture
def here(tmp_path: Path) -> Here:
    return Here(tmp_path)


def test_a_whole_sweep_is_collected(here: Here) -> None:
    here.plan(PLAN)
    for point in PLAN.points:
        here.record(point)
    assert here.collect() == 0
    out = here.folder / "infx-out"
    assert {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()} == FILES
    assert [row["conc"] for row in here.json("results_bmk/agg_bmk.json")] == [1, 4]
    assert (
        "✅ Sweep of adc40a2: 2 of 2 points and 1 of 1 evals valid"
        in (here.folder / "summary.md").read_text()
    )


def test_one_invalid_point_is_exit_1_with_one_sentence(here: Here) -> None:
    here.plan(PLAN)
    here.record(ONE)
    here.record(FOUR, Outcome.FAILURE, reason="engine-died")
    assert here.collect() == 1
    assert here.err.getvalue().count("\n") == 1
    assert "1 of 2 points and 0 of 1 evals are valid; first:" in here.err.getvalue()
    assert "C4 invalid(engine-died)" in here.err.getvalue()
    assert here.states == ["valid()", "invalid(engine-died)", "not-started(fail-fast)"]


def test_C50_one_broken_artifact_loses_nobody_else(here: Here) -> None:
    here.plan(PLAN)
    here.record(ONE)
    here.record(EVAL)
    here.put(f"infx-in/{FOUR.artifact('bmk')}/record.json", '{"point": NaN}')
    assert here.collect() == 1
    assert here.states == ["valid()", "invalid(unreadable)", "valid()"]
    assert FOUR.artifact("bmk") in here.err.getvalue()


def test_C37_a_record_of_another_commit_is_no_result(here: Here) -> None:
    here.plan(build.plan(ONE))
    here.record(ONE, sha="b" * 40)
    assert here.collect() == 1
    assert here.states == ["invalid(wrong-sha)"]
    assert here.json("results_bmk/agg_bmk.json") == []


def test_C56_a_result_of_the_first_attempt_is_found_by_the_second(here: Here) -> None:
    """Only the failed job ran again: what succeeded before keeps its name, whatever attempt collects."""
    here.plan(PLAN)
    here.record(ONE)
    here.record(EVAL)
    here.record(FOUR, attempt=2)
    assert here.collect(GITHUB_RUN_ATTEMPT="2") == 0
    ledger = here.json("ledger/ledger.json")
    assert [(one["state"], one["attempt"]) for one in ledger["entries"]] == [
        ("valid", 1),
        ("valid", 2),
        ("valid", 1),
    ]
    assert ledger["attempt"] == 2


def test_a_failed_canary_explains_the_rest(here: Here) -> None:
    here.plan(PLAN)
    here.record(ONE, Outcome.FAILURE, reason="engine-died")
    assert here.collect() == 1
    assert here.states[1:] == ["not-started(canary-failed)"] * 2


def test_a_cancelled_run_says_so(here: Here) -> None:
    here.plan(PLAN)
    here.record(ONE)
    assert here.collect(INFX_RESULTS="plan=success canary=success fanout=success s0=cancelled") == 1
    assert here.states[1:] == ["not-started(cancelled)"] * 2


@pytest.mark.parametrize("end", ["failure", "cancelled", "skipped"])
@pytest.mark.parametrize("job", ["plan", "canary", "fanout", "s0"])
def test_C85_whatever_ends_early_is_never_green(here: Here, job: str, end: str) -> None:
    here.plan(PLAN)
    here.record(ONE)
    jobs = dict.fromkeys(("plan", "canary", "fanout", "s0"), "success") | {job: end}
    assert here.collect(INFX_RESULTS=" ".join(f"{name}={result}" for name, result in jobs.items())) == 1


@pytest.mark.parametrize("plan", [None, PLAN], ids=["without-plan", "with-preview"])
def test_nothing_to_run_is_nothing_to_collect(here: Here, plan: Any) -> None:
    if plan:
        here.plan(plan)
    assert here.collect(INFX_GO="false") == 0
    assert here.out.getvalue() == "nothing to collect: the plan has nothing to run\n"
    assert not (here.folder / "infx-out").exists()


def test_an_empty_plan_is_nothing_to_collect(here: Here) -> None:
    here.put("infx-in/plan/plan.json", json.dumps({**PLAN.as_json(), "points": [], "keys": []}))
    assert here.collect() == 0


@pytest.mark.parametrize(
    ("env", "code", "sentence"),
    [
        ({}, 2, "the plan said go, but its artifact is not there"),
        ({"INFX_GO": "", "INFX_RESULTS": "plan=failure"}, 1, "the job `plan` ended with failure"),
        ({"INFX_GO": "false", "INFX_RESULTS": "plan=cancelled"}, 1, "the job `plan` ended with cancelled"),
    ],
)
def test_a_plan_that_got_lost_is_never_green(
    here: Here, env: dict[str, str], code: int, sentence: str
) -> None:
    assert here.collect(**env) == code
    assert sentence in here.err.getvalue()


def zipped(here: Here, name: str, text: str) -> None:
    path = here.folder / "infx-in" / f"{name}.zip"
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("record.json", text)


def test_C50_archives_are_read_and_a_broken_one_is_missing_by_name(here: Here) -> None:
    here.plan(PLAN)
    for point, kind in ((ONE, "bmk"), (EVAL, "eval")):
        zipped(here, point.artifact(kind), json.dumps(build.record(point).as_json()))
    here.put(f"infx-in/{FOUR.artifact('bmk')}.zip", "no archive")
    assert here.collect() == 1
    assert here.states == ["valid()", "missing(unreadable)", "valid()"]
    assert "Incomplete: 1 of 3" in (here.folder / "infx-out/report/index.html").read_text()
    summary = (here.folder / "summary.md").read_text()
    assert "missing(unreadable)" in summary
    assert "✅" not in summary
    assert f"{FOUR.artifact('bmk')}: not a readable zip archive" in here.err.getvalue()


def test_a_value_of_an_earlier_attempt_is_not_lost_when_its_artifact_was_replaced(here: Here) -> None:
    here.plan(build.plan(ONE, FOUR))
    here.record(ONE)
    here.record(FOUR)
    assert here.collect() == 0
    first = (here.folder / "infx-out/ledger/ledger.json").read_text()
    here.put("infx-in/ledger/ledger.json", first)
    here.record(FOUR, Outcome.FAILURE, reason="engine-died", attempt=2)
    assert here.collect(GITHUB_RUN_ATTEMPT="2") == 0
    assert here.json("ledger/ledger.json")["entries"][1]["notes"] == ["since then invalid(engine-died)"]
    assert len(here.json("results_bmk/agg_bmk.json")) == 2


@pytest.mark.parametrize("text", ["{", "[]", '{"run_id": 1}'])
def test_a_broken_ledger_of_an_earlier_attempt_changes_nothing(here: Here, text: str) -> None:
    here.plan(build.plan(ONE))
    here.record(ONE, Outcome.FAILURE, reason="engine-died")
    here.put("infx-in/ledger/ledger.json", text)
    assert here.collect() == 1
    assert here.states == ["invalid(engine-died)"]


def test_C47_the_provably_newest_of_two_scores_is_kept_and_the_other_counted(here: Here) -> None:
    here.plan(build.plan(EVAL))
    old, new = (
        build.record(EVAL, attempt=attempt, ended=ended, result=build.eval_row(score=score))
        for attempt, ended, score in ((1, 1782435600.0, 0.7817), (6, 1782464400.0, 0.9515))
    )
    here.put("infx-in/eval_old_" + EVAL.id + "/record.json", json.dumps(old.as_json()))
    here.put("infx-in/eval_new_" + EVAL.id + "/record.json", json.dumps(new.as_json()))
    assert here.collect() == 0
    (entry,) = here.json("ledger/ledger.json")["entries"]
    assert (entry["result"]["score"], entry["attempt"], entry["notes"]) == (0.9515, 6, ["1 superseded"])
    assert [row["score"] for row in here.json("eval_results_all/agg_eval_all.json")] == [0.9515]
    assert here.json("run-stats/run_stats.json") == {"h200-dgxc": {"n_success": 2, "total": 2}}
    assert "1 superseded" in (here.folder / "infx-out/report/index.html").read_text()


def again(here: Here) -> None:
    """What the next attempt downloads: every artifact as the one before left it."""
    (here.folder / "infx-out" / "run-stats").rename(here.folder / "infx-in" / "run-stats")


def test_attempts_whose_artifact_was_replaced_are_counted(here: Here) -> None:
    here.plan(PLAN)
    here.record(ONE)
    here.record(FOUR, Outcome.FAILURE, reason="runner-lost")
    here.record(EVAL, Outcome.NOT_STARTED, reason="fail-fast")
    here.collect()
    again(here)
    here.record(FOUR, attempt=2)
    here.record(EVAL, attempt=2)
    assert here.collect(GITHUB_RUN_ATTEMPT="2") == 0
    assert here.json("run-stats/run_stats.json") == {"h200-dgxc": {"n_success": 3, "total": 4}}


@pytest.mark.parametrize(
    "text", ["", "3", "{}", '[{"point": 1}]', '[{"point": "p", "attempt": 1e9, "outcome": "x"}]']
)
def test_a_broken_list_of_attempts_is_named_and_costs_nothing(here: Here, text: str) -> None:
    here.plan(build.plan(ONE))
    here.record(ONE)
    here.put("infx-in/run-stats/attempts.json", text)
    assert here.collect() == 0
    assert here.json("run-stats/run_stats.json") == {"h200-dgxc": {"n_success": 1, "total": 1}}
    assert ("run-stats: " in here.err.getvalue()) == (text != "{}")


def test_C47_without_a_time_both_are_shown_and_none_is_chosen(here: Here) -> None:
    here.plan(build.plan(EVAL))
    for name, score in (("a", 0.7817), ("b", 0.9515)):
        record = build.record(EVAL, ended=0.0, result=build.eval_row(score=score))
        here.put(f"infx-in/eval_{name}_{EVAL.id}/record.json", json.dumps(record.as_json()))
    assert here.collect() == 1
    assert here.states == ["invalid(ambiguous-duplicate)"]
    page = (here.folder / "infx-out/report/index.html").read_text()
    assert re.findall(r"values: ([\d.]+), ([\d.]+)", page) == [("0.7817", "0.9515")]
    assert here.json("eval_results_all/agg_eval_all.json") == []
