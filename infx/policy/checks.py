"""Checks: one normaliser for what GitHub says of jobs, check runs and statuses."""

from fnmatch import fnmatchcase

from infx.check import Check, Standing
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
