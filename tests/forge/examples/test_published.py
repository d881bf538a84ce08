"""GitHub's published examples become state of the forge and are served back, every leaf of them."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from infx.forge.forge import Forge
from tests.forge.client import Answer
from tests.forge.examples import machine, objects, writes
from tests.forge.examples.adopt import described, distinct, repository_in, users
from tests.forge.examples.besides import BESIDES, besides
from tests.forge.examples.published import Example, examples
from tests.forge.examples.same import differences, unheard
from tests.forge.examples.steps import STEPS
from tests.forge.examples.work import Work
from tests.forge.openapi import complaints
from tests.forge.recorder import Recorder

pytestmark = pytest.mark.forge
MODULES = (machine, objects, writes)
"""They fill `STEPS`."""


def chosen(*methods: str) -> list[Any]:
    return [
        pytest.param(one, id=f"{one.endpoint} {one.status} {one.name}")
        for one in examples()
        if one.method in methods
    ]


class Known(Recorder):
    """An engine that says a dispatch started run 1."""

    def deliver(self, event: Any) -> tuple[int, ...]:
        super().deliver(event)
        return (1,) if event.name == "workflow_dispatch" else ()


@pytest.fixture
def work(tmp_path) -> Iterator[Work]:
    engine = Known()
    with Forge.start(tmp_path, lambda store, url: engine) as forge:
        yield Work(forge)


def asked(work: Work, example: Example) -> tuple[Example, Answer]:
    """The example with people told apart, and what the forge answers once it was imported."""
    one = Example(
        **{**vars(example), "answer": distinct(example.answer), "request": distinct(example.request)}
    )
    work.home = repository_in(one.answer)
    place = described(one.answer, work.home)
    owners = [
        person for person in users([place and place["owner"], one.answer]) if person["login"] == work.owner
    ]
    for owner in owners[:1]:
        work.user({"type": "User", **owner})
    number = re.search(r'"repository_id": (\d+)', json.dumps(one.answer))
    branch = writes.TRUNK if one.method != "GET" else ""
    work.repository(work.home, place, number=int(number[1]) if number else 0, branch=branch)
    path = STEPS[one.endpoint](work, one)
    where = path[1:] if path.startswith("//") else f"/repos/{work.home}{path}"
    client = work.app if "check-runs" in path and one.method != "GET" else work.client
    return one, client(one.method, where, one.request)


@pytest.mark.parametrize("example", chosen("GET"))
def test_what_is_imported_comes_back(work, example):
    one, answer = asked(work, example)
    assert answer.status == example.status, answer.json
    assert complaints(example.endpoint, answer.status, answer.json) == []
    if "*" not in besides(example.endpoint):
        assert differences(one.answer, answer.json, besides(example.endpoint)) == []


@pytest.mark.parametrize("example", chosen("POST", "PUT", "PATCH", "DELETE"))
def test_what_is_asked_for_happens(work, example):
    one, answer = asked(work, example)
    assert answer.status == example.status, answer.json
    assert complaints(example.endpoint, answer.status, answer.json) == []
    if example.method != "DELETE":
        assert unheard(one.request, answer.json, besides(example.endpoint)) == []


def test_every_example_has_a_step():
    assert {one.endpoint for one in examples()} == set(STEPS)


def test_what_differs_is_of_endpoints_that_have_examples():
    assert set(BESIDES) <= {one.endpoint for one in examples()}
