"""What a workflow file may, read without running it."""

import pytest

from infx.read.workflow import workflow

ON = "on: push\n"


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("on: push\njobs: {}\n", {"push"}),
        ("on: [push, schedule]\njobs: {}\n", {"push", "schedule"}),
        ("'on': {issue_comment: {types: [created]}}\njobs: {}\n", {"issue_comment"}),
        ("jobs: {}\n", set()),
    ],
)
def test_events(text: str, events: set[str]) -> None:
    assert workflow(text.encode(), where="w.yml").events == events


@pytest.mark.parametrize(
    ("outer", "job", "permissions"),
    [
        ("permissions: {}\n", "", {}),
        ("permissions: {contents: read}\n", "", {"contents": "read"}),
        ("permissions: {contents: read}\n", "permissions: {statuses: write}", {"statuses": "write"}),
        ("permissions: {contents: read}\n", "permissions: {contents: none}", {}),
    ],
)
def test_the_permissions_of_a_job_replace_the_others(
    outer: str, job: str, permissions: dict[str, str]
) -> None:
    text = f"{ON}{outer}jobs:\n  a:\n    runs-on: x\n    {job}\n"
    assert workflow(text.encode(), where="w.yml").permissions == permissions


@pytest.mark.parametrize("text", ["", "permissions: write-all\n"])
def test_without_a_word_everything_may_be_written(text: str) -> None:
    found = workflow(f"{ON}{text}jobs: {{a: {{}}}}\n".encode(), where="w.yml")
    assert found.permissions["contents"] == "write"


def test_actions_without_a_commit_are_named() -> None:
    steps = f"[{{uses: a/b@v1}}, {{uses: a/b@{'0' * 40}}}, {{uses: ./x}}, {{run: y}}]"
    text = f"{ON}jobs:\n  a: {{environment: {{name: stage}}, steps: {steps}}}\n  b: {{uses: c/d@main}}\n"
    found = workflow(text.encode(), where="w.yml")
    assert found.unpinned == ("a/b@v1", "c/d@main")
    assert found.environments == {"stage"}


@pytest.mark.parametrize("text", ["a: [", "[]", "jobs: []", "jobs: {a: 1}\non: 3", "\x00", "on: {a: b"])
def test_a_file_that_is_no_workflow_is_told(text: str) -> None:
    found = workflow(text.encode(), where="w.yml")
    assert found.fault or found.events == frozenset()
