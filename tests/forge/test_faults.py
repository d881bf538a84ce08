"""Each fault does what its rule says, and nothing else."""

import http.client
import json
import urllib.error

import pytest

from infx.errors import BadInput
from infx.forge.faults import Faults, parse
from tests.forge.client import REPO
from tests.forge.test_artifacts import Service, archive

pytestmark = pytest.mark.forge

R = f"/repos/{REPO}"
COMMENTS = f"{R}/issues/1/comments"


@pytest.fixture
def say(world, pull):
    """Post a comment; the status of the answer."""
    return lambda text="hi": world.client("will")("POST", COMMENTS, {"body": text}).status


def said(world) -> int:
    return len(world.client("mia")("GET", COMMENTS).json)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "wrong GET /",
        "lost",
        "lost POST",
        "late",
        "late push pull",
        "slow GET / often=1",
        "lost GET / times=x",
    ],
)
def test_nonsense_is_refused(text):
    with pytest.raises(BadInput):
        parse(text)


def test_a_rule_strikes_so_often_and_so_late():
    faults = Faults()
    faults.add("lost POST */comments skip=1 times=2")
    hits = [len(faults.request("POST", "/a/comments")) for _ in range(5)]
    assert hits == [0, 1, 1, 0, 0]
    assert faults.request("GET", "/a/comments") == []


def test_chances_come_from_the_seed():
    def run(seed: int) -> list[int]:
        faults = Faults()
        faults.seed(seed)
        faults.add("slow GET * times=0 chance=0.5")
        return [len(faults.request("GET", "/x")) for _ in range(40)]

    assert run(1) == run(1) != run(2)
    assert 5 < sum(run(1)) < 35


@pytest.mark.parametrize(("kind", "written"), [("error_before", 0), ("error_after", 1)])
def test_errors_before_and_after_the_write(world, say, kind, written):
    rule = world.forge.fault(f"{kind} POST */comments status=503")
    assert (say(), said(world), rule.hits) == (503, written, [f"POST {COMMENTS}"])
    assert say() == 201


def test_a_lost_answer_was_written(world, say):
    world.forge.fault("lost POST */comments")
    with pytest.raises((http.client.RemoteDisconnected, ConnectionError, urllib.error.URLError)):
        say()
    assert said(world) == 1


def test_a_broken_page_is_no_json(world, say):
    say()
    world.forge.fault("broken_page GET */comments")
    with pytest.raises(json.JSONDecodeError):
        said(world)


def test_a_slow_answer_is_right(world, say):
    world.forge.fault("slow POST * seconds=0.2")
    assert say() == 201


def test_limits_look_like_github(world, say):
    world.forge.fault("primary_limit GET * seconds=60")
    world.forge.fault("secondary_limit GET * skip=1 seconds=7")
    first, second = (world.client("will")("GET", R) for _ in range(2))
    assert (first.status, first.headers["x-ratelimit-remaining"]) == (403, "0")
    assert (second.status, second.headers["retry-after"]) == (403, "7")
    assert "secondary rate limit" in second.json["message"]


def test_an_artifact_breaks_off(world, pull):
    number = Service(world, world.run(pull)).upload("bmk_a", archive(a="1" * 5000))
    world.forge.fault("truncated GET /_blobs/*")
    with pytest.raises(http.client.IncompleteRead):
        world.client("will")("GET", f"{R}/actions/artifacts/{number}/zip")


@pytest.mark.parametrize(
    ("rule", "order"),
    [
        ("duplicate *.labeled", ["labeled", "labeled", "unlabeled"]),
        ("dropped *.labeled", ["unlabeled"]),
        ("reordered *.labeled", ["unlabeled", "labeled"]),
        ("late *.labeled seconds=0.2", ["unlabeled", "labeled"]),
    ],
)
def test_deliveries(world, pull, rule, order):
    world.forge.fault(rule)
    client = world.client("will")
    client("POST", f"{R}/issues/{pull}/labels", {"labels": ["a"]})
    client("DELETE", f"{R}/issues/{pull}/labels/a")
    assert world.forge.settle()
    assert [one.payload["action"] for one in world.recorder.events] == order


def test_a_held_delivery_leaves_by_itself(world, pull):
    world.forge.fault("reordered *.labeled seconds=0.1")
    world.at("will").label(pull, "a")
    assert world.recorder.kinds == ["pull_request.labeled"]


def test_another_clock(world, pull):
    world.forge.fault("skewed *.labeled seconds=-3600")
    world.at("will").label(pull, "a", "b")
    early, late = (one.payload["pull_request"]["updated_at"] for one in world.recorder.events)
    assert early < late
