"""Which rows also check accuracy. Chosen once over all rows of one generator call."""

import json
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from infx.matrix.expand import length_name
from infx.matrix.job import Job

LEAST_CONC = 16
"""Lowest concurrency at which fixed-length and multi-node rows are worth an eval."""
LENGTH = "8k1k"
"""The one fixed length that is evaluated."""

_OWN = frozenset({"conc", "exp-name", "run-eval", "eval-only", "eval-conc", "eval-all-concs"})
_FIXED_CURVE = ("model", "runner", "framework", "precision", "spec-decoding", "dp-attn")
_AGENTIC_CURVE = ("model", "runner", "framework", "precision")

Choice = dict[int, dict[str, Any]]
"""Position of a chosen row → the fields that the choice sets on it."""


def choose(jobs: list[Job], *, only: bool, every: bool) -> list[Job]:
    """Jobs with `run-eval` set; with `only` or `every` just the chosen ones, marked `eval-only`.

    `every` chooses each row that can be evaluated, and also turns agentic evals on, as `only` does.
    """
    kinds = _kinds(jobs)
    chosen = _all(jobs, kinds) if every else _few(jobs, kinds, agentic=only)
    if only or every:
        return [
            _with(job, {**chosen[at], "run-eval": True, "eval-only": True})
            for at, job in enumerate(jobs)
            if at in chosen
        ]
    return [
        _with(job, {**chosen[at], "run-eval": True} if at in chosen else {"run-eval": False})
        for at, job in enumerate(jobs)
    ]


def _with(job: Job, fields: Mapping[str, Any]) -> Job:
    return Job(key=job.key, row={**job.row, **fields})


def _kinds(jobs: list[Job]) -> dict[tuple[bool, bool], list[int]]:
    """Positions of rows that can be evaluated, by (multi-node, agentic)."""
    kinds: dict[tuple[bool, bool], list[int]] = {(m, a): [] for m in (False, True) for a in (False, True)}
    for at, job in enumerate(jobs):
        if job.agentic or length_name(job.row["isl"], job.row["osl"]) == LENGTH:
            kinds[job.multinode, job.agentic].append(at)
    return kinds


def _few(jobs: list[Job], kinds: Mapping[tuple[bool, bool], list[int]], *, agentic: bool) -> Choice:
    chosen: Choice = {}
    for group in _groups(jobs, kinds[False, False], by=_FIXED_CURVE):
        chosen |= {at: {} for at in _last_and_middle(jobs, group)}
    chosen |= _highest(jobs, kinds[True, False])
    if agentic:
        for group in _groups(jobs, kinds[False, True], by=_AGENTIC_CURVE):
            chosen[max(group, key=lambda at: jobs[at].row["conc"])] = {}
        chosen |= _highest(jobs, kinds[True, True])
    return chosen


def _all(jobs: list[Job], kinds: Mapping[tuple[bool, bool], list[int]]) -> Choice:
    chosen: Choice = {at: {} for at in [*kinds[False, False], *kinds[False, True]]}
    for agentic in (False, True):
        for group in _groups(jobs, kinds[True, agentic], by=None):
            union = sorted({conc for at in group for conc in jobs[at].row["conc"]})
            what = {"eval-conc": union[-1]} if agentic else {"eval-all-concs": True}
            chosen[group[0]] = {"conc": union, **what}
    return chosen


def _groups(jobs: list[Job], at: Iterable[int], *, by: tuple[str, ...] | None) -> Iterable[list[int]]:
    """Positions grouped by some fields, or by everything but concurrency and name; groups in row order."""
    found: dict[Hashable, list[int]] = {}
    for one in at:
        row = jobs[one].row
        mark = tuple(row[name] for name in by) if by else recipe_of(row)
        found.setdefault(mark, []).append(one)
    return found.values()


def recipe_of(row: Mapping[str, Any]) -> str:
    """Equal texts: rows that differ at most in concurrency, name and choice of evals."""
    return json.dumps({name: value for name, value in row.items() if name not in _OWN}, sort_keys=True)


def _last_and_middle(jobs: list[Job], group: list[int]) -> list[int]:
    """Every row at the highest and at the middle concurrency of the group."""
    high = [at for at in group if jobs[at].row["conc"] >= LEAST_CONC]
    values = sorted({jobs[at].row["conc"] for at in high})
    wanted = {values[-1], values[len(values) // 2]} if values else set()
    return [at for at in high if jobs[at].row["conc"] in wanted]


def _highest(jobs: list[Job], rows: list[int]) -> Choice:
    """Per multi-node recipe, the first row with the highest concurrency, at that concurrency."""
    chosen: Choice = {}
    for group in _groups(jobs, rows, by=None):
        best = max(group, key=lambda at: max(jobs[at].row["conc"]))
        top = max(jobs[best].row["conc"])
        if top >= LEAST_CONC:
            chosen[best] = {"eval-conc": top}
    return chosen
