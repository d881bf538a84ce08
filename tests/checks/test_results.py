"""Checks of what was measured: sweep, evals, frontier, reuse."""

import pytest

from infx.subject import Reuse
from tests.checks.subjects import an_eval, grade, look, subject, value

POINTS = (value(1), value(4))


def test_the_sweep_is_read_from_results_never_from_ticks() -> None:
    assert grade("sweep-green") == "PASS"
    found = look("sweep-green", subject(values=(value(1), value(4, run=0, reason="server-crash"))))
    assert (found.grade, found.what) == ("FAIL", "1 of 2 points have an accepted result")
    assert found.evidence[0].endswith("C4: server-crash")
    assert grade("sweep-green", values=()) == "N/A"
    assert grade("sweep-green", values=(), trouble="GitHub answers 502") == "UNKNOWN"


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (an_eval(), "PASS"),
        (an_eval(0.94), "PASS"),
        (an_eval(0.9399), "FAIL"),
        (an_eval(run=0, reason="below-threshold"), "FAIL"),
        (an_eval(measured_image="lmsysorg/sglang:v0.5.15"), "FAIL"),
        (an_eval(model="strange"), "PASS"),
        (value(16, eval=True, task="strange", score=1.0), "FAIL"),
        (value(16, eval=True, task="gsm8k", score=None), "FAIL"),
    ],
)
def test_evals_are_over_the_floor_of_their_model_with_the_image_of_the_sweep(one, expected) -> None:
    assert grade("evals-passed", values=(*POINTS, one)) == expected


def test_no_eval_and_no_answer_are_no_pass() -> None:
    assert grade("evals-passed", values=POINTS) == "N/A"
    assert grade("evals-passed", trouble="GitHub answers 502") == "UNKNOWN"


def test_fewer_than_five_points_on_a_frontier_are_a_warning() -> None:
    assert grade("pareto-points") == "PASS"
    few = (*subject().values, *(value(conc, curve="hicache") for conc in (4, 8, 12, 16)))
    found = look("pareto-points", subject(values=few))
    assert (found.grade, found.evidence[1]) == ("WARN", "hicache: 4")
    beaten = tuple(value(conc, throughput=100.0 - conc) for conc in (1, 4, 8, 12, 16))
    assert look("pareto-points", subject(values=beaten)).evidence[0].endswith(": 1")
    plateau = tuple(value(conc, throughput=1.0) for conc in (1, 4, 8, 12, 16))
    assert look("pareto-points", subject(values=plateau)).evidence[0].endswith(": 5")
    unknown = (value(4, latency=None),)
    assert look("pareto-points", subject(values=unknown)).evidence[0].endswith("unknown")
    assert grade("pareto-points", values=()) == "N/A"


@pytest.mark.parametrize(
    ("reuse", "expected"),
    [
        (Reuse(by="mia", covers=True, text="9 of 9"), "PASS"),
        (Reuse(advice="/use 500"), "FAIL"),
        (Reuse(by="mia", covers=False, text="withdrawn", advice="/use 500"), "FAIL"),
        (Reuse(trouble="502"), "UNKNOWN"),
    ],
)
def test_C97_the_reuse_command_is_on_record(reuse, expected) -> None:
    found = look("reuse-command-posted", subject(reuse=reuse))
    assert found.grade == expected
    assert expected != "FAIL" or found.evidence == ("/use 500",)
    assert grade("reuse-command-posted", values=()) == "N/A"
