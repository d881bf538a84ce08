"""Job graph, matrix, permissions, groups and runners: the pure parts."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.errors import BadInput
from infx.forge.actions import concurrency, graph, matrix, permissions, pool
from infx.forge.ports import Run, Runner

CHAIN = {"a": [], "b": ["a"], "c": ["b"], "d": ["c", "x"], "x": []}


@pytest.mark.parametrize(
    ("results", "job", "cancelled", "expected"),
    [
        ({"a": "success", "b": "success"}, "c", False, "success"),
        ({"a": "skipped", "b": "success"}, "c", False, "skipped"),
        ({"a": "failure", "b": "success"}, "c", False, "failure"),
        ({"a": "failure", "b": "skipped"}, "c", False, "failure"),
        ({"a": "cancelled", "b": "success"}, "c", False, "skipped"),
        ({"a": "success", "b": "success"}, "c", True, "cancelled"),
        ({}, "a", False, "success"),
    ],
    ids=["all-good", "C119", "failed-far-up", "failed-then-skipped", "cut-short", "cancelled", "first"],
)
def test_status(results: dict[str, str], job: str, cancelled: bool, expected: str) -> None:
    assert graph.status(CHAIN, results, job, cancelled=cancelled) == expected


def test_family() -> None:
    assert graph.ancestors(CHAIN, "d") == {"a", "b", "c", "x"}
    assert graph.descendants(CHAIN, {"b"}) == {"b", "c", "d"}
    assert graph.ready(CHAIN, {"a": "failure"}) == ["b", "x"]


@pytest.mark.parametrize(
    ("results", "cancelled", "expected"),
    [
        (["success", "failure", "cancelled"], False, "failure"),
        (["success", "cancelled"], False, "cancelled"),
        (["success", "skipped"], False, "success"),
        (["skipped", "skipped"], False, "skipped"),
        (["success", "failure"], True, "cancelled"),
        (["success", "skipped"], True, "cancelled"),
        (["success", "success"], True, "success"),
    ],
)
def test_conclusion(results: list[str], cancelled: bool, expected: str) -> None:
    assert graph.conclusion(results, cancelled=cancelled) == expected


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        ({"a": [1, 2], "b": [3]}, [{"a": 1, "b": 3}, {"a": 2, "b": 3}]),
        ({"a": [1, 2], "exclude": [{"a": 1}]}, [{"a": 2}]),
        ({"include": [{"a": 1}, {"a": 2}]}, [{"a": 1}, {"a": 2}]),
        ({"a": [1, 2], "include": [{"a": 1, "x": 9}]}, [{"a": 1, "x": 9}, {"a": 2}]),
        ({"a": [1], "include": [{"x": 9}, {"x": 8}]}, [{"a": 1, "x": 8}]),
        ({"a": [1], "include": [{"a": 5}]}, [{"a": 1}, {"a": 5}]),
        ({"c": [{"id": "x"}]}, [{"c": {"id": "x"}}]),
    ],
)
def test_matrix(given_: dict[str, Any], expected: list[dict[str, Any]]) -> None:
    assert matrix.expand(given_) == expected


@pytest.mark.parametrize(
    ("given_", "complaint"),
    [
        ({"a": []}, "does not contain any values"),
        ({"a": "x"}, "does not contain any values"),
        ({}, "no job"),
        ({"a": [1], "exclude": [{"a": 1}]}, "no job"),
        ({"a": list(range(257))}, "257 jobs"),
        ({name: list(range(100)) for name in "abcdef"}, "far too large"),
        ({"include": "x"}, "not a list of mappings"),
    ],
)
def test_matrix_refused(given_: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        matrix.expand(given_)


VECTOR = st.lists(st.integers(0, 4), min_size=1, max_size=4, unique=True)


@given(st.dictionaries(st.sampled_from("abc"), VECTOR, min_size=1))
def test_matrix_without_filters_is_the_product(vectors: dict[str, list[int]]) -> None:
    made = matrix.expand(vectors)
    assert len(made) == math.prod(map(len, vectors.values()))
    for name, values in vectors.items():
        assert {one[name] for one in made} == set(values)


def test_title() -> None:
    assert matrix.title("m", {}) == "m"
    nested = {"c": {"id": "x", "n": 4, "on": True, "z": None}, "d": [1]}
    assert matrix.title("m", nested) == "m (x, 4, true, 1)"
    assert len(matrix.title("m", {"a": "x" * 200})) == 100


@pytest.mark.parametrize(
    ("workflow", "job", "more", "expected"),
    [
        (None, None, {}, {"contents": "read", "packages": "read", "metadata": "read"}),
        ({"contents": "read"}, None, {}, {"contents": "read", "metadata": "read"}),
        ({"contents": "write"}, {}, {}, {"metadata": "read"}),
        ({}, {"statuses": "write"}, {}, {"statuses": "write", "metadata": "read"}),
        ({"contents": "none"}, None, {}, {"metadata": "read"}),
        ({"contents": "write", "statuses": "write"}, None, {"read_only": True}, None),
    ],
)
def test_permissions(workflow: Any, job: Any, more: dict[str, bool], expected: dict[str, str] | None) -> None:
    found = permissions.effective(workflow, job, default="read", read_only=more.get("read_only", False))
    assert found == (expected or {"contents": "read", "statuses": "read", "metadata": "read"})


def test_permission_words() -> None:
    assert permissions.effective("write-all", None, default="read", read_only=False)["actions"] == "write"
    assert set(permissions.effective("read-all", None, default="write", read_only=False).values()) == {"read"}
    assert permissions.effective(None, None, default="write", read_only=True)["contents"] == "read"


def run(number: int, status: str, group: str = "g", **more: Any) -> Run:
    names = ("workflow", "name", "title", "event", "action", "actor", "triggering_actor")
    rest = dict.fromkeys((*names, "head_branch", "head_sha", "ref", "sha"), "")
    fixed = {"id": number, "repository": "a/b", "payload": {}, "status": status, "group": group}
    return Run(**{**rest, **fixed, **more})


@pytest.mark.parametrize(
    ("group", "cancel", "others", "wait", "cancels"),
    [
        ("g", False, [], False, ()),
        ("", False, [run(1, "in_progress", "")], False, ()),
        ("G", False, [run(1, "in_progress")], True, ()),
        ("g", False, [run(1, "in_progress"), run(2, "waiting")], True, (2,)),
        ("g", True, [run(1, "in_progress"), run(2, "waiting")], True, (1, 2)),
        ("g", True, [run(1, "completed"), run(2, "queued", "other")], False, ()),
        ("g", True, [run(1, "queued", repository="else/where")], False, ()),
    ],
)
def test_admit(group: str, cancel: bool, others: list[Run], wait: bool, cancels: tuple[int, ...]) -> None:
    new = run(9, "queued", group, cancel_in_progress=cancel)
    assert concurrency.admit(new, [*others, new]) == concurrency.Admission(wait=wait, cancels=cancels)


def test_next_up() -> None:
    done, waiting = run(1, "completed"), [run(3, "waiting"), run(2, "waiting")]
    assert concurrency.next_up(done, waiting) == waiting[0]
    assert concurrency.next_up(done, [*waiting, run(4, "queued")]) is None
    assert concurrency.next_up(done, []) is None


MACHINES = [
    Runner(id=1, name="big", labels=("self-hosted", "H200", "extra")),
    Runner(id=2, name="plain", labels=("self-hosted", "h200")),
    Runner(id=3, name="off", labels=("self-hosted",), online=False),
]


@pytest.mark.parametrize(
    ("labels", "busy", "expected"),
    [
        (("h200",), set(), "plain"),
        (("h200",), {2}, "big"),
        (("Extra", "h200"), set(), "big"),
        (("h200", "b200"), set(), None),
        (("h200",), {1, 2}, None),
    ],
)
def test_pick(labels: tuple[str, ...], busy: set[int], expected: str | None) -> None:
    found = pool.pick(MACHINES, labels, busy)
    assert (found.name if found else None) == expected
