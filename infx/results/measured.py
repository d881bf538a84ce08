"""Measured: a run's plan and ledger become a candidate for `resolve source`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from infx.equal import Mark
from infx.event import Run
from infx.ledger import Entry, Ledger
from infx.plan import Plan
from infx.point import Point
from infx.source import Candidate, Measured, Recorded

FIELDS = 8
"""Most row fields that one difference names."""


@dataclass(frozen=True, kw_only=True)
class Files:
    """Files in which the ground of a measured point differs from that of the planned one."""

    recipe: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    """Those of `shared` that the pull request touches, or touched then."""


Compare = Callable[[Point], Files]


def candidate(
    run: Run, plan: Plan, ledger: Ledger, *, wanted: Plan, files: Compare, **about: Any
) -> Candidate:
    """The run with every point of its plan. `about` holds further fields of the candidate."""
    places = {Mark.of(point).place: point for point in wanted.points}
    entries = {entry.point: entry for entry in ledger.entries}
    points = [
        _measured(point, entries[point.id], places.get(Mark.of(point).place), files)
        for point in plan.points
        if point.id in entries
    ]
    entry = entries_differ(plan.changelog_metadata, wanted.changelog_metadata)
    recorded = Recorded(pr=plan.pr, head_sha=plan.head_sha, reusable=plan.reusable, entry=entry)
    return Candidate(run=run, plan=recorded, points=tuple(points), **about)


def _measured(point: Point, entry: Entry, planned: Point | None, files: Compare) -> Measured:
    differing = Files() if planned is None or planned.fingerprint == point.fingerprint else files(point)
    fields = differences(point.row, planned.row) if planned else ()
    return Measured(
        mark=Mark.of(point),
        state=entry.state,
        reason=entry.reason,
        attempt=entry.attempt or 0,
        node=entry.node,
        sha=entry.sha,
        differs=(*fields, *differing.recipe),
        drift=differing.shared,
        own=differing.own,
    )


def entries_differ(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """Fields of the changelog entries in which two changes differ; a corrected link is no difference."""
    before, after = (list(one.get("entries", ())) for one in (old, new))
    if len(before) != len(after):
        return ("number of entries",)
    pairs = [({**one, "pr-link": ""}, {**two, "pr-link": ""}) for one, two in zip(before, after, strict=True)]
    names = {name for one, two in pairs for name in {**one, **two} if one.get(name) != two.get(name)}
    return tuple(sorted(names))


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """`tp: 4 → 8`, for every row field that differs."""
    names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    return tuple(f"{name}: {_shown(old, name)} → {_shown(new, name)}" for name in names[:FIELDS])


def _shown(row: Mapping[str, Any], name: str) -> str:
    return f"{row[name]!s:.80}" if name in row else "nothing"
