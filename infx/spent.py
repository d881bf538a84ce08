"""Spent: GPU-hours that earlier sweeps of a pull request took, for the ceiling of its policy."""

from infx.event import PullRequest
from infx.labels import LabelBook
from infx.lineage import Lineage
from infx.sweeps import Sweep, Sweeps

MANY = 50
"""So many sweeps of one plan have to fit under the ceiling before nobody counts: looking costs requests."""


def near(hours: float, ceiling: float | None) -> bool:
    """Whether a plan of `hours` is large enough for earlier sweeps to be counted."""
    return ceiling is not None and hours * MANY > ceiling


def spent(sweeps: Sweeps, pull: PullRequest, book: LabelBook, *, before: int | None) -> float:
    """GPU-hours of every sweep older than the run `before`; of one that still goes nothing is known."""
    earlier = Lineage(runs=sweeps.runs(pull), book=book).older(before)
    return sum(taken(sweeps.look(run)) for run in earlier)


def taken(sweep: Sweep) -> float:
    """Of points that left a record, which a cell writes before anything else, as the plan expected them."""
    if sweep.plan is None or sweep.ledger is None:
        return 0.0
    started = [entry.point for entry in sweep.ledger.entries if entry.attempt is not None]
    points = [sweep.plan.by_id[point] for point in started]
    return sum(point.gpus * point.duration_s for point in points) / 3600
