"""Checks: one normaliser for what GitHub says of jobs, check runs and statuses, and the sum of many."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from infx.check import Check, Standing
from infx.decision import Decision
from infx.rules import Checks

PENDING = frozenset({"queued", "in_progress", "waiting", "pending", "requested"})
SKIPPED = "skipped"


def standing(check: Check, rules: Checks) -> Standing:
    """PASS only for conclusions on the list, and for a skip that the policy expects. An empty or missing
    conclusion of what has not completed is pending, of what has completed no pass."""
    status, conclusion = check.status.lower(), (check.conclusion or "").lower()
    if status in PENDING or conclusion in PENDING:
        return Standing.PENDING
    if conclusion == SKIPPED:
        expected = any(fnmatchcase(check.name, glob) for glob in rules.may_skip)
        return Standing.PASS if expected else Standing.FAIL
    return Standing.PASS if conclusion in rules.passing else Standing.FAIL


def summed(checks: Sequence[Check], rules: Checks, *, total: int | None = None) -> Decision:
    """`green` only when all of `total` checks, GitHub's own count, were seen and each passed."""
    counts = {one: sum(standing(check, rules) == one for check in checks) for one in Standing}
    told = ", ".join(f"{count} {one}" for one, count in counts.items() if count) or "no checks"
    if counts[Standing.FAIL]:
        return _answer("not-green", f"{told}; first: {_first(checks, rules, Standing.FAIL)}")
    if total is not None and total > len(checks):
        return _answer("not-green", f"{len(checks)} of {total} checks were listed, the rest is unknown")
    if counts[Standing.PENDING] or not checks:
        return _answer("pending", told)
    return _answer("green", told)


def _first(checks: Sequence[Check], rules: Checks, wanted: Standing) -> str:
    return next(check.name for check in checks if standing(check, rules) == wanted)


def _answer(kind: str, reason: str) -> Decision:
    return Decision(decision="checks", go=kind == "green", kind=kind, reason=reason)
