"""About: what a page says of the run that it shows."""

from typing import Any

from infx.flat import Flat, flats
from infx.ledger import Entry, Ledger, State
from infx.plan import Plan
from infx.point import EVAL, THROUGHPUT
from infx.publication import Publication
from infx.results.page import EMPTY


def rows(plan: Plan, ledger: Ledger) -> tuple[list[Flat], list[str]]:
    """Valid points of a run that nobody has published yet, and those whose row cannot be shown."""
    found: list[Flat] = []
    problems: list[str] = []
    for entry in ledger.entries:
        if entry.state == State.VALID and entry.result and entry.point in plan.by_id:
            try:
                found += flats(_publication(plan, ledger, entry), notes="; ".join(entry.notes))
            except (TypeError, ValueError, AttributeError, OverflowError) as error:
                problems.append(f"{entry.key} {entry.title}: {error}"[:200])
    return found, problems


def _publication(plan: Plan, ledger: Ledger, entry: Entry) -> Publication:
    point = plan.by_id[entry.point]
    prints = point.fingerprint.as_json()
    return Publication(
        point=entry.point,
        key=entry.key,
        title=entry.title,
        mode=entry.mode,
        task=point.task,
        pr=plan.pr or 0,
        merge="",
        merged_at="",
        run=ledger.run_id,
        attempt=entry.attempt or 0,
        node=entry.node,
        sha=entry.sha,
        fingerprint=prints,
        planned=prints,
        match="",
        accepted_changed=False,
        authorisation={},
        row=entry.result or {},
    )


def lead(ledger: Ledger) -> str:
    """`9 of 9 points valid · 1 of 1 evals valid · commit adc40a2 · attempt 1`."""
    counts = " · ".join(
        f"{ledger.count(mode, State.VALID)} of {ledger.planned(mode)} {word} valid"
        for mode, word in ((THROUGHPUT, "points"), (EVAL, "evals"))
        if ledger.planned(mode)
    )
    return f"{counts} · commit {ledger.head_sha[:7]} · attempt {ledger.attempt}"


def banners(plan: Plan, ledger: Ledger) -> list[str]:
    """What a reader must know before believing a number."""
    found = []
    if not ledger.complete:
        lacking = len(ledger.entries) - ledger.counts[State.VALID]
        found.append(f"Incomplete: {lacking} of {len(ledger.entries)} planned points have no valid result.")
    if not plan.reusable:
        found.append("Never published: " + (", ".join(plan.modifiers) or "a one-off run") + ".")
    return found


def facts(plan: Plan, ledger: Ledger, address: str) -> dict[str, Any]:
    """Where the numbers come from."""
    results = [entry.result for entry in ledger.entries if entry.result]
    return {
        "Repository": plan.repository,
        "Pull request": f"#{plan.pr}" if plan.pr else "none (one-off)",
        "Run": address or ledger.run_id,
        "Attempt": ledger.attempt,
        "Commit": ledger.head_sha,
        "Compared with": plan.merge_base,
        "Labels": ", ".join(filter(None, (plan.primary, *plan.modifiers))) or EMPTY,
        "Plan digest": ledger.plan_digest,
        "Images": ", ".join(sorted({str(row["image"]) for row in results if "image" in row})) or EMPTY,
        "Nodes": ", ".join(sorted({entry.node for entry in ledger.entries if entry.node})) or EMPTY,
    }
