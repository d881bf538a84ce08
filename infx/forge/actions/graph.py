"""How jobs depend on each other: what a condition may see, and what results add up to."""

from collections.abc import Collection, Mapping, Sequence

SUCCESS, FAILURE, CANCELLED, SKIPPED = "success", "failure", "cancelled", "skipped"

Needs = Mapping[str, Sequence[str]]
"""Job id → ids it names in `needs`."""
Results = Mapping[str, str]
"""Job id → `success`, `failure`, `cancelled` or `skipped`, for jobs that ended."""


def ancestors(needs: Needs, job: str) -> frozenset[str]:
    """Every job that `job` waits for, however far up."""
    found: set[str] = set()
    open_ = list(needs[job])
    while open_:
        above = open_.pop()
        if above not in found:
            found.add(above)
            open_ += needs[above]
    return frozenset(found)


def descendants(needs: Needs, roots: Collection[str]) -> frozenset[str]:
    """`roots` and every job that waits for one of them, however far down."""
    return frozenset(job for job in needs if job in roots or ancestors(needs, job) & set(roots))


def ready(needs: Needs, results: Results) -> list[str]:
    """Jobs without a result whose needs all have one, in file order."""
    return [job for job in needs if job not in results and all(above in results for above in needs[job])]


def status(needs: Needs, results: Results, job: str, *, cancelled: bool) -> str:
    """Which of `success()`, `failure()`, `cancelled()` is true for a job's condition.

    All ancestors count, not only the direct needs: one skipped job far up makes `success()` false.
    `skipped` means that none of the three is true.
    """
    if cancelled:
        return CANCELLED
    above = [results[one] for one in ancestors(needs, job)]
    if FAILURE in above:
        return FAILURE
    return SUCCESS if all(result == SUCCESS for result in above) else SKIPPED


def joined(results: Collection[str]) -> str:
    """Result of a job from its matrix cells: the worst one."""
    for worst in (FAILURE, CANCELLED, SUCCESS):
        if worst in results:
            return worst
    return SKIPPED


def conclusion(results: Collection[str], *, cancelled: bool) -> str:
    """Conclusion of a run from its jobs' results; `cancelled` means that somebody asked for it."""
    if cancelled and any(result != SUCCESS for result in results):
        return CANCELLED
    return joined(results)
