"""Conditional requests are answered 304, and only those with a token are free."""

import pytest

from infx.forge import fresh
from tests.forge.client import REPO, Client

R = f"/repos/{REPO}"
FOUND = {"ETag": 'W/"a"', "Last-Modified": "Tue, 14 Apr 2026 16:00:49 GMT"}
BEFORE, AFTER = "Tue, 14 Apr 2026 16:00:48 GMT", "Tue, 14 Apr 2026 16:00:49 GMT"


@pytest.mark.parametrize(
    ("asked", "same"),
    [
        ({}, False),
        ({"if-none-match": 'W/"a"'}, True),
        ({"if-none-match": '"a"'}, True),
        ({"if-none-match": '"b", W/"a"'}, True),
        ({"if-none-match": "*"}, True),
        ({"if-none-match": '"b"'}, False),
        ({"if-none-match": "a"}, False),
        ({"if-modified-since": AFTER}, True),
        ({"if-modified-since": BEFORE}, False),
        ({"if-modified-since": "yesterday"}, False),
        ({"if-none-match": '"b"', "if-modified-since": AFTER}, False),
        ({"if-none-match": '"a"', "if-modified-since": BEFORE}, True),
    ],
    ids=str,
)
def test_what_a_client_has_already(asked, same):
    assert fresh.unchanged(asked, FOUND) == same


def test_a_list_has_no_time():
    assert set(fresh.marks(b"[]", [])) == {"ETag"}


def left(world) -> int:
    return int(world.client("will")("GET", "/rate_limit").json["rate"]["remaining"])


@pytest.mark.forge
def test_one_thing_has_both_marks_and_is_free_while_it_stays(world, pull):
    will, here = world.client("will"), f"{R}/pulls/{pull}"
    will("GET", here)
    first = will("GET", here)
    before = left(world)
    for name, mark in (("If-None-Match", "etag"), ("If-Modified-Since", "last-modified")):
        again = will("GET", here, **{name: first.headers[mark]})
        assert (again.status, again.data) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
    assert left(world) == before - 1
    world.forge.advance(2)
    world.at("will").edit(pull, title="Another")
    for name, mark in (("If-None-Match", "etag"), ("If-Modified-Since", "last-modified")):
        assert will("GET", here, **{name: first.headers[mark]}).json["title"] == "Another"


@pytest.mark.forge
def test_without_a_token_it_costs(world):
    nobody = Client(world.forge.api)
    tag = nobody("GET", R).headers["etag"]
    used = [int(nobody("GET", R, **{"If-None-Match": tag}).headers["x-ratelimit-used"]) for _ in range(2)]
    assert used == [2, 3]


@pytest.mark.forge
def test_a_head_request_is_a_get_without_its_body(world):
    answer = world.client("will")("HEAD", f"{R}/issues")
    assert (answer.status, answer.data, answer.headers["content-length"]) == (200, b"", "2")
