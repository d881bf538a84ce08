"""Every combination of event, label, labels, draft, fork, message and reuse, against the table."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from infx.facts import Facts, Reuse
from infx.policy import gate
from tests.builders import FAIL_FAST, FULL, REPO, C, event, on_head, rules, run_of

LABELS = {
    "none": (),
    "P": (FULL,),
    "PP": (FULL, FAIL_FAST),
    "M": ("all-evals",),
    "PM": (FULL, "all-evals"),
    "PB": (FULL, "agentx-fast"),
    "PPM": (FULL, FAIL_FAST, "all-evals"),
    "U": ("documentation",),
}
CHANGED = {
    "primary": FULL,
    "modifier": "all-evals",
    "grant": "gpu-budget-approved",
    "priority": "skip_queue",
    "own": "infx-swept",
    "unknown": "documentation",
}
BOOK = rules("labels: {priority: {skip_queue: 5}, own: [infx-swept]}")
QUIET = ("opened", "reopened", "synchronize", "closed", "edited-base", "edited-title", "ready_for_review")
SWEPT = ("opened", "reopened", "synchronize", "labeled", "unlabeled")
"""Actions that `sweep.yml` listens to."""
EVENTS = [(action, "-") for action in (*QUIET, "converted_to_draft")]
EVENTS += list(product(("labeled", "unlabeled"), CHANGED))
SEEN = [(*event, inside) for event in EVENTS for inside in (True, False) if event[0] in SWEPT or not inside]
"""Events as the sweep's own run sees them, and as control does."""
TABLE = [
    line.split()
    for line in (Path(__file__).parent / "gate.table").read_text().splitlines()
    if line and line[0] != "#"
]
Row = tuple[str, str, str, str, str, str, str]


def rows(action: str, label: str) -> Iterator[Row]:
    yn = ("no", "yes")
    for labels, draft, fork, message, reuse in product(LABELS, yn, yn, ("plain", "skip"), Reuse):
        yield action, label, labels, draft, fork, message, str(reuse)


def expected(row: Row) -> tuple[str, list[int]]:
    """First row of the table that fits."""
    for line in TABLE:
        wanted, (kind, cancels) = line[:7], line[8:]
        if all(want == "*" or have in want.split("|") for want, have in zip(wanted, row, strict=True)):
            return kind, {"all": [90, 110], "older": [90], "-": []}[cancels]
    raise AssertionError(f"the table has no row for {row}")


def facts(row: Row, *, inside: bool) -> Facts:
    """As the sweep's own run sees it, or as control does."""
    action, label, labels, draft, fork, message, reuse = row
    made = event(action.split("-")[0], CHANGED.get(label, ""), LABELS[labels])
    assert made.webhook.pull
    shown = replace(
        made.webhook.pull,
        draft=draft == "yes",
        open=action != "closed",
        head_repo="eve/bench" if fork == "yes" else REPO,
    )
    hook = replace(made.webhook, pull=shown, base_changed=action == "edited-base")
    old = on_head(event("synchronize", "", (FULL,)), C)
    runs = (run_of(90, old), run_of(110, old), run_of(80, old, status="completed"))
    if action == "edited-base":
        # The newer run was made at the new base already.
        assert runs[1].title
        runs = (replace(runs[0], title=replace(runs[1].title, base_sha=C)), runs[1], runs[2])
    said = "tune [skip-sweep]" if message == "skip" else "tune"
    mine = (run_of(100, made),) if action in SWEPT and not inside else ()
    runs = (*runs, *mine)
    own = 100 if inside else None
    return Facts(webhook=hook, run_id=own, message=said, reuse=Reuse(reuse), runs=runs, points_changed=True)


@pytest.mark.parametrize(("action", "label", "inside"), SEEN)
def test_every_combination_is_decided_as_the_table_says(action: str, label: str, inside: bool) -> None:
    for row in rows(action, label):
        decision = gate.decide(facts(row, inside=inside), BOOK)
        kind, cancels = expected(row)
        if inside and row[4] == "yes" and kind in ("dispatch", "fork"):
            kind, cancels = "fork", []
        assert (decision.kind, decision.extra["cancels"]) == (kind, cancels), row
        assert decision.go == (decision.kind in ("start", "dispatch"))
        assert decision.reason


def test_every_row_of_the_table_is_used() -> None:
    used = set()
    for action, label in EVENTS:
        for row in rows(action, label):
            fits = (
                i
                for i, line in enumerate(TABLE)
                if all(w == "*" or h in w.split("|") for w, h in zip(line[:7], row, strict=True))
            )
            used.add(next(fits))
    assert used == set(range(len(TABLE)))
