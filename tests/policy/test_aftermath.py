"""What the checks of a merge commit amount to."""

import pytest

from infx.aftermath import Looked, State
from infx.check import Check, Standing
from infx.decision import Decision
from infx.policy.aftermath import PATIENCE_S, decide

PASS, PENDING, FAIL = Standing.PASS, Standing.PENDING, Standing.FAIL


def looked(standing: Standing, name: str = "a", *, run: int = 1, again: bool = False) -> Looked:
    failure = Decision(decision="failure", go=again, kind="runner", reason="") if standing == FAIL else None
    return Looked(check=Check(name=name, run=run), standing=standing, failure=failure)


@pytest.mark.parametrize(
    ("checks", "state", "reruns"),
    [
        ([looked(PASS), looked(PASS)], State.GREEN, []),
        ([looked(PASS), looked(PENDING)], State.PENDING, []),
        ([looked(PENDING), looked(FAIL)], State.PERSON, []),
        ([looked(PASS), looked(FAIL, again=True)], State.RERUN, [1]),
        ([looked(PENDING), looked(FAIL, again=True)], State.PENDING, []),
        ([looked(PENDING, run=2), looked(FAIL, again=True)], State.RERUN, [1]),
        ([looked(FAIL, again=True, run=0)], State.PERSON, []),
        ([looked(FAIL, again=True), looked(FAIL)], State.PERSON, []),
        ([looked(FAIL, again=True), looked(FAIL, run=2)], State.PERSON, [1]),
    ],
)
def test_all_passed_or_what_is_done_about_it(checks: list[Looked], state: State, reruns: list[int]) -> None:
    found = decide(checks, age_s=0)
    assert (found.kind, found.extra["reruns"]) == (state, reruns)
    assert found.go is (state == State.GREEN)


def test_C115_one_failure_among_many_is_named() -> None:
    many = [looked(PASS, f"bench-{turn}") for turn in range(138)]
    found = decide([*many, looked(PENDING, "bench-101"), looked(FAIL, "bench-102")], age_s=0)
    assert (found.kind, found.go) == (State.PERSON, False)
    assert "bench-102" in found.reason


@pytest.mark.parametrize(("age_s", "state"), [(0, State.PENDING), (PATIENCE_S, State.NOTHING)])
def test_nothing_started_is_never_green(age_s: float, state: State) -> None:
    assert decide([], age_s=age_s).kind == state
