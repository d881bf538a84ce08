"""SPEC section 2, first half: which of the real workflow files GitHub starts for what happens."""

from dataclasses import replace

import pytest

from tests.simulator.events import RUNS, WAITS, Happening, starts
from tests.simulator.parser import documents

PULL = Happening(event="pull_request", action="synchronize")
CONTROL = {"control": RUNS}
BOTH = {"control": RUNS, "sweep": RUNS}
SWEEP_RUN = Happening(event="workflow_run", workflow="sweep")

STARTED = {
    "opened with labels": (replace(PULL, action="opened"), {**BOTH, "ci": RUNS}),
    "reopened": (replace(PULL, action="reopened"), {**BOTH, "ci": RUNS}),
    "push to a pull request": (PULL, {**BOTH, "ci": RUNS}),
    "labeled": (replace(PULL, action="labeled"), BOTH),
    "unlabeled": (replace(PULL, action="unlabeled"), BOTH),
    "edited": (replace(PULL, action="edited"), CONTROL),
    "closed": (replace(PULL, action="closed"), CONTROL),
    "ready for review": (replace(PULL, action="ready_for_review"), CONTROL),
    "converted to draft": (replace(PULL, action="converted_to_draft"), {}),
    "base is another branch": (replace(PULL, branch="release/1"), {**BOTH, "ci": RUNS}),
    "fork": (replace(PULL, fork=True), {**BOTH, "ci": RUNS}),
    "skip word": (replace(PULL, message="notes [skip ci]"), CONTROL),
    "skip trailer": (replace(PULL, message="notes\n\nskip-checks: true"), CONTROL),
    "our own skip marker": (replace(PULL, message="notes [skip-sweep]"), {**BOTH, "ci": RUNS}),
    "conflict": (replace(PULL, conflict=True), CONTROL),
    "approval pending": (
        replace(PULL, fork=True, needs_approval=True),
        {"control": RUNS, "sweep": WAITS, "ci": WAITS},
    ),
    "label set with a job's token": (replace(PULL, action="labeled", by_job_token=True), {}),
    "push to main": (Happening(event="push"), {"control": RUNS, "ci": RUNS}),
    "push to another branch": (Happening(event="push", branch="topic"), {}),
    "push to main with a skip word": (Happening(event="push", message="x [no ci]"), {}),
    "schedule": (Happening(event="schedule"), CONTROL),
    "dispatch by control": (
        Happening(event="workflow_dispatch", workflow="sweep", by_job_token=True),
        {"sweep": RUNS},
    ),
    "sweep requested": (replace(SWEEP_RUN, action="requested"), {"report": RUNS}),
    "sweep in progress": (replace(SWEEP_RUN, action="in_progress"), {"report": RUNS}),
    "sweep completed": (replace(SWEEP_RUN, action="completed"), {"report": RUNS}),
    "another workflow completed": (replace(SWEEP_RUN, action="completed", workflow="ci"), {}),
    "comment": (Happening(event="issue_comment", action="created"), {}),
}


@pytest.mark.parametrize("case", STARTED)
def test_files_that_start(case: str) -> None:
    happening, expected = STARTED[case]
    found = starts(documents(), happening)
    assert {name: found[name] for name in found if found[name] in (RUNS, WAITS)} == expected


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        ("edited", "another type"),
        ("skip word", "skip word"),
        ("conflict", "conflict"),
        ("label set with a job's token", "made by a job's token"),
    ],
)
def test_why_no_sweep_started(case: str, reason: str) -> None:
    assert starts(documents(), STARTED[case][0])["sweep"] == reason


@pytest.mark.parametrize(
    "case", [case for case, (event, _) in STARTED.items() if event.event == "pull_request"]
)
def test_C38_control_sees_every_pull_request_that_sweep_cannot(case: str) -> None:
    happening, _ = STARTED[case]
    found = starts(documents(), happening)
    silent = found["sweep"] in ("skip word", "conflict", WAITS)
    assert not silent or found["control"] == RUNS
