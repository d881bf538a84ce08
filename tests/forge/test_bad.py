"""Bad input: GitHub's own status codes and message shapes, and nothing half done."""

import socket
from urllib.parse import urlsplit

import pytest

from tests.forge.client import REPO, Client

pytestmark = pytest.mark.forge

R = f"/repos/{REPO}"
COMMENTS = f"{R}/issues/1/comments"
GB = 1024**3
LABELS = 'Invalid request.\n\nNo subschema in "anyOf" matched.'
HUGE = {"body": "x" * 65_537}


def shape(answer) -> tuple[int, str]:
    """Status and message of an answer that has GitHub's form."""
    assert {"message", "documentation_url", "status"} <= set(answer.json)
    assert answer.json["status"] == str(answer.status)
    assert answer.json["documentation_url"].startswith("https://docs.github.com/")
    return answer.status, answer.json["message"]


@pytest.mark.parametrize(
    ("token", "status", "message"),
    [
        ("ghp_wrong", 401, "Bad credentials"),
        ("x" * 5000, 401, "Bad credentials"),
        ("", 401, "Requires authentication"),
    ],
)
def test_tokens(world, pull, token, status, message):
    answer = Client(world.forge.api, token)("POST", COMMENTS, {"body": "hi"})
    assert shape(answer) == (status, message)


@pytest.mark.parametrize(
    ("method", "path", "body", "message"),
    [
        ("POST", f"{R}/statuses/main", {"state": "success"}, "Resource not accessible by integration"),
        ("POST", f"{R}/check-runs", {"name": "c"}, "Resource not accessible by integration"),
        ("GET", f"{R}/actions/runners", None, "Resource not accessible by integration"),
        ("POST", f"{R}/actions/variables", {"name": "A"}, "Resource not accessible by integration"),
        ("GET", "/orgs/acme/teams", None, "Resource not accessible by integration"),
        ("GET", "/user", None, "Resource not accessible by integration"),
    ],
)
def test_a_job_without_the_scope(world, method, path, body, message):
    assert shape(world.job_client(contents="read")(method, path, body)) == (403, message)


def test_a_refusal_says_what_would_do(world, pull):
    job = world.job_client(contents="read")
    for method, path, wanted in (
        ("POST", f"{R}/statuses/main", "statuses=write"),
        ("POST", f"{R}/issues/1/labels", "issues=write; pull_requests=write"),
        ("GET", f"{R}/actions/runners", "administration=read"),
    ):
        answer = job(method, path, {} if method == "POST" else None)
        assert answer.headers["x-accepted-github-permissions"] == wanted
    scopes = world.client("will")("GET", R).headers["x-oauth-scopes"].split(", ")
    assert {"repo", "workflow"} <= {*scopes}
    assert "x-oauth-scopes" not in job("GET", R).headers


@pytest.mark.parametrize(
    ("login", "method", "path", "message"),
    [
        ("rita", "PUT", f"{R}/pulls/1/merge", "Resource not accessible by personal access token"),
        ("rita", "POST", f"{R}/issues/1/labels", "Resource not accessible by personal access token"),
        ("will", "GET", f"{R}/actions/runners", "Must have admin rights to Repository."),
        ("will", "PUT", f"{R}/environments/x", "Must have admin rights to Repository."),
    ],
)
def test_a_person_without_the_role(world, pull, login, method, path, message):
    assert shape(world.client(login)(method, path, {} if method != "GET" else None)) == (403, message)


@pytest.mark.parametrize(
    "path",
    [
        "/issues/99",
        "/issues/comments/1",
        "/pulls/99/files",
        "/pulls/1/reviews/5",
        "/actions/runs/5",
        "/actions/runs/99999999999999999999999",
        "/actions/jobs/5/logs",
        "/actions/artifacts/0/zip",
        "/check-runs/-1",
        "/git/ref/heads/none",
        "/contents/none",
        "/labels/none",
        "/environments/none",
        "/actions/workflows/none.yml",
    ],
)
def test_unknown_ids(world, pull, path):
    assert shape(world.client("olga")("GET", R + path)) == (404, "Not Found")


def test_ids_of_another_repository(world, pull):
    """Everything that a repository has is nowhere under another one's name."""
    run = world.run(pull)
    job, comment = world.job(run), world.at("will").comment(pull, "hi")
    world.forge.create_repo("acme/other")
    world.forge.role("acme/other", "olga", "admin")
    for path in (
        f"/actions/runs/{run.id}",
        f"/actions/jobs/{job.id}",
        f"/issues/comments/{comment}",
        f"/check-runs/{job.id}",
        "/pulls/1",
    ):
        assert world.client("olga")("GET", R + path).status == 200
        assert shape(world.client("olga")("GET", f"/repos/acme/other{path}")) == (404, "Not Found")


def test_private_repositories_do_not_exist_for_others(world):
    world.forge.configure(REPO, private=1)
    stranger = Client(world.forge.api, world.forge.user("stranger"))
    for client in (stranger, Client(world.forge.api)):
        assert shape(client("GET", R)) == (404, "Not Found")
        assert shape(client("GET", f"{R}/issues")) == (404, "Not Found")


@pytest.mark.parametrize(
    ("path", "body", "status", "message"),
    [
        (COMMENTS, b"{", 400, "Problems parsing JSON"),
        (COMMENTS, b'"text"', 400, "Body should be a JSON object"),
        (COMMENTS, b'{"body": "\xff\xfe"}', 400, "Problems parsing JSON"),
        (COMMENTS, {"body": 7}, 422, "Validation Failed"),
        (COMMENTS, {"body": "  "}, 422, "Validation Failed"),
        (COMMENTS, {}, 422, "Validation Failed"),
        (COMMENTS, HUGE, 422, "Validation Failed"),
        (f"{R}/pulls", {**HUGE, "title": "t", "head": "feature", "base": "main"}, 422, "Validation Failed"),
        (f"{R}/pulls", {"title": "t", "head": "none", "base": "main"}, 422, "Validation Failed"),
        (f"{R}/issues", {"body": "no title"}, 422, "Validation Failed"),
        (f"{R}/issues", {"title": "t", "labels": "bug"}, 422, LABELS),
        (f"{R}/issues/1/labels", {"labels": [7]}, 422, LABELS),
        (f"{R}/issues/1/reactions", {"content": "skull"}, 422, "Validation Failed"),
        (f"{R}/statuses/main", {"state": "great"}, 422, "Validation Failed"),
        (f"{R}/statuses/{'0' * 40}", {"state": "success"}, 422, f"No commit found for SHA: {'0' * 40}"),
        (f"{R}/git/refs", {"ref": "refs/heads/x", "sha": "0" * 40}, 422, "Object does not exist"),
        (
            f"{R}/git/refs",
            {"ref": "refs/heads/../x", "sha": "main"},
            422,
            "refs/heads/../x is not a valid ref name.",
        ),
        (f"{R}/git/blobs", {"content": "!", "encoding": "base64"}, 422, "content is not valid Base64"),
        (f"{R}/git/trees", {"tree": [{"mode": "100644"}]}, 422, "Invalid tree info"),
        (f"{R}/git/commits", {"message": "m", "tree": "none"}, 422, "Tree SHA does not exist"),
        (f"{R}/actions/workflows/sweep.yml/dispatches", {"ref": "none"}, 422, "No ref found for: none"),
        (f"{R}/dispatches", {"event_type": "x", "client_payload": "text"}, 422, "Validation Failed"),
    ],
)
def test_bodies(world, pull, path, body, status, message):
    before = len(world.recorder.events)
    assert shape(world.client("will")("POST", path, body)) == (status, message)
    world.forge.settle()
    assert len(world.recorder.events) == before


@pytest.mark.parametrize(
    "change",
    [{"new_name": "TAKEN"}, {"new_name": ""}, {"new_name": "n" * 51}, {"new_name": 7}, {"color": "red"}],
    ids=str,
)
def test_a_label_is_not_changed_into_what_could_not_be_made(world, pull, change):
    will = world.client("will")
    for name in ("mine", "taken"):
        will("POST", f"{R}/labels", {"name": name, "color": "#ededed"})
    assert shape(will("PATCH", f"{R}/labels/mine", change)) == (422, "Validation Failed")
    same = will("PATCH", f"{R}/labels/mine", {"new_name": "Mine", "color": "FFFFFF"}).json
    assert (same["name"], same["color"]) == ("Mine", "FFFFFF")


def test_a_surrogate_is_text_that_no_client_sees_broken(world, pull):
    """JSON can write half a character; GitHub keeps a replacement for it."""
    answer = world.client("will")("POST", COMMENTS, b'{"body": "half \\ud800"}')
    assert (answer.status, answer.json["body"]) == (201, "half \ufffd")
    assert world.client("will")("GET", COMMENTS).json[0]["body"] == "half \ufffd"


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("per_page=0", 3),
        ("per_page=-1", 3),
        ("per_page=x", 3),
        ("per_page=99999999999999999999", 3),
        ("page=0&per_page=2", 2),
        ("page=99", 0),
        ("page=99999999999999999999", 0),
        ("page=2&per_page=2", 1),
    ],
)
def test_pages(world, pull, query, count):
    for text in "abc":
        world.at("will").comment(pull, text)
    answer = world.client("will")("GET", f"{COMMENTS}?{query}")
    assert (answer.status, len(answer.json)) == (200, count)


@pytest.mark.parametrize(
    "path",
    [
        "/%00",
        f"{R}/labels/%00",
        f"{R}/contents/%00",
        f"{R}/contents/..%2f..%2fetc",
        f"{R}/commits/-x",
        "/%ff",
    ],
)
def test_strange_paths(world, path):
    answer = world.client("will")("GET", path)
    assert answer.status in (404, 422)


def half_sent(url: str, token: str, path: str, length: int) -> bytes:
    """The status line that comes back when only the head and the first bytes of a body were sent."""
    host = urlsplit(url)
    lines = ("Host: x", f"Authorization: Bearer {token}", f"Content-Length: {length}")
    head = "\r\n".join([f"POST {path} HTTP/1.1", *lines, "", ""])
    with socket.create_connection((host.hostname, host.port), timeout=10) as link:
        link.sendall(head.encode() + b"{" + b" " * 100_000)
        return link.recv(100)


def test_a_gigabyte_is_refused_before_it_came(world, pull):
    token = world.tokens["will"]
    assert b" 413 " in half_sent(world.forge.url, token, f"/api/v3{COMMENTS}", GB).splitlines()[0]


def test_a_body_without_length_is_bounded(world, pull):
    host = urlsplit(world.forge.url)
    head = f"POST /api/v3{COMMENTS} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
    with socket.create_connection((host.hostname, host.port), timeout=10) as link:
        link.sendall(head.encode())
        for _ in range(28):
            link.sendall(chunk)
        assert b" 413 " in link.recv(100).splitlines()[0]


def test_what_is_not_offered_is_a_gap(world):
    answer = world.client("will")("GET", f"{R}/traffic/clones")
    assert shape(answer) == (404, "Not Found")
    assert answer.json["documentation_url"].endswith("/rest/metrics/traffic#get-repository-clones")
    assert world.forge.site.gaps == {f"GET {R}/traffic/clones"}
