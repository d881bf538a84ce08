"""Every webhook that the forge sends has GitHub's shape."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.forge.client import REPO
from tests.forge.webhooks import complaints

pytestmark = pytest.mark.forge

R = f"/repos/{REPO}"
KEPT = "SELECT data FROM deliveries WHERE name = 'issue_comment'"
KNOWN = (
    "'installation' is a required property",
    "('archived_at', 'archived_by' were unexpected)",
    "('client_id' was unexpected)",
    "('verified_at' was unexpected)",
)
"""Workflows do not see an App's installation; the REST description is newer than the webhook's schema."""


def checked(world) -> set[str]:
    """Kinds of the events so far, each proven right."""
    world.forge.settle()
    for event in world.recorder.events:
        found = complaints(event.name, json.loads(json.dumps(event.payload)))
        assert [one for one in found if not one.endswith(KNOWN)] == [], (
            event.name,
            event.payload.get("action"),
        )
    return set(world.recorder.kinds)


def test_pull_requests(world):
    will = world.at("will")
    number = will.open_pull("feature", title="t", draft=True)
    will.set_draft(number, False)
    will.label(number, "a")
    will.unlabel(number, "a")
    will.edit(number, title="new", body="why")
    will.push_to_pull(number, {"b.txt": "b\n"}, message="b")
    will.close(number)
    will.reopen(number)
    will.merge(number)
    actions = {
        "opened",
        "ready_for_review",
        "labeled",
        "unlabeled",
        "edited",
        "synchronize",
        "closed",
        "reopened",
    }
    assert checked(world) == {"push", *(f"pull_request.{action}" for action in actions)}


def test_talk(world, pull):
    will, olga = world.at("will"), world.at("olga")
    comment = will.comment(pull, "hi")
    will.edit_comment(comment, "ho")
    will.delete_comment(comment)
    olga.review(pull, "REQUEST_CHANGES", "no", inline=[{"path": "configs/a.yaml", "line": 1, "body": "here"}])
    world.client("will")("POST", f"{R}/issues", {"title": "Why?"})
    assert checked(world) == {
        "issue_comment.created",
        "issue_comment.edited",
        "issue_comment.deleted",
        "pull_request_review.submitted",
        "pull_request_review_comment.created",
        "issues.opened",
    }


def test_actions(world, pull):
    run, client = world.run(pull), world.client("will")
    job, store = world.job(run), world.forge.store
    store.tell("workflow_run", "requested", run)
    store.tell("workflow_job", "queued", run, job)
    ended = store.change_run(run.id, status="completed", conclusion="success")
    store.tell("workflow_run", "completed", ended)
    client("POST", f"{R}/statuses/{run.head_sha}", {"state": "success"})
    client("POST", f"{R}/dispatches", {"event_type": "go"})
    client("POST", f"{R}/actions/workflows/sweep.yml/dispatches", {"ref": "main"})
    assert checked(world) == {
        "workflow_run.requested",
        "workflow_job.queued",
        "workflow_run.completed",
        "status",
        "repository_dispatch.go",
        "workflow_dispatch",
    }


def test_checks_and_statuses_tell_where_they_belong(world):
    job, sha = world.job_client(checks="write"), world.at("will").at.bare.ref("refs/heads/main")
    made = job("POST", f"{R}/check-runs", {"name": "c", "head_sha": sha}).json
    for status in ("in_progress", "completed", "completed"):
        change = {"conclusion": "success"} if status == "completed" else {"status": status}
        job("PATCH", f"{R}/check-runs/{made['id']}", change)
    world.client("will")("POST", f"{R}/statuses/{sha}", {"state": "success"})
    assert checked(world) == {"check_run.created", "check_run.completed", "status"}
    assert [one["name"] for one in world.recorder.events[-1].payload["branches"]] == ["main"]
    assert world.recorder.kinds.count("check_run.completed") == 1


def test_organizations_are_named(world):
    world.at("will").push("main", {"x": "x"}, message="x")
    assert world.recorder.events[-1].payload["organization"]["login"] == "acme"


def test_fifty_at_the_same_moment_are_told_once_each(world, pull):
    will, here = world.client("will"), f"{R}/issues/{pull}/comments"
    with ThreadPoolExecutor(50) as pool:
        statuses = list(pool.map(lambda number: will("POST", here, {"body": str(number)}).status, range(50)))
    world.forge.settle()
    told = [event.payload["comment"]["body"] for event in world.recorder.events]
    kept = [json.loads(row["data"])["comment"]["body"] for row in world.forge.site.db.rows(KEPT)]
    assert statuses == [201] * 50
    assert sorted(map(int, told)) == list(range(50))
    assert sorted(told) == sorted(kept)
