"""Builders of facts about sources: a sweep of nine points and one eval, and runs that measured some of it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from infx.equal import Mark
from infx.event import Run, Title
from infx.facts import Answer
from infx.ledger import State
from infx.source import Authorisation, Candidate, Measured, Recorded, SourceFacts
from tests.builders import FULL, REPO, A, B, point

LOADS = (1, 2, 4, 8, 12, 16, 24, 32, 48)
MARKS = tuple(Mark.of(point(load)) for load in LOADS)
EVAL = Mark.of(point(48, task="gsm8k"))
WHOLE = (*MARKS, EVAL)
SWEEP = ".github/workflows/sweep.yml"


def other(mark: Mark, **parts: str) -> Mark:
    """The same place in the plan with another fingerprint."""
    return replace(mark, fingerprint=replace(mark.fingerprint, **parts))


def measured(mark: Mark, **fields: Any) -> Measured:
    return Measured(**{"mark": mark, "state": State.VALID, "attempt": 1, "node": "n1", "sha": A, **fields})


def run(number: int = 500, **fields: Any) -> Run:
    base = {"conclusion": "success", "path": SWEEP, "head_sha": A, "head_repo": REPO, "pr": 7}
    return Run(**{"id": number, **base, **fields})


def candidate(number: int = 500, points: Iterable[Mark | Measured] = WHOLE, **fields: Any) -> Candidate:
    """A run that measured `points`; fields of the run are given as `run=…`."""
    held = tuple(measured(one) if isinstance(one, Mark) else one for one in points)
    plan = Recorded(pr=7, head_sha=A, reusable=True)
    return Candidate(**{"run": run(number), "plan": plan, "points": held, "labels": (FULL,), **fields})


def dispatched(number: int, points: Iterable[Mark | Measured] = WHOLE, **fields: Any) -> Candidate:
    """A run that control dispatched from the default branch for a fork's head."""
    title = Title(pr=7, action="fork", head_sha=A, base_sha=B)
    started = run(number, event="workflow_dispatch", head_branch="main", head_sha=B, title=title)
    return candidate(number, points, run=started, **fields)


def use(*runs: int, **fields: Any) -> Authorisation:
    base = {"comment": 1, "at": "2026-07-01T00:00:00Z", "author": "mia", "may": Answer.YES}
    return Authorisation(**{**base, "runs": runs, **fields})


def facts(*candidates: Candidate, asked: Iterable[Authorisation] = (), **fields: Any) -> SourceFacts:
    base: dict[str, Any] = {
        "repository": REPO,
        "default_branch": "main",
        "pr": 7,
        "head_sha": A,
        "wanted": WHOLE,
    }
    given = {"candidates": tuple(candidates), "authorisations": tuple(asked), "labels": (FULL,)}
    return SourceFacts(**{**base, **given, **fields})
