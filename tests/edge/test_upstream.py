"""What is behind the address of an upstream recipe."""

from typing import Any

import pytest

from infx.edge import http, upstream
from infx.edge.api import Denied
from infx.errors import CouldNotTell, Refused
from infx.subject import Link

SERVER = "https://github.com"


class Api:
    def __init__(self, answer: Any) -> None:
        self.answer, self.paths = answer, list[str]()

    def get(self, path: str) -> Any:
        self.paths.append(path)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ({"state": "closed", "merged_at": "2026-07-01T00:00:00Z"}, Link.MERGED),
        ({"state": "open", "draft": False}, Link.OPEN),
        ({"state": "open", "draft": True}, Link.DRAFT),
        ({"state": "closed", "merged_at": None}, Link.CLOSED),
        (Denied(404, "Not Found", where="x"), Link.UNREACHABLE),
        (CouldNotTell("502"), Link.UNREACHABLE),
        ({}, Link.UNREACHABLE),
    ],
)
@pytest.mark.parametrize("tail", ["", "/", "/files"])
def test_a_pull_request_is_asked_of_the_api(answer: Any, state: Link, tail: str) -> None:
    api: Any = Api(answer)
    assert upstream.look(f"{SERVER}/o/r/pull/7{tail}", api=api, server=f"{SERVER}/") == state
    assert api.paths == ["/repos/o/r/pulls/7"]


@pytest.mark.parametrize(
    ("problem", "state"),
    [(None, Link.PUBLISHED), (Refused("gone"), Link.UNREACHABLE), (CouldNotTell("down"), Link.UNREACHABLE)],
)
def test_a_page_is_published_when_it_can_be_read(
    monkeypatch: pytest.MonkeyPatch, problem: Exception | None, state: Link
) -> None:
    def download(url: str, *, limit: int, headers: Any = None) -> bytes:
        if problem:
            raise problem
        return b"page"

    monkeypatch.setattr(http, "download", download)
    api: Any = Api({})
    assert upstream.look("https://docs.example.org/recipe", api=api, server=SERVER) == state
    assert api.paths == []


def test_plain_http_is_never_fetched() -> None:
    api: Any = Api({})
    assert upstream.look("http://docs.example.org/recipe", api=api, server=SERVER) == Link.UNREACHABLE
