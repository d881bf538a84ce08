"""Who may do what: roles of people, permissions of jobs, strangers."""

import pytest

from tests.forge.client import REPO, Client

pytestmark = pytest.mark.forge

R = f"/repos/{REPO}"


@pytest.mark.parametrize(
    ("method", "path", "body", "lowest"),
    [
        ("GET", "/pulls/1", None, "rita"),
        ("POST", "/issues/1/comments", {"body": "hi"}, "rita"),
        ("POST", "/issues/1/labels", {"labels": ["a"]}, "tom"),
        ("POST", "/statuses/{sha}", {"state": "success"}, "will"),
        ("PUT", "/pulls/1/update-branch", {}, "will"),
        ("POST", "/dispatches", {"event_type": "go"}, "will"),
        ("GET", "/actions/runners", None, "olga"),
        ("POST", "/actions/variables", {"name": "A", "value": "1"}, "olga"),
    ],
)
def test_people_need_the_role(world, pull, method, path, body, lowest):
    path = R + path.format(sha=world.at("will").pull(pull)["head"]["sha"])
    order = ["rita", "tom", "will", "mia", "olga"]
    refused = {login for login in order if world.client(login)(method, path, body).status == 403}
    assert refused == set(order[: order.index(lowest)])


@pytest.mark.parametrize(
    ("method", "path", "body", "permission"),
    [
        ("POST", "/issues/1/comments", {"body": "hi"}, "issues"),
        ("POST", "/issues/1/comments", {"body": "hi"}, "pull-requests"),
        ("POST", "/issues/1/labels", {"labels": ["a"]}, "pull-requests"),
        ("POST", "/statuses/{sha}", {"state": "success"}, "statuses"),
        ("POST", "/check-runs", {"name": "c", "head_sha": "{sha}"}, "checks"),
        ("PUT", "/contents/x.txt", {"message": "m", "content": "eA=="}, "contents"),
        ("POST", "/actions/workflows/sweep.yml/dispatches", {"ref": "main"}, "actions"),
    ],
)
def test_jobs_need_the_permission_at_write(world, pull, method, path, body, permission):
    sha = world.at("will").pull(pull)["head"]["sha"]
    body = {name: value.format(sha=sha) if isinstance(value, str) else value for name, value in body.items()}
    statuses = [
        world.job_client(**held)(method, R + path.format(sha=sha), body).status
        for held in ({}, {permission: "read"}, {permission: "write"})
    ]
    assert statuses[:2] == [403, 403]
    assert 200 <= statuses[2] < 300


def test_refusals_read_as_on_github(world, pull):
    answer = world.job_client()("POST", f"{R}/issues/{pull}/comments", {"body": "hi"})
    assert answer.json["message"] == "Resource not accessible by integration"
    assert answer.json["documentation_url"].startswith("https://docs.github.com/rest")


def test_jobs_write_as_the_bot_and_their_events_say_so(world, pull):
    answer = world.job_client(issues="write")("POST", f"{R}/issues/{pull}/comments", {"body": "hi"})
    world.forge.settle()
    assert (answer.json["user"]["login"], answer.json["user"]["type"]) == ("github-actions[bot]", "Bot")
    assert [event.by_job_token for event in world.recorder.events] == [True]


def test_a_token_ends_with_its_job(world):
    client = world.job_client(contents="read")
    assert client("GET", R).status == 200
    world.forge.store.end_token(client.token)
    assert client("GET", R).json["message"] == "Bad credentials"


def test_nobody_reads_what_is_public_and_writes_nothing(anyone, pull):
    assert anyone("GET", f"{R}/pulls/{pull}").status == 200
    assert anyone("POST", f"{R}/issues/{pull}/comments", {"body": "hi"}).status == 401
    assert Client(anyone.api, "wrong")("GET", R).status == 401


def test_private_repositories_are_not_there_for_strangers(world, anyone):
    world.forge.create_repo("acme/secret", public=False)
    world.forge.user("zoe")
    world.forge.role("acme/secret", "will", "read")
    assert anyone("GET", "/repos/acme/secret").status == 404
    assert world.job_client(contents="read")("GET", "/repos/acme/secret").status == 404
    assert world.client("will")("GET", "/repos/acme/secret").status == 200


def test_jobs_of_a_private_repository_read_only_what_they_hold(world):
    world.forge.configure(REPO, private=1)
    held = world.job_client(contents="read")
    assert held("GET", f"{R}/contents/README.md").status == 200
    assert held("GET", f"{R}/actions/runs").status == 403


@pytest.mark.parametrize(
    ("login", "permission", "role"),
    [
        ("olga", "admin", "admin"),
        ("mia", "write", "maintain"),
        ("tom", "read", "triage"),
        ("eve", "read", "read"),
    ],
)
def test_permission_names_the_role(world, login, permission, role):
    world.forge.user("eve")
    answer = world.client("rita")("GET", f"{R}/collaborators/{login}/permission").json
    assert (answer["permission"], answer["role_name"]) == (permission, role)


def test_custom_roles_show_their_own_name(world):
    world.forge.role(REPO, "tom", "write", custom="gpu-operator")
    answer = world.client("rita")("GET", f"{R}/collaborators/tom/permission").json
    assert (answer["permission"], answer["role_name"]) == ("write", "gpu-operator")
