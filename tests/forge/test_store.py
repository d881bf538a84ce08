"""Runs and jobs as the Actions half writes them and clients read them."""

import threading

import pytest
from github import GithubException

from tests.forge.client import REPO

pytestmark = pytest.mark.forge

R = f"/repos/{REPO}"


def test_ids_and_numbers_rise(world):
    runs = [world.run() for _ in range(3)]
    assert [run.number for run in runs] == [1, 2, 3]
    assert runs[0].id < runs[1].id < runs[2].id


def test_a_run_comes_back_as_it_was_stored(world, pull):
    run = world.run(pull, group="g", cancel_in_progress=True)
    assert world.forge.store.run(run.id) == run
    assert world.forge.store.unfinished_runs(REPO) == [run]
    world.forge.store.change_run(run.id, status="completed", conclusion="success")
    assert world.forge.store.unfinished_runs(REPO) == []


def test_unknown_fields_are_refused(world):
    run = world.run()
    with pytest.raises(ValueError, match="a run has no colour"):
        world.forge.store.change_run(run.id, colour="red")


def test_older_attempts_stay_as_they_ended(world, will):
    run = world.run()
    world.job(run, "one", status="completed", conclusion="failure")
    world.forge.store.change_run(run.id, status="completed", conclusion="failure")
    again = world.forge.store.change_run(
        run.id, attempt=2, status="queued", conclusion=None, triggering_actor="mia"
    )
    world.job(again, "two")
    client = world.client("will")
    first = client("GET", f"{R}/actions/runs/{run.id}/attempts/1").json
    newest = client("GET", f"{R}/actions/runs/{run.id}").json
    assert (first["conclusion"], first["triggering_actor"]["login"]) == ("failure", "will")
    assert (newest["run_attempt"], newest["conclusion"], newest["triggering_actor"]["login"]) == (
        2,
        None,
        "mia",
    )
    assert newest["previous_attempt_url"].endswith("/attempts/1")
    shown = will.get_workflow_run(run.id)
    assert [job.name for job in shown.jobs()] == ["two"]
    assert [job.name for job in shown.jobs("all")] == ["one", "two"]


def test_jobs_show_as_check_runs_of_the_newest_attempt(world, will, pull):
    run = world.run(pull)
    job = world.job(run, "plan")
    world.forge.store.change_job(
        job.id, status="completed", conclusion="success", completed_at="2026-01-01T00:00:00Z"
    )
    checks = list(will.get_commit(run.head_sha).get_check_runs())
    assert [(one.id, one.name, one.conclusion, one.app.slug) for one in checks] == [
        (job.id, "plan", "success", "github-actions")
    ]
    world.forge.store.change_run(run.id, attempt=2)
    assert list(will.get_commit(run.head_sha).get_check_runs()) == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", 3),
        ("?event=push", 1),
        ("?status=completed", 1),
        ("?status=failure", 1),
        ("?status=queued", 2),
        ("?branch=feature", 2),
        ("?head_sha=0000", 0),
        ("?created=%3E%3D2000-01-01", 3),
        ("?created=2000-01-01..2000-12-31", 0),
    ],
)
def test_runs_are_filtered(world, pull, query, found):
    world.run()
    world.run(pull)
    failed = world.run(pull)
    world.forge.store.change_run(failed.id, status="completed", conclusion="failure")
    client = world.client("will")
    assert client("GET", f"{R}/actions/runs{query}").json["total_count"] == found
    assert client("GET", f"{R}/actions/workflows/sweep.yml/runs{query}").json["total_count"] == found


def test_orders_reach_the_engine(world, will):
    run = will.get_workflow_run(world.run().id)
    assert run.cancel()
    world.forge.store.change_run(run.id, status="completed", conclusion="failure")
    assert run.rerun()
    assert run.rerun_failed_jobs()
    assert world.recorder.calls[-3:] == [
        ("cancel", run.id),
        ("rerun", run.id, False, None, "will"),
        ("rerun", run.id, True, None, "will"),
    ]


def test_orders_that_make_no_sense_are_refused(world):
    run, client = world.run(), world.client("will")
    assert client("POST", f"{R}/actions/runs/{run.id}/rerun").status == 403
    assert client("POST", f"{R}/actions/runs/{run.id}/approve").status == 403
    world.forge.store.change_run(run.id, status="completed", conclusion="success")
    assert client("POST", f"{R}/actions/runs/{run.id}/cancel").status == 409


def test_logs_are_read_behind_a_redirect(world):
    run = world.run()
    job = world.job(run, "plan / a")
    world.forge.store.append_log(job.id, "one\n")
    world.forge.store.append_log(job.id, "two\n")
    client = world.client("will")
    assert client("GET", f"{R}/actions/jobs/{job.id}/logs").data == b"one\ntwo\n"
    assert client("GET", f"{R}/actions/runs/{run.id}/logs").data.startswith(b"PK")


def test_telling_sends_the_official_payload(world, pull):
    run = world.run(pull)
    job = world.job(run)
    world.forge.store.tell("workflow_run", "requested", run)
    world.forge.store.tell("workflow_job", "queued", run, job)
    world.forge.settle()
    first, second = world.recorder.events
    assert first.payload["workflow_run"]["pull_requests"][0]["number"] == pull
    assert first.payload["workflow"]["path"] == ".github/workflows/sweep.yml"
    assert (first.ref, first.by_job_token, first.actor) == ("refs/heads/main", False, "will")
    assert second.payload["workflow_job"]["id"] == job.id


def test_runners_show_labels_and_state(world):
    runner = world.forge.runner("h200-0", ["self-hosted", "h200"])
    world.forge.runner("ubuntu", ["ubuntu-latest"], hosted=True)
    job = world.job(world.run(), runner="h200-0", status="in_progress")
    shown = world.client("olga")("GET", f"{R}/actions/runners").json["runners"]
    assert [(one["name"], one["status"], one["busy"]) for one in shown] == [("h200-0", "online", True)]
    world.forge.store.change_job(job.id, status="completed")
    world.forge.set_runner(runner, online=False)
    shown = world.client("olga")("GET", f"{R}/actions/runners/{runner}").json
    assert (shown["status"], shown["busy"]) == ("offline", False)
    assert world.recorder.calls.count(("runners_changed",)) == 3


def test_dispatch_names_workflow_ref_and_inputs(world, will):
    assert will.get_workflow("sweep.yml").create_dispatch("feature", {"key": "k"})
    event = world.recorder.events[-1]
    assert (event.name, event.ref) == ("workflow_dispatch", "refs/heads/feature")
    assert event.payload["inputs"] == {"key": "k"}
    assert event.sha == world.at("will").at.bare.ref(event.ref)
    with pytest.raises(GithubException, match="No ref found"):
        will.get_workflow("sweep.yml").create_dispatch("nowhere", throw=True)


def test_fifty_writers_lose_nothing(world, pull):
    threads = [
        threading.Thread(
            target=world.client("will"), args=("POST", f"{R}/issues/{pull}/comments", {"body": str(n)})
        )
        for n in range(50)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    world.forge.settle()
    told = {event.payload["comment"]["body"] for event in world.recorder.events}
    assert told == {str(n) for n in range(50)}
