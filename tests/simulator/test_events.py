"""Which workflow files start for what happens, and what control says to it."""

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from infx.event import Run, Title
from infx.facts import Facts
from infx.policy import gate
from infx.read import payload
from tests.builders import FULL, A, B, C, rules
from tests.builders import pull as live
from tests.simulator.events import RUNS, WAITS, Happening, dispatch, pull, silenced, starts

pytestmark = pytest.mark.node
CONTROL = {"control": RUNS}
BOTH = {"control": RUNS, "sweep": RUNS}
ALL = {**BOTH, "ci": RUNS}
MAIN = {"control": RUNS, "ci": RUNS, "ingest": RUNS, "postmerge": RUNS}
PULL = pull("synchronize", FULL)
SWEEP_RUN = Happening(event="workflow_run", workflow="sweep")
ACTIVE = Run(
    id=3,
    status="in_progress",
    pr=7,
    title=Title(pr=7, action="labeled", head_sha=C, base_sha=B, label=FULL, labels=frozenset({FULL})),
)
OWN = Run(
    id=9,
    conclusion="action_required",
    pr=7,
    title=Title(pr=7, action="synchronize", head_sha=A, base_sha=B, labels=frozenset({FULL})),
)


@dataclass(frozen=True)
class Started:
    """Files that start; with a control run, its decision and the runs that it cancels."""

    happening: Happening
    files: dict[str, str]
    kind: str = ""
    cancels: list[int] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)


STARTED = {
    "opened with labels": Started(pull("opened", FULL), ALL, "start"),
    "reopened": Started(pull("reopened"), ALL, "preview"),
    "push to a pull request": Started(PULL, ALL, "start", [3], {"runs": (ACTIVE,)}),
    "labeled": Started(pull("labeled", FULL, changed=FULL), BOTH, "start"),
    "unlabeled": Started(pull("unlabeled", changed=FULL), BOTH, "cancel", [3], {"runs": (ACTIVE,)}),
    "C01 a label of others": Started(
        pull("labeled", FULL, "docs", changed="docs"), BOTH, "ignored", [], {"runs": (ACTIVE,)}
    ),
    "edited": Started(pull("edited", FULL), CONTROL, "ignored"),
    "closed": Started(
        pull("closed", FULL), CONTROL, "closed", [3], {"runs": (ACTIVE,), "live": live(open=False)}
    ),
    "ready for review": Started(pull("ready_for_review", FULL), CONTROL, "ignored"),
    "converted to draft": Started(pull("converted_to_draft"), {}),
    "base is another branch": Started(replace(PULL, branch="release/1"), ALL, "start"),
    "fork": Started(pull("labeled", FULL, changed=FULL, fork=True), BOTH, "dispatch"),
    "push to a fork": Started(replace(PULL, fork=True), ALL, "fork", [3], {"runs": (ACTIVE,)}),
    "skip word": Started(replace(PULL, message="notes [skip ci]"), CONTROL, "skip-word"),
    "skip trailer": Started(replace(PULL, message="notes\n\nskip-checks: true"), CONTROL, "skip-word"),
    "our own skip marker": Started(replace(PULL, message="notes [skip-sweep]"), ALL, "skip-marker"),
    "conflict": Started(replace(PULL, conflict=True), CONTROL, "conflict"),
    "approval pending": Started(
        replace(PULL, fork=True, needs_approval=True), {"control": RUNS, "sweep": WAITS, "ci": WAITS}, "fork"
    ),
    "approval pending of our own head": Started(
        replace(PULL, needs_approval=True),
        {"control": RUNS, "sweep": WAITS, "ci": WAITS},
        "approval-pending",
        [],
        {"runs": (OWN,)},
    ),
    "label set with a job's token": Started(pull("labeled", FULL, changed=FULL, by_job_token=True), {}, ""),
    "push to main": Started(Happening(event="push"), MAIN, "ignored"),
    "C82 push to main with our own marker": Started(
        Happening(event="push", message="Update configs (#1797)\n\n* refresh [skip-sweep]"), MAIN, "ignored"
    ),
    "push to another branch": Started(Happening(event="push", branch="topic"), {}),
    "push to main with a skip word": Started(Happening(event="push", message="x [no ci]"), {}),
    "schedule": Started(Happening(event="schedule"), CONTROL, "ignored"),
    "dispatch by control": Started(dispatch(FULL), {"sweep": RUNS}),
    "sweep that only waits": Started(replace(SWEEP_RUN, action="requested"), {}),
    "sweep in progress": Started(replace(SWEEP_RUN, action="in_progress"), {"report": RUNS}),
    "sweep completed": Started(replace(SWEEP_RUN, action="completed"), {"report": RUNS}),
    "ingest completed": Started(replace(SWEEP_RUN, action="completed", workflow="ingest"), {"audit": RUNS}),
    "recovery": Started(Happening(event="workflow_dispatch", workflow="ingest"), {"ingest": RUNS}),
    "another workflow completed": Started(replace(SWEEP_RUN, action="completed", workflow="ci"), {}),
    "comment": Started(
        Happening(event="issue_comment", action="created"), {"comment": RUNS, "signoff": RUNS}
    ),
}
CONTROLLED = [name for name, case in STARTED.items() if "control" in case.files]


@pytest.mark.parametrize("name", STARTED)
def test_files_that_start(name: str) -> None:
    assert starts(STARTED[name].happening) == STARTED[name].files


@pytest.mark.parametrize("name", CONTROLLED)
def test_what_control_decides_and_cancels(name: str) -> None:
    case = STARTED[name]
    hook = payload.read(case.happening.payload, where="event", name=case.happening.event)
    decision = gate.decide(Facts(webhook=hook, message=case.happening.message, **case.facts), rules())
    assert (decision.kind, decision.extra["cancels"]) == (case.kind, case.cancels)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("skip word", "asks to skip"),
        ("conflict", "conflict"),
        ("label set with a job's token", "a job's own token"),
    ],
)
def test_why_no_sweep_started(name: str, reason: str) -> None:
    assert reason in silenced(STARTED[name].happening)


@pytest.mark.parametrize(
    "name", [name for name, case in STARTED.items() if case.happening.event == "pull_request"]
)
def test_C38_control_sees_every_pull_request_that_sweep_cannot(name: str) -> None:
    files = STARTED[name].files
    silent = silenced(replace(STARTED[name].happening, by_job_token=False)) or files.get("sweep") == WAITS
    assert not silent or files["control"] == RUNS
