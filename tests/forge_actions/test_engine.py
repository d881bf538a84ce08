"""Runs from event to end: conditions, cancellation, runners, re-runs, groups; every job is a real one."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from infx.errors import Refused
from infx.forge.actions.engine import Engine
from tests.forge_actions.conftest import Bench
from tests.forge_actions.memory import machine, push

pytestmark = [pytest.mark.act, pytest.mark.node]


def test_C119_skip_far_up_skips_a_default_job(bench: Bench) -> None:
    run = bench.result("skipped")
    assert bench.store.conclusions(run) == {"a": "skipped", "b": "success", "c": "skipped", "d": "success"}


def test_conditions_after_a_failure(bench: Bench) -> None:
    run = bench.result("failed")
    assert bench.store.conclusions(run) == {
        "bad": "failure",
        "default": "skipped",
        "always": "success",
        "failed": "success",
        "not-cancelled": "success",
        "forgiven": "failure",
        "after": "success",
    }
    assert bench.store.run(run).conclusion == "failure"


def test_fail_fast_ends_the_rest_of_its_matrix(bench: Bench) -> None:
    run = bench.result("failfast")
    found = bench.store.conclusions(run)
    assert (found.pop("m (1)"), found.pop("after")) == ("failure", "success")
    assert set(found.values()) == {"cancelled"}
    assert "tidied" in bench.store.log(run, "m (2)")
    assert "m=failure true" in bench.store.log(run, "after")
    assert bench.store.job(run, "m (6)")[0].runner == ""


def test_cancel(bench: Bench) -> None:
    run = bench.begin("cancel")
    bench.log_has(run, "long", "started")
    bench.log_has(run, "stays", "started")
    bench.engine.cancel(run)
    assert bench.engine.wait_idle(20)
    assert bench.store.conclusions(run) == {
        "long": "cancelled",
        "stays": "success",
        "queued": "cancelled",
        "next": "skipped",
        "last": "success",
    }
    assert bench.store.run(run).conclusion == "cancelled"
    assert "tidy" in bench.store.log(run, "long")
    assert "long=cancelled" in bench.store.log(run, "last")


def test_killed_runner(bench: Bench) -> None:
    run = bench.begin("long")
    bench.log_has(run, "a", "started")
    bench.engine.kill_runner(bench.store.job(run, "a")[0].runner)
    assert bench.engine.wait_idle(20)
    assert bench.store.conclusions(run) == {"a": "failure"}
    assert "lost communication" in bench.store.log(run, "a")
    assert "tidy" not in bench.store.log(run, "a")


def test_job_timeout(bench: Bench) -> None:
    run = bench.begin("long")
    bench.log_has(run, "a", "started")
    bench.store.ahead = 301
    assert bench.engine.wait_idle(20)
    assert bench.store.conclusions(run) == {"a": "cancelled"}
    assert "maximum execution time of 5 minutes" in bench.store.log(run, "a")


def test_job_without_a_runner_waits_and_expires(bench: Bench) -> None:
    run = bench.result("gpu")
    assert bench.store.conclusions(run) == {"gpu": None}
    assert bench.store.run(run).status == "queued"
    bench.store.ahead = 24 * 3600 + 5
    bench.until(lambda: bench.store.run(run).status == "completed")
    assert bench.store.conclusions(run) == {"gpu": "failure"}
    assert "no enabled runners" in bench.store.log(run, "gpu")


def test_an_environment_keeps_a_branch_out(bench: Bench) -> None:
    bench.store.repo = replace(bench.store.repo, environments={"prod": ["release/*"]})
    run = bench.result("environment")
    assert bench.store.conclusions(run) == {"m (prod)": "failure", "m (stage)": "success", "after": "success"}
    assert 'Branch "main" is not allowed to deploy to prod' in bench.store.log(run, "m (prod)")


def test_an_environment_brings_its_own_secrets_and_variables(bench: Bench) -> None:
    bench.store.repo = replace(
        bench.store.repo,
        secrets={"KEY": "all"},
        variables={"PLACE": "p"},
        environment_secrets={"stage": {"KEY": "hush"}},
        environment_variables={"stage": {"PLACE": "s"}},
    )
    run = bench.result("environment")
    assert "at=s key=*** length=4" in bench.store.log(run, "m (stage)")
    assert "at=p key=*** length=3" in bench.store.log(run, "m (prod)")


def test_new_runner_takes_the_queued_job(bench: Bench) -> None:
    run = bench.result("gpu")
    bench.store.machines.append(machine(9, "self-hosted", "H200", env={"STAGED": "/models"}))
    bench.engine.runners_changed()
    assert bench.engine.wait_idle(20)
    assert "staged /models" in bench.store.log(run, "gpu")


def test_rerun_of_failed_jobs_keeps_the_good_ones(bench: Bench) -> None:
    run = bench.result("rerun")
    assert bench.store.conclusions(run) == {
        "good": "success",
        "m (1)": "success",
        "m (2)": "failure",
        "last": "skipped",
    }
    bench.tree.commit({".github/workflows/w.yml": "on: push\njobs: {}\n"})
    bench.engine.rerun(run, failed_only=True, actor="bob")
    assert bench.engine.wait_idle(20)
    assert set(bench.store.conclusions(run).values()) == {"success"}
    assert "v=1 attempt 2" in bench.store.log(run, "last")
    assert bench.store.log(run, "m (1)") == ""
    assert bench.store.run(run).triggering_actor == "bob"


def test_rerun_of_one_job_takes_what_waits_for_it_along(bench: Bench) -> None:
    run = bench.result("rerun")
    [first] = bench.store.job(run, "m (1)")
    bench.engine.rerun(run, failed_only=False, job_id=first.id)
    assert bench.engine.wait_idle(20)
    assert bench.store.conclusions(run)["m (2)"] == "failure"
    assert "attempt 2" in bench.store.log(run, "m (1)")
    assert bench.store.log(run, "m (2)") == ""


def test_rerun_of_all_jobs(bench: Bench) -> None:
    run = bench.result("rerun")
    bench.engine.rerun(run, failed_only=False)
    assert bench.engine.wait_idle(20)
    assert "v=2 attempt 2" in bench.store.log(run, "last")


@pytest.mark.parametrize(("cancel", "older"), [("no", "success"), ("yes", "cancelled")])
def test_concurrency_group(bench: Bench, cancel: str, older: str) -> None:
    bench.store.repo.variables["CANCEL"] = cancel  # type: ignore[index]
    first = bench.begin("group")
    bench.log_has(first, "a", "started")
    runs = [first, bench.again(first), bench.again(first)]
    assert bench.engine.wait_idle(20)
    assert [bench.store.run(run).conclusion for run in runs] == [older, "cancelled", "success"]


def test_group_of_the_run_id_never_blocks(bench: Bench) -> None:
    first = bench.begin("own-group")
    runs = [first, bench.again(first), bench.again(first)]
    assert bench.engine.wait_idle(20)
    assert [bench.store.run(run).conclusion for run in runs] == ["success"] * 3
    assert [bench.store.run(run).group for run in runs] == [str(run) for run in runs]
    assert bench.store.run(runs[0]).title == f"run {runs[0]}"


def test_max_parallel(bench: Bench) -> None:
    run = bench.begin("parallel")
    most = 0
    while bench.store.run(run).status != "completed":
        most = max(most, sum(job.status == "in_progress" for job in bench.store.jobs(run, 1)))
        time.sleep(0.01)
    assert most == 1


@pytest.mark.parametrize(
    ("job", "log"),
    [
        ("runs-on: x, strategy: {matrix: {n: '${{ fromJSON(''[]'') }}'}}", "does not contain any values"),
        ("runs-on: '${{ fromJSON(''x'') }}'", "workflow expression"),
        ("runs-on: x, container: node", "is not run by the embedded GitHub"),
    ],
)
def test_job_that_cannot_be_made_fails(bench: Bench, job: str, log: str) -> None:
    run = bench.result_of(f"on: push\njobs: {{a: {{{job}, steps: [{{run: 'true'}}]}}}}")
    assert bench.store.conclusions(run) == {"a": "failure"}
    assert log in bench.store.log(run, "a")


def test_an_earlier_life_is_ended(bench: Bench, tmp_path: Path) -> None:
    old = bench.result("gpu")
    engine = Engine(bench.store, folder=tmp_path / "again", api_url="", results_url="")
    [new] = engine.deliver(push(bench.store.run(old).sha))
    engine.close()
    assert bench.store.conclusions(old) == {"gpu": "cancelled"}
    assert [bench.store.run(run).status for run in (old, new)] == ["completed", "queued"]


def test_broken_file_is_a_startup_failure(bench: Bench) -> None:
    run = bench.result_of("on: push\njobs: {a: {runs-on: x, needs: nope, steps: [{run: 'true'}]}}")
    assert bench.store.run(run).conclusion == "startup_failure"
    assert bench.store.conclusions(run) == {}
    with pytest.raises(Refused, match="is invalid"):
        bench.engine.rerun(run, failed_only=False)


def test_events_are_told_in_order(bench: Bench) -> None:
    bench.result("own-group")
    assert [(name, action) for name, action, _, _ in bench.store.told] == [
        ("workflow_run", "requested"),
        ("workflow_job", "queued"),
        ("workflow_run", "in_progress"),
        ("workflow_job", "in_progress"),
        ("workflow_job", "completed"),
        ("workflow_run", "completed"),
    ]
