"""A curve needs five points on its Pareto frontier: throughput per GPU over end-to-end latency."""

from infx.checks import Sheet
from infx.results.pareto import frontier
from infx.signoff import Finding, Grade
from infx.subject import Subject, Value

ID = "pareto-points"
ENOUGH = 5


def check(subject: Subject, sheet: Sheet) -> Finding:
    curves: dict[str, list[Value]] = {}
    for value in subject.values:
        if not value.eval:
            curves.setdefault(value.curve, []).append(value)
    if not curves:
        return Finding(check=ID, grade=Grade.NA, what="no throughput point is planned")
    counts = {name: count(values) for name, values in curves.items()}
    texts = tuple(f"{name}: {'unknown' if number is None else number}" for name, number in counts.items())
    if all(number is not None and number >= ENOUGH for number in counts.values()):
        return Finding(check=ID, grade=Grade.PASS, what=f"{ENOUGH} or more on every curve", evidence=texts)
    what = f"fewer than {ENOUGH} points on the frontier, or unknown"
    return Finding(check=ID, grade=Grade.WARN, what=what, evidence=texts)


def count(values: list[Value]) -> int | None:
    """Points on the frontier of what was measured; None where nothing was."""
    points = [
        (value.latency, value.throughput)
        for value in values
        if value.latency is not None and value.throughput is not None
    ]
    return len(frontier(points, x="low")) if points else None
