"""What fanout releases: an allow-list read from canary records, never from job colours."""

from collections.abc import Mapping
from dataclasses import dataclass

from infx.plan import KeyPlan, Plan
from infx.point import Point
from infx.record import Outcome, Record


@dataclass(frozen=True, kw_only=True)
class Release:
    """Points that may start now, and why the other keys may not."""

    points: tuple[Point, ...]
    blocked: Mapping[str, str]
    """Config key → why nothing more of it starts."""


def release(plan: Plan, records: Mapping[str, Record]) -> Release:
    """`records` is point id → newest record of a canary or of the candidate tried in its place."""
    tried: set[str] = set()
    blocked = {}
    for key in plan.keys:
        reason = verdict(plan, key, records)
        if reason:
            blocked[key.key] = reason
        tried |= _tried(plan, key, records)
    if blocked and plan.fail_fast:
        first = f"{plan.primary}: {next(iter(blocked))} failed its canary"
        blocked = {key.key: blocked.get(key.key, first) for key in plan.keys}
    points = tuple(point for point in plan.points if point.key not in blocked and point.id not in tried)
    return Release(points=points, blocked=blocked)


def verdict(plan: Plan, key: KeyPlan, records: Mapping[str, Record]) -> str:
    """Why a key is not released; `""` releases it."""
    if key.canary is None:
        return ""
    outcome = measured(plan, key.canary, records)
    if outcome == Outcome.SUCCESS:
        return ""
    what = f"canary {plan.by_id[key.canary].title}: {outcome or 'no record'}"
    if outcome != Outcome.TIMEOUT or not key.candidates:
        return what
    # Only the first candidate is tried, and only after the canary's deadline.
    second = measured(plan, key.candidates[0], records)
    if second == Outcome.SUCCESS:
        return ""
    return f"{what}; next candidate {plan.by_id[key.candidates[0]].title}: {second or 'no record'}"


def measured(plan: Plan, point: str, records: Mapping[str, Record]) -> Outcome | None:
    """Outcome of a point; None when there is no record, or one of other work or of another commit."""
    record = records.get(point)
    if record is None or record.sha != plan.head_sha:
        return None
    return record.outcome if record.fingerprint == plan.by_id[point].fingerprint.as_json() else None


def _tried(plan: Plan, key: KeyPlan, records: Mapping[str, Record]) -> set[str]:
    """Points of the canary stage that fanout must not start again.

    The candidate belongs to that stage only after a canary that hung: otherwise its record comes from a shard
    of an earlier attempt, and a re-run of all jobs measures it anew like every other point.
    """
    if key.canary is None:
        return set()
    outcome = measured(plan, key.canary, records)
    if outcome == Outcome.TIMEOUT:
        return {key.canary, *key.candidates[:1]}
    return {key.canary} if outcome == Outcome.SUCCESS else set()
