"""What every endpoint shares: paging, conditional requests, limits, errors, the request log."""

import time
from pathlib import Path

import pytest

from infx.forge.forge import Forge
from infx.forge.site import Limits
from tests.forge.client import REPO, Client
from tests.forge.recorder import Recorder

pytestmark = pytest.mark.forge

R = f"/repos/{REPO}"


@pytest.fixture
def seven(world, pull):
    for number in range(7):
        world.at("will").comment(pull, str(number))
    return world.client("will")


@pytest.mark.parametrize(
    ("query", "bodies", "rels"),
    [
        ("per_page=3", "012", {"next", "last"}),
        ("per_page=3&page=2", "345", {"prev", "next", "last", "first"}),
        ("per_page=3&page=3", "6", {"prev", "first"}),
        ("per_page=3&page=9", "", {"prev", "first"}),
        ("per_page=0", "0123456", set()),
        ("per_page=x&page=-1", "0123456", set()),
        ("per_page=1000", "0123456", set()),
    ],
)
def test_pages(seven, query, bodies, rels):
    answer = seven("GET", f"{R}/issues/1/comments?{query}")
    found = {part.split('"')[1] for part in answer.headers.get("link", "").split(", ") if part}
    assert ("".join(one["body"] for one in answer.json), found) == (bodies, rels)


def test_an_unchanged_answer_is_304_and_free(world, seven):
    first = seven("GET", f"{R}/issues/1/comments")
    again = seven("GET", f"{R}/issues/1/comments", **{"If-None-Match": first.headers["etag"]})
    assert (again.status, again.data) == (304, b"")
    assert again.headers["x-ratelimit-used"] == first.headers["x-ratelimit-used"]
    world.at("will").comment(1, "new")
    assert seven("GET", f"{R}/issues/1/comments", **{"If-None-Match": first.headers["etag"]}).status == 200


def test_the_root_serves_without_the_prefix(world):
    assert Client(world.forge.url)("GET", R).json["full_name"] == REPO


@pytest.mark.parametrize(
    "path", ["/nowhere", "/repos/acme/nothing", f"{R}/pulls/99", f"{R}/pulls/x", f"{R}/nowhere"]
)
def test_not_found_looks_like_github(anyone, path):
    answer = anyone("GET", path)
    assert (answer.status, answer.json["message"], answer.json["status"]) == (404, "Not Found", "404")


def test_gaps_are_kept(world, anyone):
    anyone("GET", f"{R}/traffic/views")
    assert world.forge.site.gaps == {f"GET {R}/traffic/views"}


@pytest.mark.parametrize(
    ("body", "status"), [(b"{", 400), (b'"text"', 400), (b"[" * 100_000, 400), (b"{}", 422)]
)
def test_bad_bodies(world, body, status):
    assert world.client("will")("POST", f"{R}/pulls", body).status == status


def test_limits_are_for_a_token_or_for_all_jobs_of_a_repository(tmp_path: Path):
    limits = Limits(user=3, job=2, anonymous=1)
    with Forge.start(tmp_path, lambda store, url: Recorder(), limits=limits) as forge:
        forge.create_repo("acme/infx")
        people = [Client(forge.api, forge.user(name)) for name in ("a", "b")]
        jobs = [
            Client(forge.api, forge.store.mint_token(REPO, run=n, job=n, permissions={})) for n in (1, 2, 3)
        ]
        assert [people[0]("GET", R).status for _ in range(4)] == [200, 200, 200, 403]
        assert people[1]("GET", R).status == 200
        assert [job("GET", R).status for job in jobs] == [200, 200, 403]
        refused = people[0]("GET", R)
        assert (refused.headers["x-ratelimit-remaining"], "rate limit" in refused.json["message"]) == (
            "0",
            True,
        )
        forge.advance(3601)
        assert people[0]("GET", R).status == 200


def test_requests_are_logged_with_their_job(world):
    job = world.job_client(issues="write")
    job("GET", f"{R}/issues?state=all")
    last = world.forge.requests[-1]
    assert (last.method, last.path, last.query, last.status) == ("GET", f"{R}/issues", "state=all", 200)
    assert (last.login, last.job > 0, last.run > 0) == ("github-actions[bot]", True, True)


def test_everything_is_there_after_a_restart(tmp_path: Path):
    def start() -> Forge:
        return Forge.start(tmp_path, lambda store, url: Recorder())

    with start() as forge:
        forge.create_repo("acme/infx")
        token = forge.user("will")
        forge.role(REPO, "will", "write")
        forge.at(REPO, "will").push("main", {"a": "1"}, message="a")
    begin = time.monotonic()
    with start() as forge:
        assert (
            Client(forge.api, token)("GET", f"{R}/branches/main").json["commit"]["author"]["login"] == "will"
        )
    assert time.monotonic() - begin < 5
