"""Secondary limits, at GitHub's own numbers and on the forge's clock."""

from contextlib import ExitStack

import pytest

from infx.forge.forge import Forge
from infx.forge.pace import Pace
from infx.forge.problem import Problem
from infx.forge.site import Limits, Secondary
from infx.forge.visit import Caller
from tests.forge.client import REPO, Client
from tests.forge.recorder import Recorder

WILL, JOB = Caller(login="will", kind="user"), Caller(login="github-actions[bot]", kind="job", repo=7)


def ask(
    pace: Pace, method: str = "GET", word: str = "issues", *, now: float = 0.0, who: Caller = WILL
) -> str:
    """Empty, or the seconds to wait."""
    try:
        with pace.admit(who, method, word, now=now):
            return ""
    except Problem as problem:
        return problem.headers["Retry-After"]


def many(pace: Pace, count: int, method: str, word: str, *, now: float = 0.0) -> int:
    """How many of them were let in."""
    return sum(ask(pace, method, word, now=now) == "" for _ in range(count))


@pytest.mark.parametrize(
    ("method", "word", "count", "let_in"),
    [
        ("GET", "issues", 1000, 900),
        ("DELETE", "issues", 300, 180),
        ("PATCH", "git", 300, 180),
        ("POST", "issues", 100, 80),
        ("POST", "pulls", 100, 80),
        ("POST", "statuses", 300, 180),
    ],
)
def test_a_minute(method, word, count, let_in):
    pace = Pace(Secondary())
    assert many(pace, count, method, word) == let_in
    assert ask(pace, method, word, now=20.0) == "41"
    assert ask(pace, method, word, now=60.0) == ""


def test_an_hour_of_content():
    pace = Pace(Secondary())
    assert sum(many(pace, 80, "POST", "issues", now=60.0 * minute) for minute in range(10)) == 500
    assert ask(pace, "POST", now=660.0) == "2941"
    assert ask(pace, "GET", now=660.0) == ""
    assert ask(pace, "POST", now=3600.0) == ""


def test_at_the_same_moment():
    pace = Pace(Secondary(concurrent=3))
    with ExitStack() as going:
        for _ in range(3):
            going.enter_context(pace.admit(WILL, "GET", "issues", now=0.0))
        assert ask(pace) == "2"
        assert ask(pace, who=JOB) == ""
    assert ask(pace) == ""


def test_nobody_asked_for_limits():
    assert many(Pace(None), 2000, "POST", "issues") == 2000


@pytest.mark.forge
def test_the_answer_is_githubs(tmp_path):
    limits = Limits(secondary=Secondary(creations=1))
    with Forge.start(tmp_path, lambda store, url: Recorder(), limits=limits) as forge:
        forge.create_repo(REPO)
        client = Client(forge.api, forge.user("acme", kind="Organization"))
        here = f"/repos/{REPO}/issues"
        assert client("POST", here, {"title": "one"}).status == 201
        answer = client("POST", here, {"title": "two"})
        assert (answer.status, answer.headers["retry-after"]) in ((403, "60"), (403, "61"))
        assert answer.json["documentation_url"].startswith("https://docs.github.com/")
        forge.advance(61)
        assert client("POST", here, {"title": "two"}).status == 201
