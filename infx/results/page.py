"""The page of one run: self-contained HTML, no script, no outside request. Every text is escaped."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from string import Template
from typing import Any

from infx import published
from infx.ledger import Entry, Ledger, State
from infx.plan import Plan
from infx.point import EVAL, THROUGHPUT, Point
from infx.results.chart import Dot, Series, chart
from infx.results.pareto import Best

Measure = Callable[[published.Row], float | None]
SPEED = "Throughput per GPU (tok/s)"
CHARTS: tuple[tuple[str, Measure, Best], ...] = (
    ("Interactivity (tok/s per user, median)", published.interactivity, "high"),
    ("End-to-end latency (s, median)", published.latency, "low"),
)
EVAL_COLUMNS = ("config key", "eval", "state", "score", "threshold", "node", "attempt", "commit", "notes")
POINT_COLUMNS = 10
"""Columns of the table of points in the template."""
EMPTY = "–"


@dataclass(frozen=True, kw_only=True)
class Run:
    """What the page says about the run besides plan and ledger."""

    plan: Plan
    ledger: Ledger
    address: str = ""
    """Of the run on GitHub; empty when there is none."""


def page(template: str, run: Run) -> str:
    """The whole document; `template` is `page.html` beside this module."""
    ledger = run.ledger
    counts = " · ".join(
        f"{ledger.count(mode, State.VALID)} of {ledger.planned(mode)} {word} valid"
        for mode, word in ((THROUGHPUT, "points"), (EVAL, "evals"))
        if ledger.planned(mode)
    )
    return Template(template).substitute(
        title=escape(f"Run {ledger.run_id} of {run.plan.repository}"),
        lead=escape(f"{counts} · commit {ledger.head_sha[:7]} · attempt {ledger.attempt}"),
        banner=_banner(run),
        charts=_charts(run),
        evals=_evals(ledger),
        points="\n".join(_by_key([entry for entry in ledger.entries if entry.mode != EVAL])),
        provenance="\n".join(_provenance(run)),
    )


def _banner(run: Run) -> str:
    lines = []
    if any(published.simulated(entry.result or {}) for entry in run.ledger.entries):
        lines.append(
            "Simulated: these numbers come from the demo's simulator and say nothing about hardware."
        )
    if not run.plan.reusable:
        lines.append("Never published: " + (", ".join(run.plan.modifiers) or "a one-off run") + ".")
    return "".join(f'<p class="banner">{escape(line)}</p>' for line in lines)


def _charts(run: Run) -> str:
    curves = _curves(run)
    if not curves:
        return ""
    figures = []
    for label, measure, best in CHARTS:
        series = [Series(name=name, dots=_dots(own, measure)) for name, own in curves]
        if any(one.dots for one in series):
            figures.append(f"<figure>{chart(series, x=label, y=SPEED, best=best)}</figure>")
    names = [
        f'<li class="c{at % 8}"><i></i><span>{escape(name)}</span></li>'
        for at, (name, _) in enumerate(curves)
    ]
    return (
        f'<h2>Performance</h2><div class="charts">{"".join(figures)}</div>'
        f'<ul class="legend">{"".join(names)}</ul>'
        '<p class="lead">Lines join the Pareto frontier of each curve; faint dots are beaten by another.</p>'
    )


def _curves(run: Run) -> list[tuple[str, list[Entry]]]:
    """Valid throughput entries by curve: equal rows but for concurrency."""
    curves: dict[tuple[str, str], list[Entry]] = {}
    for entry in run.ledger.entries:
        point = run.plan.by_id.get(entry.point)
        if point is not None and entry.mode != EVAL and entry.state == State.VALID and entry.result:
            curves.setdefault((_curve(point), point.fingerprint.row), []).append(entry)
    return [(name, own) for (name, _), own in curves.items()]


def _curve(point: Point) -> str:
    shape = " ".join(f"{name.upper()}{point.row[name]}" for name in ("tp", "ep") if name in point.row)
    return " ".join(filter(None, (point.key, shape, point.offload)))


def _dots(entries: Sequence[Entry], measure: Measure) -> list[Dot]:
    dots = []
    for entry in entries:
        row = entry.result or {}
        x, y = measure(row), published.throughput(row)
        if x is not None and y is not None and min(x, y) > 0:
            numbers = f"{entry.title}: {y:,.1f} tok/s/GPU at {x:,.4g}"
            hover = f"{entry.key}\n{numbers}\n{entry.node} · attempt {entry.attempt}"
            dots.append(Dot(x=x, y=y, label=entry.title.split(" ")[0], hover=hover))
    return dots


def _evals(ledger: Ledger) -> str:
    rows = [_eval(entry) for entry in ledger.entries if entry.mode == EVAL]
    if not rows:
        return ""
    head = "".join(f"<th>{name}</th>" for name in EVAL_COLUMNS)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<h2>Accuracy</h2><div class="scroll">{table}</div>'


def _by_key(entries: Sequence[Entry]) -> Iterable[str]:
    """Rows below a heading for each config key."""
    named: dict[str, list[Entry]] = {}
    for entry in entries:
        named.setdefault(entry.key, []).append(entry)
    for key, own in named.items():
        yield f'<tr><th class="key" colspan="{POINT_COLUMNS}"><code>{escape(key)}</code></th></tr>'
        yield from (_row(entry) for entry in own)


def _eval(entry: Entry) -> str:
    row = entry.result or {}
    numbers = [_figure(value, "{:.2%}") for value in (published.score(row), published.threshold(row))]
    return _cells(entry, numbers, lead=f"<td><code>{escape(entry.key)}</code></td>")


def _row(entry: Entry) -> str:
    row = entry.result or {}
    numbers = [
        _figure(published.throughput(row), "{:,.1f}"),
        _figure(published.interactivity(row), "{:,.1f}"),
        _figure(published.first_token(row), "{:,.3f}"),
        _figure(published.latency(row), "{:,.2f}"),
    ]
    return _cells(entry, numbers)


def _cells(entry: Entry, numbers: Iterable[str], *, lead: str = "") -> str:
    parts = [
        f"{lead}<td>{escape(entry.title)}</td>",
        f'<td class="{entry.state}">{escape(entry.text)}</td>',
        *(f'<td class="n">{number}</td>' for number in numbers),
        f'<td>{escape(entry.node) or EMPTY}</td><td class="n">{_figure(entry.attempt, "{}")}</td>',
        f"<td><code>{escape(entry.sha[:7]) or EMPTY}</code></td>",
        f'<td class="note">{escape("; ".join(entry.notes))}</td>',
    ]
    return f"<tr>{''.join(parts)}</tr>"


def _figure(value: float | None, form: str) -> str:
    return EMPTY if value is None else escape(form.format(value))


def _provenance(run: Run) -> Iterable[str]:
    plan, ledger = run.plan, run.ledger
    rows = [entry.result for entry in ledger.entries if entry.result]
    facts: dict[str, Any] = {
        "Repository": plan.repository,
        "Pull request": f"#{plan.pr}" if plan.pr else "none (one-off)",
        "Run": run.address or ledger.run_id,
        "Attempt": ledger.attempt,
        "Commit": ledger.head_sha,
        "Compared with": plan.merge_base,
        "Labels": ", ".join(filter(None, (plan.primary, *plan.modifiers))) or EMPTY,
        "Plan digest": ledger.plan_digest,
        "Images": ", ".join(sorted({str(row["image"]) for row in rows if "image" in row})) or EMPTY,
        "Nodes": ", ".join(sorted({entry.node for entry in ledger.entries if entry.node})) or EMPTY,
    }
    for name, value in facts.items():
        yield f"<dt>{name}</dt><dd>{escape(str(value))}</dd>"
