"""A sweep that a runner or the harness broke is repaired without anybody, once."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infx.edge import settings
from infx.event import PullRequest, Run, Title
from infx.ledger import Ledger
from infx.matrix import split
from infx.read import title
from infx.record import Outcome
from infx.rerun import Ended, Repair, Repaired
from infx.results.tally import Facts, ledger
from tests import builders as build
from tests.edge.server import Reply, Server, serving

R = "/repos/acme/bench"
PLAN = build.plan()
ONE, FOUR, EVAL = PLAN.points
RULES = settings.parse("")
SIGNATURES = settings.signatures(Path(__file__).parent.parent, RULES)
PULL = PullRequest(
    number=7,
    open=True,
    head_sha=build.HEAD,
    base_sha=build.BASE,
    head_ref="topic",
    labels=(PLAN.primary,),
)
RUN = Run(id=build.RUN, head_sha=build.HEAD, conclusion="failure")
RESET = "aiperf: ECONNRESET"


def tallied(reason: str = "client-failed", *, note: str = RESET) -> Ledger:
    bad = build.record(FOUR, Outcome.FAILURE, reason=reason, notes=(note,))
    return ledger(PLAN, [build.record(ONE), bad, build.record(EVAL)], Facts(run_id=build.RUN, attempt=1))


class Scene:
    def __init__(self, server: Server) -> None:
        self.server = server
        self.posted: list[str] = []
        names = [cell["name"] for cell in split.cells(PLAN.points)]
        self.jobs([self.job(at, name, "failure" if at == 1 else "success") for at, name in enumerate(names)])
        server.pages(f"{R}/actions/workflows/sweep.yml/runs", [], key="workflow_runs")
        for path in (f"runs/{build.RUN}/rerun-failed-jobs", "jobs/1/rerun"):
            server.routes[f"POST {R}/actions/{path}"] = self.post

    def job(self, number: int, name: str, conclusion: str) -> dict[str, Any]:
        self.server.routes[f"GET {R}/actions/jobs/{number}/logs"] = Reply(200, b"")
        self.server.pages(f"{R}/check-runs/{number}/annotations", [])
        own = {"id": number, "name": name, "status": "completed", "conclusion": conclusion}
        return {**own, "runner_name": "h200_0", "run_attempt": 1}

    def jobs(self, found: list[dict[str, Any]]) -> None:
        self.server.pages(f"{R}/actions/runs/{build.RUN}/jobs", found, key="jobs")

    def post(self, asked: Any) -> Reply:
        self.posted.append(asked.path.removeprefix(f"{R}/actions/"))
        return Reply(201, {})

    def repair(self, found: Ledger, *, run: Run = RUN, pull: PullRequest = PULL) -> Repaired:
        github = self.server.github()
        repair = Repair(github=github, rules=RULES, signatures=SIGNATURES)
        return repair.run(Ended(run=run, plan=PLAN, ledger=found, pull=pull))


@pytest.fixture
def scene() -> Iterator[Scene]:
    with serving() as server:
        yield Scene(server)


def test_C40_the_failed_jobs_of_the_same_run_are_run_again(scene: Scene) -> None:
    done = scene.repair(tallied())
    assert scene.posted == [f"runs/{build.RUN}/rerun-failed-jobs"]
    assert [(one.entry.title, one.failure.kind) for one in done.failed] == [("C4", "harness-transient")]
    assert done.again == "rerun-failed-jobs"


def test_a_whole_sweep_costs_no_request(scene: Scene) -> None:
    whole = ledger(PLAN, [build.record(one) for one in PLAN.points], Facts(run_id=build.RUN, attempt=1))
    assert scene.repair(whole) == Repaired()
    assert scene.server.asked == []


def test_what_the_engine_did_is_not_run_again(scene: Scene) -> None:
    done = scene.repair(tallied("engine-died", note=RESET))
    assert [one.failure.kind for one in done.failed] == ["server-crash"]
    assert (done.again, scene.posted) == ("", [])


def test_a_second_time_is_not_tried(scene: Scene) -> None:
    found = tallied()
    entries = tuple(replace(one, attempt=2) if one.attempt else one for one in found.entries)
    assert scene.repair(replace(found, entries=entries)).again == ""
    assert scene.posted == []


@pytest.mark.parametrize(
    ("run", "pull"),
    [
        (RUN, replace(PULL, head_sha="b" * 40)),
        (RUN, replace(PULL, open=False)),
        (RUN, replace(PULL, labels=())),
        (RUN, replace(PULL, labels=("full-sweep-enabled",))),
        (replace(RUN, conclusion="cancelled"), PULL),
    ],
    ids=["head moved", "closed", "unlabelled", "other label", "cancelled"],
)
def test_a_sweep_that_nobody_wants_any_more_is_left_alone(scene: Scene, run: Run, pull: PullRequest) -> None:
    assert scene.repair(tallied(), run=run, pull=pull).again == ""
    assert scene.posted == []


def test_a_newer_sweep_is_not_disturbed(scene: Scene) -> None:
    newer = {"id": build.RUN + 1, "status": "in_progress", "head_sha": build.HEAD}
    scene.server.pages(f"{R}/actions/workflows/sweep.yml/runs", [newer], key="workflow_runs")
    assert scene.repair(tallied()).again == ""


@pytest.mark.parametrize(("pr", "again"), [(7, ""), (8, "rerun-failed-jobs")])
def test_nor_is_a_newer_one_that_was_dispatched(scene: Scene, pr: int, again: str) -> None:
    """For a fork, or by `/sweep resume`: it is a run of the default branch."""
    meant = title.write(Title(pr=pr, action="resume", head_sha=build.HEAD, base_sha=build.BASE))
    newer = {"id": build.RUN + 1, "status": "in_progress", "head_sha": build.BASE, "display_title": meant}
    scene.server.routes[f"GET {R}/actions/workflows/sweep.yml/runs"] = lambda asked: Reply(
        200,
        {"workflow_runs": [newer] if asked.query["event"] == "workflow_dispatch" else [], "total_count": 0},
    )
    assert scene.repair(tallied()).again == again


def test_a_job_that_is_red_though_its_point_is_valid_is_never_run_again(scene: Scene) -> None:
    names = [cell["name"] for cell in split.cells(PLAN.points)]
    scene.jobs([scene.job(at, name, "success" if at == 2 else "failure") for at, name in enumerate(names)])
    assert scene.repair(tallied()).again == "rerun-job C4"
    assert scene.posted == ["jobs/1/rerun"]
