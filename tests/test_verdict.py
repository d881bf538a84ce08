"""What a decision is to a shell."""

import pytest

from infx.decision import Decision
from infx.verdict import exit_number


@pytest.mark.parametrize(
    ("decision", "go", "kind", "number"),
    [
        ("event", True, "start", 0),
        ("event", False, "preview", 0),
        ("event", False, "clash", 1),
        ("event", False, "could-not-tell", 3),
        ("source", False, "partial-coverage", 1),
        ("source", True, "covers", 0),
        ("ingest", False, "could-not-tell", 3),
        ("permit", False, "unknown", 3),
        ("signoff", False, "failed", 1),
    ],
)
def test_a_no_is_one_and_nobody_could_tell_is_three(decision: str, go: bool, kind: str, number: int) -> None:
    assert exit_number(Decision(decision=decision, go=go, kind=kind, reason="")) == number
