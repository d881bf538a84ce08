"""C38: nothing was ever started, started but empty, and waiting for a runner are three things."""

from datetime import UTC, datetime
from typing import Any

import pytest

from infx.event import JobView, Run
from infx.policy.liveness import Facts, liveness

NOON = 1_790_000_000.0
TWELVE = datetime.fromtimestamp(NOON, UTC).isoformat()
"""The same moment as GitHub writes it."""


def facts(**fields: Any) -> Facts:
    return Facts(**{"head_sha": "e922" * 10, "wanted": True, "since": NOON, **fields})


def run(status: str, **fields: Any) -> Run:
    return Run(**{"id": 5, "status": status, "head_sha": "e922" * 10, "created_at": TWELVE, **fields})


def job(status: str) -> JobView:
    return JobView(id=1, name="k C1", status=status, labels=("cluster:h200-dgxc",))


@pytest.mark.parametrize(
    ("given", "minutes", "kind", "go"),
    [
        pytest.param(facts(), 10, "no-run-for-head", False, id="C38-nothing"),
        pytest.param(facts(runs=[run("queued")]), 45, "stuck-with-no-jobs", False, id="C38-empty"),
        pytest.param(
            facts(runs=[run("queued")], jobs=[job("queued")]),
            45,
            "waiting-for-runner",
            True,
            id="C38-waiting",
        ),
        (facts(), 9, "too-early", True),
        (facts(runs=[run("completed", head_sha="old")]), 10, "no-run-for-head", False),
        (facts(runs=[run("queued")]), 2, "too-early", True),
        (facts(runs=[run("in_progress")], jobs=[job("queued"), job("in_progress")]), 45, "running", True),
        (
            facts(runs=[run("completed", id=4), run("in_progress")], jobs=[job("queued")]),
            9,
            "waiting-for-runner",
            True,
        ),
        (facts(runs=[run("completed", conclusion="failure")]), 45, "finished", True),
        (facts(runs=[run("completed", conclusion="startup_failure")]), 1, "stuck-with-no-jobs", False),
        (facts(wanted=False), 45, "not-wanted", True),
    ],
)
def test_C38_liveness(given: Facts, minutes: int, kind: str, go: bool) -> None:
    told = liveness(given, NOON + 60 * minutes)
    assert (told.kind, told.go) == (kind, go)


def test_C38_a_restart_needs_no_commit() -> None:
    nothing, empty = (liveness(one, NOON + 2700) for one in (facts(), facts(runs=[run("queued")])))
    assert (nothing.kind, empty.kind) == ("no-run-for-head", "stuck-with-no-jobs")
    for told in (nothing, empty):
        assert "remove the primary label and add it again; no commit is needed" in told.reason


def test_a_waiting_run_names_the_label() -> None:
    waiting = facts(runs=[run("queued")], jobs=[job("queued")])
    assert "label cluster:h200-dgxc" in liveness(waiting, NOON).reason
