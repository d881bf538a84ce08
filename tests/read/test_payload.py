"""Webhook payloads: every event is readable, and what the decision needs is named when it is missing."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.errors import BadInput
from infx.event import Title
from infx.read import payload as reader
from tests.builders import A, B
from tests.payloads import named, payload, published


@pytest.mark.node
def test_the_event_is_found_out_from_the_payload() -> None:
    ours = ["pull_request", "pull_request_review", "pull_request_review_comment", "issue_comment", "push"]
    ours += ["workflow_run", "workflow_dispatch", "workflow_job", "check_run", "issues", "release"]
    for name, example in published():
        found = reader.event_name(example)
        assert found == name or name not in ours, name
        assert name == "pull_request" or found != "pull_request", name


def test_a_label_event() -> None:
    hook = reader.read(payload(label="docs", labels=named("docs", "a"), draft=True), where="e.json")
    assert hook.pull
    assert (hook.action, hook.label, hook.sender, hook.pull.labels) == (
        "labeled",
        "docs",
        "ada",
        ("docs", "a"),
    )
    assert (hook.pull.draft, hook.pull.fork, hook.pull.open) == (True, False, True)


@pytest.mark.parametrize(
    ("repo", "fork"), [({"full_name": "acme/bench"}, False), ({"full_name": "eve/bench"}, True), (None, True)]
)
def test_a_fork_is_another_repository_or_none(repo: Any, fork: bool) -> None:
    hook = reader.read(payload(head={"sha": A, "ref": "x", "repo": repo}), where="e.json")
    assert hook.pull
    assert hook.pull.fork == fork


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"action": "labeled", "pull_request": None}, "pull_request"),
        ({"action": None, "pull_request": {}}, "action"),
        (payload(head=None), "pull_request.head"),
        (payload(head={"sha": None, "repo": None}), "pull_request.head.sha"),
        (payload(base={"sha": B, "repo": None}), "pull_request.base.repo"),
        (payload(labels=[{"name": None}]), "pull_request.labels[0].name"),
        (payload(labels={}), "pull_request.labels"),
        (payload(state="odd"), "pull_request.state"),
        (payload(number="7"), "pull_request.number"),
        (payload(label="x") | {"label": {"name": 3}}, "label.name"),
        ([], "the document"),
        (None, "the document"),
        ("text", "the document"),
    ],
)
def test_what_is_missing_or_null_is_named(value: Any, place: str) -> None:
    with pytest.raises(BadInput) as caught:
        reader.read(value, where="e.json")
    assert place in caught.value.sentence
    assert caught.value.sentence.startswith("e.json: ")


@pytest.mark.parametrize(("after", "at_opening"), [(0, True), (10, True), (11, False)])
def test_labels_of_the_first_seconds_belong_to_the_opening(after: int, at_opening: bool) -> None:
    times = {"created_at": "2026-01-01T00:00:00Z", "updated_at": f"2026-01-01T00:00:{after:02d}Z"}
    assert reader.read(payload(label="x", **times), where="e").at_opening == at_opening
    assert not reader.read(payload("synchronize", **times), where="e").at_opening


def test_an_edit_counts_when_the_base_changed() -> None:
    cases: list[tuple[Any, bool]] = [({"base": {}}, True), ({"title": {}}, False), (None, False)]
    for changes, base in cases:
        assert reader.read({**payload("edited"), "changes": changes}, where="e").base_changed == base


INPUTS = {"pr": "7", "mode": "fork", "head-sha": A, "merge-base": B, "labels": "x,y"}


def test_a_dispatch_of_the_sweep() -> None:
    hook = reader.read({"inputs": INPUTS, "workflow": "sweep.yml", "ref": "main"}, where="e")
    assert hook.title == Title(pr=7, action="fork", head_sha=A, base_sha=B, labels=frozenset({"x", "y"}))


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"pr": ""}, "inputs.pr"),
        ({"pr": "7;x"}, "inputs.pr"),
        ({"mode": "odd"}, "inputs.mode"),
        ({"head-sha": "main"}, "inputs.head-sha"),
        ({"merge-base": None}, "inputs.merge-base"),
    ],
)
def test_a_bad_dispatch_is_refused(change: dict[str, Any], place: str) -> None:
    with pytest.raises(BadInput, match=place):
        reader.read({"inputs": {**INPUTS, **change}}, where="e")


def test_a_dispatch_of_another_workflow_is_not_ours() -> None:
    assert reader.read({"inputs": {"name": True}, "ref": "main"}, where="e").title is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FIELDS = (
    "action",
    "pull_request",
    "label",
    "inputs",
    "sender",
    "repository",
    "changes",
    "head_commit",
    "issue",
)


@given(st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=6))
def test_any_json_is_read_or_refused(value: Any) -> None:
    with suppress(BadInput):
        reader.read(value, where="e")


@given(st.sampled_from(["head", "base", "labels", "number", "state", "user", "mergeable", "merged"]), JSON)
def test_a_spoilt_field_is_read_or_refused(name: str, value: Any) -> None:
    with suppress(BadInput):
        reader.read(payload(label="x", **{name: value}), where="e")
