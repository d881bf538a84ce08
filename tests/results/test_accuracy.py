import math
from dataclasses import replace
from typing import Any

import pytest

from infx.point import Point
from infx.reason import Reason
from infx.results.accuracy import Floor, eval_fault, floor_of, score_fault
from infx.row import Score
from tests.runtime import evaluation

C58_FLOORS = {"default": {"gsm8k": 0.85}, "models": {"glm5": {"gsm8k": 0.94}, "kimik2.5": {"gsm8k": 0.9}}}
SCORE = Score(
    client="lm-eval 0.4.13",
    model="infx/demo-bytes",
    task="gsm8k",
    conc=8,
    strict=0.95,
    strict_se=0.01,
    flexible=0.96,
    flexible_se=0.01,
    scored=64,
    asked=64,
    extraction="last #### (.+)",
    ended=5.0,
)


def of(prefix: str, task: str = "gsm8k") -> Point:
    point = evaluation()
    return replace(point, task=task, row={**point.row, "model-prefix": prefix})


@pytest.mark.parametrize(
    ("prefix", "task", "value", "wanted", "source"),
    [
        ("glm5", "gsm8k", 0.91, Reason.BELOW_THRESHOLD, "models.glm5"),
        ("glm5", "gsm8k", 0.94, None, "models.glm5"),
        ("brand-new", "gsm8k", 0.86, None, "default"),
        ("kimik2.5", "gpqa", 0.4, Reason.NO_THRESHOLD, None),
    ],
)
def test_C58_the_most_specific_floor_applies_and_equality_passes(
    prefix: str, task: str, value: float, wanted: Reason | None, source: str | None
) -> None:
    fault = eval_fault(of(prefix, task), [replace(SCORE, task=task, strict=value)], C58_FLOORS)
    floor = floor_of(C58_FLOORS, prefix, task)
    assert (fault.reason if fault else None) == wanted
    assert (floor.source if floor else None) == source
    assert not (fault and source) or source in fault.detail


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"strict": 95.0}, Reason.NO_RESULT),
        ({"flexible": -0.1}, Reason.NO_RESULT),
        ({"strict": math.nan}, Reason.NON_FINITE),
        ({"strict_se": math.nan}, Reason.NON_FINITE),
        ({"flexible_se": math.inf}, Reason.NON_FINITE),
    ],
)
def test_what_is_no_share_never_passes(changes: dict[str, Any], wanted: Reason) -> None:
    fault = score_fault(replace(SCORE, **changes), Floor(value=0.9, source="default"), SCORE.model)
    assert fault is not None
    assert fault.reason == wanted


def test_C59_coverage_is_asked_of_the_plan() -> None:
    point = evaluation()
    planned = replace(point, row={**point.row, "conc": [16, 64, 256]})
    fault = eval_fault(planned, [replace(SCORE, conc=16)], C58_FLOORS)
    assert fault is not None
    assert (fault.reason, fault.detail) == (Reason.MISSING_CONCURRENCY, "missing C64, C256")


def test_C62_strict_zero_beside_right_answers_points_at_the_extraction() -> None:
    floor = Floor(value=0.25, source="default")
    fault = score_fault(
        replace(SCORE, strict=0.0, flexible=0.66, client="lm-eval 0.4.11"), floor, SCORE.model
    )
    assert fault is not None
    assert fault.reason == Reason.EXTRACTION_SUSPECT
    assert "lm-eval 0.4.11" in fault.detail
    weak = score_fault(replace(SCORE, strict=0.0, flexible=0.1), floor, SCORE.model)
    assert weak is not None
    assert weak.reason == Reason.BELOW_THRESHOLD


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({}, None),
        ({"model": "other"}, Reason.WRONG_MODEL),
        ({"task": "gpqa"}, Reason.WRONG_IDENTITY),
        ({"scored": 63}, Reason.PARTIAL_EVAL),
        ({"scored": 65}, Reason.PARTIAL_EVAL),
        ({"scored": 0, "asked": 0}, Reason.PARTIAL_EVAL),
        ({"strict": math.nan}, Reason.NON_FINITE),
        ({"flexible": math.nan}, Reason.NON_FINITE),
        ({"strict": 0.84}, Reason.BELOW_THRESHOLD),
    ],
)
def test_each_flaw_of_a_score_has_its_reason(changes: dict[str, Any], wanted: Reason | None) -> None:
    fault = eval_fault(evaluation(), [replace(SCORE, **changes)], C58_FLOORS)
    assert (fault.reason if fault else None) == wanted


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_scores_of_one_concurrency_none_is_chosen(order: int) -> None:
    two = [replace(SCORE, strict=0.7817), SCORE][::order]
    fault = eval_fault(evaluation(), two, C58_FLOORS)
    assert fault is not None
    assert (fault.reason, "0.7817" in fault.detail, "0.95" in fault.detail) == (Reason.NO_RESULT, True, True)
    assert eval_fault(evaluation(), [SCORE, SCORE], C58_FLOORS) is None
