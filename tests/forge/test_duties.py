"""Assignees, requested reviewers, locks and milestones: who may, what is told, what bites."""

import pytest

from tests.forge.client import REPO

pytestmark = pytest.mark.forge

R = f"/repos/{REPO}"


@pytest.fixture
def olga(world, pull):
    return world.client("olga")


def kinds(world) -> list[str]:
    world.forge.settle()
    return world.recorder.kinds


def test_who_may_not_be_assigned_is_passed_over(world, olga):
    body = {"assignees": ["mia", "rita", "nobody", "mia"]}
    answer = olga("POST", f"{R}/issues/1/assignees", body)
    assert [one["login"] for one in answer.json["assignees"]] == ["mia"]
    assert answer.json["assignee"]["login"] == "mia"
    assert olga("GET", f"{R}/assignees/mia").status == 204
    assert olga("GET", f"{R}/assignees/rita").status == 404
    olga("PATCH", f"{R}/issues/1", {"assignees": ["tom"]})
    assert kinds(world) == ["pull_request.assigned", "pull_request.unassigned", "pull_request.assigned"]
    pull = olga("GET", f"{R}/pulls/1").json
    assert [one["login"] for one in pull["assignees"]] == ["tom"]


def test_ten_people_at_most(world, olga):
    names = [f"p{number}" for number in range(12)]
    for name in names:
        world.forge.role(REPO, name, "write")
    answer = olga("POST", f"{R}/issues/1/assignees", {"assignees": names})
    assert [one["login"] for one in answer.json["assignees"]] == names[:10]


def test_assignees_of_an_issue_by_somebody_who_may_only_read_are_dropped(world):
    made = world.client("rita")("POST", f"{R}/issues", {"title": "t", "assignees": ["mia"], "milestone": 9})
    assert (made.status, made.json["assignees"], made.json["milestone"]) == (201, [], None)


def test_a_review_answers_the_request_for_it(world, olga):
    world.forge.team("acme", "GPU Owners", "mia")
    here = f"{R}/pulls/1/requested_reviewers"
    olga("POST", here, {"reviewers": ["mia", "tom"], "team_reviewers": ["gpu-owners"]})
    asked = olga("GET", here).json
    assert [one["login"] for one in asked["users"]] == ["mia", "tom"]
    assert [one["slug"] for one in asked["teams"]] == ["gpu-owners"]
    world.at("mia").review(1, "APPROVE")
    olga("DELETE", here, {"reviewers": ["tom", "nobody"], "team_reviewers": []})
    assert olga("GET", here).json["users"] == []
    assert kinds(world) == [
        *["pull_request.review_requested"] * 3,
        "pull_request_review.submitted",
        "pull_request.review_request_removed",
    ]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"reviewers": ["will"]}, 422),
        ({"reviewers": ["stranger"]}, 422),
        ({"team_reviewers": ["none"]}, 404),
        ({"reviewers": "mia"}, 422),
        ({"reviewers": [7]}, 422),
        ({}, 201),
    ],
)
def test_who_cannot_be_asked(world, olga, body, status):
    world.forge.user("stranger")
    assert olga("POST", f"{R}/pulls/1/requested_reviewers", body).status == status
    assert kinds(world) == []


def test_a_locked_conversation_is_for_who_may_write(world, olga):
    here = f"{R}/issues/1/comments"
    assert olga("PUT", f"{R}/issues/1/lock", {"lock_reason": "too heated"}).status == 204
    shown = olga("GET", f"{R}/issues/1").json
    assert (shown["locked"], shown["active_lock_reason"]) == (True, "too heated")
    refused = world.client("rita")("POST", here, {"body": "hi"})
    assert (refused.status, refused.json["message"]) == (
        403,
        "Unable to create comment because issue is locked.",
    )
    for client in (world.client("mia"), world.job_client(issues="write")):
        assert client("POST", here, {"body": "hi"}).status == 201
    assert olga("PUT", f"{R}/issues/1/lock", {"lock_reason": "boring"}).status == 422
    assert olga("DELETE", f"{R}/issues/1/lock").status == 204
    assert world.client("rita")("POST", here, {"body": "hi"}).status == 201


def test_milestones_come_and_go_with_their_issues(world, olga):
    first = olga("POST", f"{R}/milestones", {"title": "v1"}).json["number"]
    again = olga("POST", f"{R}/milestones", {"title": "v1"})
    assert (again.status, again.json["errors"][0]["code"]) == (422, "already_exists")
    assert olga("PATCH", f"{R}/issues/1", {"milestone": first}).json["milestone"]["open_issues"] == 1
    assert olga("PATCH", f"{R}/issues/1", {"milestone": 99}).status == 422
    olga("PATCH", f"{R}/issues/1", {"milestone": None})
    assert kinds(world) == ["pull_request.milestoned", "pull_request.demilestoned"]
    olga("PATCH", f"{R}/milestones/{first}", {"state": "closed"})
    assert olga("GET", f"{R}/milestones").json == []
    assert olga("GET", f"{R}/milestones?state=all").json[0]["closed_at"]
    assert olga("DELETE", f"{R}/milestones/{first}").status == 204
    assert olga("GET", f"{R}/milestones/{first}").status == 404


def test_a_comment_on_a_line_is_changed_and_removed_by_its_author(world, olga):
    line = {
        "body": "here",
        "path": "configs/a.yaml",
        "line": 1,
        "commit_id": world.at("will").pull(1)["head"]["sha"],
    }
    made = olga("POST", f"{R}/pulls/1/comments", line).json["id"]
    here = f"{R}/pulls/comments/{made}"
    assert world.client("rita")("PATCH", here, {"body": "mine"}).status == 403
    assert olga("PATCH", here, {"body": "there"}).json["body"] == "there"
    assert world.client("mia")("DELETE", here).status == 204
    assert olga("GET", here).status == 404
    assert [one.rpartition(".")[2] for one in kinds(world)] == ["created", "edited", "deleted"]
