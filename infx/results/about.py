"""About: what a page says of the run that it shows."""

from collections.abc import Iterable
from typing import Any

from infx import curve, published
from infx.flat import Flat, flats
from infx.ledger import Entry, Ledger, State
from infx.plan import Plan
from infx.point import EVAL, THROUGHPUT
from infx.publication import Publication
from infx.results.page import EMPTY
from infx.results.table import minute

Said = tuple[str, str]
"""A sentence in English and in Chinese."""


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


def title(plan: Plan, ledger: Ledger) -> Said:
    if not ledger.run_id:
        return f"Local sweep of {ledger.head_sha[:7]}", f"本地扫描 {ledger.head_sha[:7]}"
    return (
        f"Run {ledger.run_id} of {plan.repository}",
        f"{plan.repository} 的运行 {ledger.run_id}",
    )


def lead(ledger: Ledger) -> Said:
    """`9 of 9 points valid · 1 of 1 evals valid · commit adc40a2 · attempt 1`."""
    counts = [
        (ledger.count(mode, State.VALID), ledger.planned(mode), word, chinese)
        for mode, word, chinese in ((THROUGHPUT, "points", "个测试点"), (EVAL, "evals", "个评测"))
        if ledger.planned(mode)
    ]
    english = " · ".join(f"{valid} of {planned} {word} valid" for valid, planned, word, _ in counts)
    chinese = " · ".join(f"{planned} {word}中 {valid} 个有效" for valid, planned, _, word in counts)
    return (
        f"{english} · commit {ledger.head_sha[:7]} · attempt {ledger.attempt}",
        f"{chinese} · 提交 {ledger.head_sha[:7]} · 第 {ledger.attempt} 次尝试",
    )


def banners(plan: Plan, ledger: Ledger) -> list[Said]:
    """What a reader must know before believing a number."""
    found = []
    if not ledger.complete:
        lacking, planned = len(ledger.entries) - ledger.counts[State.VALID], len(ledger.entries)
        verb = "has" if lacking == 1 else "have"
        found.append(
            (
                f"Incomplete: {lacking} of {planned} planned points {verb} no valid result.",
                f"不完整：{planned} 个计划的测试点中有 {lacking} 个没有有效结果。",
            )
        )
    if not plan.reusable:
        why = ", ".join(plan.modifiers)
        found.append(
            (f"Never published: {why or 'a one-off run'}.", f"不会发布：{why or '一次性运行'}。"),
        )
    return found


def facts(plan: Plan, ledger: Ledger, address: str) -> dict[str, Any]:
    """Where the numbers come from."""
    results = [entry.result for entry in ledger.entries if entry.result]
    return {
        "Repository": plan.repository or EMPTY,
        "Pull request": f"#{plan.pr}" if plan.pr else "none (one-off)",
        "Run": address or ledger.run_id or EMPTY,
        "Attempt": ledger.attempt,
        "Commit": ledger.head_sha,
        "Merge base": plan.merge_base,
        "Measured": period(number for row in results if (number := published.ended(row))),
        "Labels": ", ".join(filter(None, (plan.primary, *plan.modifiers))) or EMPTY,
        "Plan digest": ledger.plan_digest,
        "Hardware": some(curve.hardware(row) for row in results),
        "Images": some(row.get("image") for row in results),
        "Clients": some(row.get("client") for row in results),
        "Nodes": some(entry.node for entry in ledger.entries),
    }


def some(values: Iterable[Any]) -> str:
    """Different values, in order."""
    return ", ".join(sorted({str(one) for one in values if one})) or EMPTY


def period(moments: Iterable[float]) -> str:
    """`2026-07-01 09:00 to 11:30 UTC`: from the first to the last of Unix seconds."""
    texts = sorted({minute(one) for one in moments})
    if not texts:
        return EMPTY
    first, last = texts[0], texts[-1]
    if first == last:
        return f"{first} UTC"
    same_day = first[:10] == last[:10]
    return f"{first} to {last[11:] if same_day else last} UTC"
