"""What GitHub says of a check, and what may be believed of it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from infx.check import Check, Standing
from infx.policy.checks import standing, summed
from infx.rules import Checks

RULES = Checks(passing=frozenset({"success", "neutral"}), may_skip=("windows", "ci / docs*"))


def check(name: str = "a", **fields: Any) -> Check:
    return Check(**{"name": name, "conclusion": "success", **fields})


@pytest.mark.parametrize(
    ("status", "conclusion", "expected"),
    [
        pytest.param("COMPLETED", "SUCCESS", "pass", id="C116-a"),
        pytest.param("IN_PROGRESS", "", "pending", id="C116-b"),
        pytest.param("QUEUED", None, "pending", id="C116-c"),
        pytest.param("COMPLETED", "CANCELLED", "fail", id="C116-d"),
        pytest.param("COMPLETED", "NEUTRAL", "pass", id="C116-e"),
        pytest.param("COMPLETED", "SKIPPED", "fail", id="C116-f-not-expected"),
        ("completed", "", "fail"),
        ("completed", None, "fail"),
        ("completed", "stale", "fail"),
        ("completed", "action_required", "fail"),
        ("completed", "a-word-of-tomorrow", "fail"),
        ("completed", "pending", "pending"),
        ("waiting", None, "pending"),
        ("a-word-of-tomorrow", None, "fail"),
    ],
)
def test_C116_one_normaliser(status: str, conclusion: str | None, expected: str) -> None:
    assert standing(check(status=status, conclusion=conclusion), RULES) == expected


def test_C116_neutral_passes_by_policy_only() -> None:
    strict = Checks(passing=frozenset({"success"}), may_skip=())
    assert standing(check(conclusion="neutral"), strict) == Standing.FAIL


@pytest.mark.parametrize(
    ("name", "conclusion", "expected"),
    [("lint", "success", "pass"), ("windows", "skipped", "pass"), ("bench", "skipped", "fail")],
)
def test_C122_a_skip_passes_where_the_policy_expects_it(name: str, conclusion: str, expected: str) -> None:
    assert standing(check(name, conclusion=conclusion), RULES) == expected


def test_C115_a_list_that_was_cut_is_never_green() -> None:
    listed = [check(f"bench-{turn}") for turn in range(100)]
    assert summed(listed, RULES, total=140).kind == "not-green"
    rest = [
        check("bench-101", status="in_progress", conclusion=None),
        check("bench-102", conclusion="failure"),
    ]
    whole = [*listed, *rest, *(check(f"more-{turn}") for turn in range(38))]
    told = summed(whole, RULES, total=140)
    assert (told.kind, told.go) == ("not-green", False)
    assert "bench-102" in told.reason


@pytest.mark.parametrize(
    ("checks", "kind"),
    [
        ([], "pending"),
        ([check()], "green"),
        ([check(), check("b", status="queued", conclusion=None)], "pending"),
        ([check("b", status="queued", conclusion=None), check("c", conclusion="failure")], "not-green"),
    ],
)
def test_the_sum_of_many(checks: list[Check], kind: str) -> None:
    assert summed(checks, RULES).kind == kind


@given(some.text(max_size=12), some.none() | some.text(max_size=12))
def test_nothing_unknown_passes(status: str, conclusion: str | None) -> None:
    if (conclusion or "").lower() not in (*RULES.passing, "skipped"):
        assert standing(check(status=status, conclusion=conclusion), RULES) != Standing.PASS
