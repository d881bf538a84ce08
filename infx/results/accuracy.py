"""Score against threshold: which floor applies, and what each failure means. Pure."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from infx.point import Point
from infx.reason import Reason
from infx.results.validity import Fault, missing
from infx.row import Score

Thresholds = Mapping[str, Any]
"""`{"default": {task: floor}, "models": {model prefix: {task: floor}}}`, floors as shares of 1."""


@dataclass(frozen=True, kw_only=True)
class Floor:
    """Lowest passing score, and the entry it comes from."""

    value: float
    source: str


def floor_of(thresholds: Thresholds, prefix: str, task: str) -> Floor | None:
    """Most specific entry: the model's own, else the default; None when the task has none."""
    own = thresholds.get("models", {}).get(prefix, {})
    if task in own:
        return Floor(value=float(own[task]), source=f"models.{prefix}")
    default = thresholds.get("default", {})
    return Floor(value=float(default[task]), source="default") if task in default else None


def eval_fault(point: Point, scores: Sequence[Score], thresholds: Thresholds) -> Fault | None:
    """First reason why these scores are no passing result of `point`; coverage is asked of the plan."""
    lacking = missing(point.concurrencies, (score.conc for score in scores))
    if lacking:
        return Fault(
            reason=Reason.MISSING_CONCURRENCY, detail=f"missing {', '.join(f'C{conc}' for conc in lacking)}"
        )
    if fault := _foreign(point, scores):
        return fault
    floor = floor_of(thresholds, str(point.row["model-prefix"]), str(point.task))
    if floor is None:
        return Fault(
            reason=Reason.NO_THRESHOLD, detail=f"no floor for {point.task}; add one to thresholds.yaml"
        )
    found = (score_fault(score, floor, str(point.row["model"])) for score in scores)
    return next((fault for fault in found if fault), None)


def _foreign(point: Point, scores: Sequence[Score]) -> Fault | None:
    """A score of another task, and two scores of one concurrency of which nobody knows the right one."""
    known: dict[int, Score] = {}
    for score in scores:
        if score.task != point.task:
            return Fault(reason=Reason.WRONG_IDENTITY, detail=f"C{score.conc}: a score of {score.task}")
        if known.setdefault(score.conc, score) != score:
            told = f"C{score.conc} has two scores: {known[score.conc].strict} and {score.strict}"
            return Fault(reason=Reason.NO_RESULT, detail=told)
    return None


def score_fault(score: Score, floor: Floor, model: str) -> Fault | None:
    """Equality passes. A strict score of exactly zero beside good flexible ones blames the extraction."""
    if score.model != model:
        return Fault(reason=Reason.WRONG_MODEL, detail=f"C{score.conc}: {score.model} answered, not {model}")
    if not score.asked or score.scored != score.asked:
        return Fault(
            reason=Reason.PARTIAL_EVAL,
            detail=f"C{score.conc}: {score.scored} of {score.asked} questions scored",
        )
    numbers = (score.strict, score.strict_se, score.flexible, score.flexible_se)
    if not all(math.isfinite(number) for number in numbers):
        told = "strict {:g} ± {:g}, flexible {:g} ± {:g}".format(*numbers)
        return Fault(reason=Reason.NON_FINITE, detail=f"C{score.conc}: {score.task} gave {told}")
    if not (0 <= score.strict <= 1 and 0 <= score.flexible <= 1):
        gave = f"{score.strict:g} and {score.flexible:g}"
        return Fault(
            reason=Reason.NO_RESULT, detail=f"C{score.conc}: {score.task} gave {gave}, no shares of 1"
        )
    if score.strict >= floor.value:
        return None
    if score.strict == 0 and score.flexible >= floor.value:
        return Fault(
            reason=Reason.EXTRACTION_SUSPECT,
            detail=f"C{score.conc}: strict 0, flexible {score.flexible:.2%} by {score.client}: look at the"
            f" extraction rule ({score.extraction}), not at the model",
        )
    return Fault(
        reason=Reason.BELOW_THRESHOLD,
        detail=f"C{score.conc}: {score.task} {score.strict:.2%} < {floor.value:.2%} ({floor.source})",
    )
