"""What GitHub says of a check, and what may be believed of it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from infx.check import Check, Standing
from infx.policy.checks import standing
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


@given(some.text(max_size=12), some.none() | some.text(max_size=12))
def test_nothing_unknown_passes(status: str, conclusion: str | None) -> None:
    if (conclusion or "").lower() not in (*RULES.passing, "skipped"):
        assert standing(check(status=status, conclusion=conclusion), RULES) != Standing.PASS
