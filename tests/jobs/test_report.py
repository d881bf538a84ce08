"""The report shows a run's own ledger in its own pull request's comment, and asks GitHub for little."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from infx.cli import main
from infx.compared import Change, Compared, Finding
from infx.edge import settings
from infx.edge.world import World
from infx.errors import BadInput, Refused
from infx.event import Artifact, JobView, PullRequest, Run, Title
from infx.jobs.report import Reporter
from infx.matrix import split
from infx.plan import Plan
from infx.record import Outcome
from infx.results.tally import Facts, ledger
from infx.say.status import links
from tests import builders as build
from tests.fakes import FakeGitHub

PLAN = build.plan()
LAYOUT = settings.parse("").layout
TITLE = Title(pr=7, action="fork", head_sha=build.HEAD, base_sha=build.BASE)
DISPATCHED: dict[str, Any] = {
    "event": "workflow_dispatch",
    "head_branch": "main",
    "head_sha": "d" * 40,
    "title": TITLE,
}
"""A sweep that control started: a run of the default branch's commit that measures another one."""


def run(status: str = "completed", **fields: Any) -> Run:
    given = {
        "id": build.RUN,
        "status": status,
        "head_sha": build.HEAD,
        "pr": 7,
        "url": "https://github.test/r/500",
    }
    return Run(**{**given, **fields})


def pull(**fields: Any) -> PullRequest:
    return PullRequest(
        **{"number": 7, "open": True, "head_sha": build.HEAD, "base_sha": build.BASE, **fields}
    )


def tallied(*records: Any, plan: Plan = PLAN, **facts: Any) -> Any:
    return ledger(plan, records, Facts(**{"run_id": build.RUN, "attempt": 1, **facts})).as_json()


def jobs(status: str, *, plan: str = "completed") -> list[JobView]:
    """The plan job, and the canary's job in `status`."""
    name = "canary " + split.cells(PLAN.points)[0]["name"]
    canary = JobView(id=2, name=name, status=status, labels=("cluster:h200-dgxc",))
    return [JobView(id=1, name="plan", status=plan), canary]


def github(*, ledger: Any = None, plan: Any = PLAN) -> FakeGitHub:
    fake = FakeGitHub()
    fake.pulls[7] = pull()
    fake.job_lists = [jobs("completed")]
    if plan is not None:
        fake.upload("plan", "plan.json", plan.as_json())
    if ledger is not None:
        fake.upload("ledger", "ledger.json", ledger)
    return fake


def report(
    fake: FakeGitHub, sweep: Run, named: int | None = 7, pauses: list[float] | None = None, **fields: Any
) -> str:
    waits = [] if pauses is None else pauses
    reporter = Reporter(
        github=fake,
        run=sweep,
        layout=LAYOUT,
        default_branch="main",
        note=lambda text: None,
        sleep=waits.append,
        **fields,
    )
    return reporter.report(named)


def test_a_finished_run_is_told_with_its_ledger() -> None:
    fake = github(ledger=tallied(*(build.record(point) for point in PLAN.points)))
    assert (
        report(fake, run()) == "comment 1 created: ✅ Sweep of adc40a2: 2 of 2 points and 1 of 1 evals valid"
    )
    assert "- C1 valid · 1,234 tok/s/GPU · adc40a2 · attempt 1" in fake.stored[0].body
    assert report(fake, run()).startswith("comment 1 same")


def test_a_finished_run_is_told_beside_main() -> None:
    fake = github(ledger=tallied(*(build.record(point) for point in PLAN.points)))
    asked: list[int] = []

    def beside(plan: Plan, known: Any) -> Compared:
        asked.append(known.run_id)
        found = Finding(
            name="C1 @octo", verdict=Change.WORSE, change=-0.1, low=-0.12, high=-0.08, chance=1e-4, new=9.0
        )
        return Compared(points=(found,), curves=(), fresh=0, scope="")

    report(fake, run(), beside=beside)
    assert "**Compared with main**: 1 worse of 1 number." in fake.stored[0].body
    assert "| C1 octo |" in fake.stored[0].body
    report(github(ledger=tallied()), run("in_progress"), beside=beside)
    assert asked == [build.RUN]


def test_a_run_that_waits_names_the_runner_label() -> None:
    fake = github()
    fake.job_lists = [jobs("queued", plan="in_progress"), jobs("queued")]
    pauses: list[float] = []
    assert "is running" in report(fake, run("in_progress"), pauses=pauses)
    assert "C1 waits for a runner with label `cluster:h200-dgxc`." in fake.stored[0].body
    assert pauses == [5]
    assert len(fake.calls) <= 9


def test_nobody_waits_for_ever_for_a_plan() -> None:
    fake = github(plan=None)
    pauses: list[float] = []
    fake.job_lists = [[JobView(id=1, name="plan", status="in_progress")]]
    assert report(fake, run("in_progress"), pauses=pauses) == "the run has no plan to show"
    assert sum(pauses) < 180
    assert fake.stored == []


def test_an_older_run_never_replaces_a_newer_one() -> None:
    fake = github(ledger=tallied(*(build.record(point) for point in PLAN.points)))
    report(fake, run())
    newest = fake.stored[0].body
    old = run(id=build.RUN - 1, attempt=9)
    assert report(github_like(fake), old).startswith("comment 1 same")
    assert fake.stored[0].body == newest


def github_like(fake: FakeGitHub) -> FakeGitHub:
    """The same pull request, looked at for another run: its ledger is not this run's."""
    fake.files = fake.files[:1]
    return fake


def test_a_run_that_started_nothing_replaces_nothing() -> None:
    fake = github()
    fake.job_lists = [
        [JobView(id=1, name="plan", status="completed"), JobView(id=2, name="collect", status="completed")]
    ]
    assert report(fake, run()) == "the run started nothing"
    assert fake.stored == []


def test_a_killed_run_is_counted_from_its_records() -> None:
    fake, first = github(), PLAN.points[0]
    fake.upload(
        first.artifact("bmk"),
        "record.json",
        build.record(first, Outcome.FAILURE, reason="engine-died").as_json(),
    )
    fake.upload("bmk_broken", "record.json", {})
    report(fake, run(conclusion="cancelled"))
    assert "C1 invalid(engine-died)" in fake.stored[0].body


@pytest.mark.parametrize(
    ("sweep", "plan"),
    [
        (run(head_sha="b" * 40), PLAN),
        (run(), build.plan(pr=8)),
        (run(**{**DISPATCHED, "title": replace(TITLE, head_sha="b" * 40)}), PLAN),
    ],
    ids=["other-commit", "other-pull-request", "other-commit-dispatched"],
)
def test_a_plan_that_is_not_this_runs_is_refused(sweep: Run, plan: Plan) -> None:
    fake = github(plan=plan)
    with pytest.raises(Refused):
        report(fake, sweep)
    assert fake.stored == []


def test_a_title_cannot_point_at_somebody_elses_pull_request() -> None:
    fake = github()
    fake.pulls[7] = pull(head_ref="theirs", head_repo="octo/bench", base_repo="octo/bench")
    with pytest.raises(Refused, match="only claims"):
        report(fake, run(head_branch="mine", head_repo="octo/bench"), named=None)


@pytest.mark.parametrize("branch", ["mine", "another"])
def test_a_forks_own_run_reports_nothing_whatever_its_workflow_file_uploads(branch: str) -> None:
    fake = github(ledger=tallied(*(build.record(point) for point in PLAN.points)))
    fake.pulls[7] = pull(head_ref="mine", head_repo="octo/bench", base_repo="acme/bench")
    told = report(fake, run(head_branch=branch, head_repo="octo/bench"), named=None)
    assert (told[:15], fake.stored) == ("a fork's own ru", [])


def test_a_dispatched_run_belongs_to_the_pull_request_of_its_title() -> None:
    fake = github()
    report(fake, run(**DISPATCHED), named=8)
    assert len(fake.stored) == 1


def test_a_title_of_another_branchs_workflow_file_is_not_believed() -> None:
    fake = github()
    with pytest.raises(Refused, match="only claims"):
        report(fake, replace(run(**DISPATCHED), head_branch="topic"), named=None)
    assert fake.stored == []


@pytest.mark.parametrize("damage", [{"run_id": 1}, {"entries": []}], ids=["other-run", "other-points"])
def test_a_ledger_of_something_else_is_not_believed(damage: dict[str, Any]) -> None:
    fake = github(ledger={**tallied(*(build.record(point) for point in PLAN.points)), **damage})
    report(fake, run())
    assert "0 of 2 points" in fake.stored[0].body


def test_a_broken_plan_is_one_sentence() -> None:
    fake = github(plan=None)
    fake.upload("plan", "plan.json", {"points": 3})
    with pytest.raises(BadInput, match=r"plan\.json"):
        report(fake, run())


def test_a_later_head_is_not_covered() -> None:
    fake = github(ledger=tallied(*(build.record(point) for point in PLAN.points)))
    fake.pulls[7] = pull(head_sha="b" * 40)
    report(fake, run())
    assert "not-covered · maintainer: results are of `adc40a2`, the head is `bbbbbbb`" in fake.stored[0].body


def test_a_run_without_a_pull_request_is_left_alone() -> None:
    assert report(FakeGitHub(), run(pr=None), named=None) == "the run belongs to no pull request"


class Here:
    """A workflow step with an event."""

    def __init__(self, folder: Path, status: str, path: str) -> None:
        (folder / "event.json").write_text(
            json.dumps({"workflow_run": {"id": 1, "status": status, "path": path, "head_sha": build.HEAD}})
        )
        self.err = StringIO()
        env = {"GITHUB_EVENT_PATH": str(folder / "event.json")}
        self.world = World(env=env, cwd=folder, out=StringIO(), err=self.err)

    def report(self) -> int:
        return main(["job", "report"], self.world)


def test_a_run_that_has_not_begun_costs_no_request(tmp_path: Path) -> None:
    assert Here(tmp_path, "queued", LAYOUT.sweep_workflow).report() == 0


@pytest.mark.parametrize(
    ("path", "code", "sentence"),
    [
        (".github/workflows/evil.yml", 1, "is not the sweep workflow"),
        (LAYOUT.sweep_workflow, 2, "GITHUB_REPOSITORY is not set"),
    ],
)
def test_what_cannot_be_reported_is_one_sentence(tmp_path: Path, path: str, code: int, sentence: str) -> None:
    here = Here(tmp_path, "completed", path)
    assert here.report() == code
    assert sentence in here.err.getvalue()
    assert here.err.getvalue().count("\n") == 1


def test_without_templates_the_links_lead_to_the_page_that_the_run_keeps() -> None:
    page = Artifact(id=9, name="report", size=1)
    kept = links(LAYOUT, run(), page=page)
    assert kept.performance == kept.accuracy == "https://github.test/r/500/artifacts/9"
    layout = replace(LAYOUT, performance="https://pages.test/?run={run}")
    assert links(layout, run(), page=page).performance == f"https://pages.test/?run={build.RUN}"
    assert not links(LAYOUT, run(), page=None).accuracy


def test_C55_after_a_rerun_every_point_names_the_attempt_that_its_artifact_is_of() -> None:
    first, second, third = PLAN.points
    records = [build.record(first), build.record(second, attempt=2), build.record(third, attempt=2)]
    fake = github(ledger=tallied(*records, attempt=2))
    report(fake, run(attempt=2))
    text = fake.stored[0].body
    assert f"Run [{build.RUN}](https://github.test/r/500) · attempt 2" in text
    assert [line.split(" · ")[-1] for line in text.splitlines() if line.startswith("- C")] == [
        "attempt 1",
        "attempt 2",
        "attempt 2",
    ]


def test_a_run_that_began_is_shown_by_a_plan_made_here() -> None:
    fake = github(plan=None)
    fake.job_lists = [jobs("in_progress")]
    reporter = Reporter(
        github=fake,
        run=run("in_progress"),
        layout=LAYOUT,
        default_branch="main",
        note=lambda text: None,
        sleep=lambda seconds: None,
        draw=lambda: PLAN,
    )
    assert "is running" in reporter.report(7)
    assert [call for call in fake.calls if "artifacts" in call] == []


def test_jobs_are_asked_only_for_what_left_nothing() -> None:
    failed = [build.record(PLAN.points[0], Outcome.FAILURE, reason="engine-died")]
    whole = [*failed, *(build.record(point) for point in PLAN.points[1:])]
    for records, asked in ((whole, 0), (failed, 1)):
        fake = github(ledger=tallied(*records))
        report(fake, run(conclusion="failure"))
        assert sum(call.startswith("GET jobs") for call in fake.calls) == asked
