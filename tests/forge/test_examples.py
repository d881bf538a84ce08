"""GitHub's published examples happen again here: done through REST, served back, told in the same words."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.forge.client import REPO, World
from tests.forge.test_hooks import KNOWN
from tests.forge.webhooks import SENT, complaints

pytestmark = [pytest.mark.forge, pytest.mark.node]

R = f"/repos/{REPO}"
INDEX = Path(__file__).parents[2] / "node_modules/@octokit/webhooks-examples/api.github.com/index.json"
NOT_OFFERED = {
    "check_run": {"requested_action"},
    "issues": {"deleted", "pinned", "transferred", "unpinned"},
    "workflow_job": {"waiting"},
}
"""Actions that the forge does not know: pins, transfers, buttons of checks, jobs that wait for people."""
Fields = dict[str, Any]
Remake = Callable[[World, Fields], Fields]
"""Makes it happen; the fields that the webhook must repeat, by dotted name."""


def examples() -> list[Any]:
    published = json.loads(INDEX.read_text()) if INDEX.exists() else []
    return [
        pytest.param(event["name"], example, id=f"{event['name']}.{example.get('action', '')}-{place}")
        for event in published
        if event["name"] in SENT
        for place, example in enumerate(event["examples"])
        if example.get("action") not in NOT_OFFERED.get(event["name"], ())
    ]


def picked(example: Fields, *names: str) -> Fields:
    return {name: deep(example, name) for name in names}


def deep(value: Any, name: str) -> Any:
    for word in name.split("."):
        value = value[word]
    return value


def send(world: World, method: str, path: str, body: Any) -> Any:
    answer = world.client("olga")(method, R + path, body)
    assert answer.status < 300, answer.json
    return answer.json


def an_issue(world: World, example: Fields) -> int:
    issue = example["issue"]
    made = send(world, "POST", "/issues", {"title": issue["title"], "body": issue["body"]})
    return int(made["number"])


def labelled(world: World, number: int, example: Fields) -> None:
    """`labeled` or `unlabeled`, with the label as the example has it."""
    label = example["label"]
    wanted = {name: label[name] for name in ("name", "color") if label[name]}
    send(world, "POST", "/labels", {**wanted, "description": label.get("description")})
    send(world, "POST", f"/issues/{number}/labels", {"labels": [label["name"]]})
    if example["action"] == "unlabeled":
        send(world, "DELETE", f"/issues/{number}/labels/{label['name']}", None)


def issues(world: World, example: Fields) -> Fields:
    number, action = an_issue(world, example), example["action"]
    if action == "edited":
        send(world, "PATCH", f"/issues/{number}", {"body": "another"})
        send(world, "PATCH", f"/issues/{number}", {"body": example["issue"]["body"]})
    elif action == "reopened":
        for state in ("closed", "open"):
            send(world, "PATCH", f"/issues/{number}", {"state": state})
    elif "label" in action:
        labelled(world, number, example)
        return picked(example, "label.name", "label.color", "issue.title")
    else:
        return on_duty(world, number, example) | picked(example, "issue.title", "issue.body")
    return picked(example, "issue.title", "issue.body", "issue.state")


def on_duty(world: World, number: int, example: Fields) -> Fields:
    """Assigned, locked, put into a milestone, or what undoes it."""
    action = example["action"]
    if "assigned" in action:
        who = example["assignee"]["login"]
        world.forge.role(REPO, who, "write")
        send(world, "POST", f"/issues/{number}/assignees", {"assignees": [who]})
        if action == "unassigned":
            send(world, "DELETE", f"/issues/{number}/assignees", {"assignees": [who]})
        return picked(example, "assignee.login")
    if "locked" in action:
        send(world, "PUT", f"/issues/{number}/lock", {"lock_reason": "off-topic"})
        if action == "unlocked":
            send(world, "DELETE", f"/issues/{number}/lock", None)
    if "milestoned" in action:
        title = {"title": example["milestone"]["title"], "description": example["milestone"]["description"]}
        made = send(world, "POST", "/milestones", title)["number"]
        send(world, "PATCH", f"/issues/{number}", {"milestone": made})
        if action == "demilestoned":
            send(world, "PATCH", f"/issues/{number}", {"milestone": None})
        return picked(example, "milestone.title", "milestone.description")
    return {}


def reviewers(world: World, number: int, example: Fields) -> Fields:
    """Asked for a review, or not any more; the teams of an example are made here."""
    people, team = example.get("requested_reviewer"), example.get("requested_team")
    if people:
        world.forge.role(REPO, people["login"], "write")
    if team:
        world.forge.team("acme", team["name"])
    asked = {
        "reviewers": [people["login"]] if people else [],
        "team_reviewers": [team["slug"]] if team else [],
    }
    send(world, "POST", f"/pulls/{number}/requested_reviewers", asked)
    if example["action"] == "review_request_removed":
        send(world, "DELETE", f"/pulls/{number}/requested_reviewers", asked)
    found = picked(example, "requested_reviewer.login") if people else {}
    return found | (picked(example, "requested_team.slug") if team else {})


def issue_comment(world: World, example: Fields) -> Fields:
    number, body = an_issue(world, example), example["comment"]["body"]
    first = "before" if example["action"] == "edited" else body
    made = send(world, "POST", f"/issues/{number}/comments", {"body": first})
    if example["action"] == "edited":
        send(world, "PATCH", f"/issues/comments/{made['id']}", {"body": body})
    elif example["action"] == "deleted":
        send(world, "DELETE", f"/issues/comments/{made['id']}", None)
    return picked(example, "comment.body", "issue.title", "issue.body")


def a_pull(world: World, example: Fields, *, draft: bool = False) -> int:
    """A pull request with the example's text and branch."""
    pull = example["pull_request"]
    world.at("will").push(pull["head"]["ref"], {"README.md": "changed\n" * 300}, message="change")
    body = {"title": pull["title"], "body": pull["body"], "head": pull["head"]["ref"], "base": "main"}
    return int(send(world, "POST", "/pulls", {**body, "draft": draft})["number"])


def pull_request(world: World, example: Fields) -> Fields:
    action = example["action"]
    number = a_pull(world, example, draft=action == "ready_for_review")
    olga = world.at("olga")
    if "draft" in action or action == "ready_for_review":
        olga.set_draft(number, action == "converted_to_draft")
    elif action == "synchronize":
        olga.push_to_pull(number, {"b.txt": "b\n"}, message="b")
    elif action == "closed":
        olga.merge(number) if example["pull_request"]["merged"] else olga.close(number)
        return picked(example, "pull_request.state", "pull_request.merged", "pull_request.title")
    elif action == "reopened":
        olga.close(number)
        olga.reopen(number)
    elif "label" in action:
        labelled(world, number, example)
    elif "review_request" in action:
        return reviewers(world, number, example)
    elif "opened" not in action and action != "edited":
        return on_duty(world, number, example)
    return picked(example, "pull_request.title", "pull_request.body", "pull_request.head.ref")


def pull_request_review(world: World, example: Fields) -> Fields:
    number, body = a_pull(world, example), example["review"]["body"] or "seen"
    event = "APPROVE" if example["action"] == "dismissed" else "COMMENT"
    review = world.at("mia").review(number, event, body)
    if example["action"] == "dismissed":
        send(world, "PUT", f"/pulls/{number}/reviews/{review}/dismissals", {"message": "old"})
    return picked(example, "review.state", "pull_request.title")


def pull_request_review_comment(world: World, example: Fields) -> Fields:
    comment = example["comment"]
    line = comment.get("line") or comment["position"]
    body = {"body": comment["body"], "path": comment["path"], "line": line, "side": "RIGHT"}
    made = send(world, "POST", f"/pulls/{a_pull(world, example)}/comments", body)["id"]
    if example["action"] == "edited":
        send(world, "PATCH", f"/pulls/comments/{made}", {"body": "before"})
        send(world, "PATCH", f"/pulls/comments/{made}", {"body": comment["body"]})
    elif example["action"] == "deleted":
        send(world, "DELETE", f"/pulls/comments/{made}", None)
    return picked(example, "comment.body", "comment.path", "pull_request.title")


def push(world: World, example: Fields) -> Fields:
    ref = example["ref"] if example["ref"] != "refs/heads/master" else "refs/heads/new"
    sha = world.at("will").at.bare.ref("refs/heads/feature")
    send(world, "POST", "/git/refs", {"ref": ref, "sha": sha})
    if example["deleted"]:
        send(world, "DELETE", f"/git/{ref}", None)
    return {"ref": ref, **picked(example, "created", "deleted", "forced")}


def status(world: World, example: Fields) -> Fields:
    names = ("state", "description", "target_url", "context")
    send(world, "POST", "/statuses/main", {name: example[name] for name in names})
    return picked(example, *names)


def check_run(world: World, example: Fields) -> Fields:
    job, check = world.job_client(checks="write"), example["check_run"]
    sha = world.at("will").at.bare.ref("refs/heads/main")
    names = ("name", "external_id", "status", "details_url")
    body = {
        **{name: check[name] for name in names if name in check},
        "head_sha": sha,
        "output": check["output"],
    }
    if example["action"] == "created":
        job("POST", f"{R}/check-runs", body)
        return picked(example, "check_run.name", "check_run.status", "check_run.output.title")
    made = job("POST", f"{R}/check-runs", {**body, "status": "in_progress"}).json
    if example["action"] == "rerequested":
        job("PATCH", f"{R}/check-runs/{made['id']}", {"conclusion": check["conclusion"]})
        job("POST", f"{R}/check-runs/{made['id']}/rerequest")
        return picked(example, "check_run.name", "check_run.conclusion")
    job("PATCH", f"{R}/check-runs/{made['id']}", {"conclusion": check["conclusion"]})
    return picked(example, "check_run.name", "check_run.conclusion", "check_run.output.summary")


def repository_dispatch(world: World, example: Fields) -> Fields:
    body = {"event_type": example["action"], "client_payload": example["client_payload"]}
    send(world, "POST", "/dispatches", body)
    return picked(example, "action", "client_payload")


def workflow_dispatch(world: World, example: Fields) -> Fields:
    send(world, "POST", "/actions/workflows/sweep.yml/dispatches", {"ref": "main"})
    return {"ref": "refs/heads/main", "workflow": ".github/workflows/sweep.yml"}


def workflow_run(world: World, example: Fields) -> Fields:
    names = ("name", "event", "head_branch", "status", "conclusion")
    run = world.run(**{name: example["workflow_run"][name] for name in names})
    world.forge.store.tell("workflow_run", example["action"], run)
    return picked(example, *(f"workflow_run.{name}" for name in names))


def workflow_job(world: World, example: Fields) -> Fields:
    names = ("name", "status", "conclusion", "labels", "started_at", "completed_at")
    known = {name: example["workflow_job"].get(name) for name in names}
    run = world.run()
    world.forge.store.tell("workflow_job", example["action"], run, world.job(run, **known))
    return picked(example, "workflow_job.name", "workflow_job.status", "workflow_job.labels")


REMAKE: dict[str, Remake] = {
    one.__name__: one
    for one in (
        *(check_run, issue_comment, issues, pull_request, pull_request_review, pull_request_review_comment),
        *(push, repository_dispatch, status, workflow_dispatch, workflow_job, workflow_run),
    )
}


@pytest.mark.parametrize(("name", "example"), examples())
def test_an_example_happens_again(world, name, example):
    expected = REMAKE[name](world, example)
    world.forge.settle()
    event = world.recorder.events[-1]
    told = json.loads(json.dumps(event.payload))
    assert (event.name, told.get("action")) == (name, example.get("action"))
    assert {field: deep(told, field) for field in expected} == expected
    published = complaints(name, example)
    assert [one for one in complaints(name, told) if not one.endswith(KNOWN) and one not in published] == []


def test_every_event_sent_has_examples():
    assert set(REMAKE) == SENT
