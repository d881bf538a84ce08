"""The pages: of one run, of one pull request, and of everything published; one self-contained file each.

Text is escaped here or set as text by the script; rows travel as data, which the script never takes for
markup.
"""

import base64
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from string import Template
from typing import Any

from infx.compared import CALLED, Change, Compared, Finding
from infx.flat import Flat
from infx.ledger import Entry
from infx.results import pack, spec
from infx.results.words import CHINESE

EMPTY = "–"
SHOWN = (
    *("tput", "intvty", "e2el", "ttft", "joules", "score", "threshold"),
    *("conc", "hw", "framework", "precision", "task", "measured"),
)
"""Columns that charts, filters and table read, under the same names whatever a row is called or lacks."""
SIMULATED = "Simulated: these numbers come from a simulator and say nothing about hardware."
PARTLY = "Some rows are simulated and say nothing about hardware: those whose client is infx-simulator."


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A changelog entry on the history view."""

    at: float
    """Unix seconds."""
    text: str
    link: str = ""
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Frame:
    """What every page is made of besides its rows."""

    template: str
    css: str
    js: str
    vega: str


@dataclass(frozen=True, kw_only=True)
class Page:
    """One page. Rows that were withdrawn are not among `rows`."""

    kind: str
    """`run`, `pr` or `index`."""
    title: str
    lead: str
    rows: Sequence[Flat]
    """Every version; charts and table show the newest of each series."""
    facts: Mapping[str, Any]
    banners: Sequence[str] = ()
    entries: Sequence[Entry] = ()
    """Every planned point, of a run."""
    compared: Compared | None = None
    """What changed; None where nothing was compared."""
    marks: Sequence[Mark] = ()
    pictures: Sequence[bytes] = field(default_factory=tuple)
    """Charts as SVG, for readers without scripts."""
    chinese: Mapping[str, str] = field(default_factory=dict)
    """Sentences of this page alone, and their Chinese."""

    @property
    def words(self) -> Mapping[str, str]:
        return {**CHINESE, **self.chinese}


def page(frame: Frame, shown: Page) -> str:
    """The whole document."""
    return Template(frame.template).substitute(
        title=escape(shown.title),
        title_word=_said(shown.title, shown.words),
        lead=escape(shown.lead),
        lead_word=_said(shown.lead, shown.words),
        css=frame.css,
        js=frame.js,
        vega=frame.vega,
        banners="\n".join(_banners(shown)),
        comparison=_comparison(shown),
        pictures="\n".join(map(_picture, shown.pictures)),
        points=_points(shown.entries),
        provenance="\n".join(_provenance(shown.facts)),
        words=_json(shown.words),
        specs=_json(_specs()),
        data=pack.packed(document(shown)),
    )


def document(shown: Page) -> dict[str, Any]:
    """What the script of the page reads."""
    newest = latest(shown.rows)
    edges = {
        chart.name: [newest[at] for at in spec.edges(chart, [shown.rows[at] for at in newest])]
        for chart in spec.CHARTS
    }
    columns = {name: pack.column([getattr(one, name) for one in shown.rows]) for name in SHOWN}
    marks = [{"at": one.at, "text": one.text, "link": one.link, "keys": one.keys} for one in shown.marks]
    return {
        "kind": shown.kind,
        "count": len(shown.rows),
        "newest": newest,
        "edges": edges,
        "shown": columns,
        "marks": marks,
        **pack.columns(shown.rows),
    }


def latest(rows: Sequence[Flat]) -> list[int]:
    """Positions of the newest row of each series; two with nothing to tell their order are both shown."""
    best: dict[str, tuple[float, float]] = {}
    for one in rows:
        if one.current:
            best[one.series] = max(best.get(one.series, (0, 0)), _age(one))
    return [at for at, one in enumerate(rows) if one.current and _age(one) == best[one.series]]


def _age(one: Flat) -> tuple[float, float]:
    return (one.published, one.measured or 0)


def _specs() -> dict[str, Any]:
    charts = [
        {"name": one.name, "x": one.x, "y": one.y, "spec": spec.specification(one)} for one in spec.CHARTS
    ]
    return {
        "charts": charts,
        "titles": spec.TITLES,
        "colours": spec.COLOURS,
        "history": spec.history(),
        "scores": spec.scores(),
    }


def _json(value: Any) -> str:
    """JSON that cannot end the script element it stands in."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _banners(shown: Page) -> Iterable[str]:
    simulated = sum(one.simulated for one in shown.rows)
    own = [SIMULATED if simulated == len(shown.rows) else PARTLY] if simulated else []
    for line in (*own, *shown.banners):
        yield f'<p class="banner" role="note"{_said(line, shown.words)}>{escape(line)}</p>'


def _said(text: str, words: Mapping[str, str] = CHINESE) -> str:
    """Marks a text that the page can say in Chinese too."""
    return f' data-t="{escape(text)}"' if text in words else ""


def _word(tag: str, text: str, more: str = "") -> str:
    return f"<{tag}{more}{_said(text)}>{escape(text)}</{tag}>"


def _picture(svg: bytes) -> str:
    data = base64.b64encode(svg).decode()
    return f'<figure><img alt="chart" src="data:image/svg+xml;base64,{data}"></figure>'


def _comparison(shown: Page) -> str:
    """What changed, worst first, and all that did not behind a fold."""
    compared = shown.compared
    if compared is None:
        return ""
    found = sorted((*compared.curves, *compared.points), key=_rank)
    called = [one for one in found if one.verdict in CALLED]
    rest = [one for one in found if one.verdict not in CALLED]
    parts = [
        _word("h2", "Compared with main"),
        f'<p class="lead"{_said(compared.scope, shown.words)}>{escape(compared.scope)}</p>',
    ]
    if found:
        parts.append(f'<p id="verdicts">{_counted(found)}</p>')
    if called:
        parts.append(_verdicts("changed", called))
    if rest:
        summary = _word("summary", "Everything that did not change, or of which nobody can tell")
        parts.append(f"<details>{summary}{_verdicts('unchanged', rest)}</details>")
    return "".join(parts)


def _rank(one: Finding) -> tuple[int, float]:
    """Worse before better, the larger change first; equal ones, and what did not change, as they came."""
    rank = {Change.WORSE: 0, Change.BETTER: 1}.get(one.verdict, 2)
    return rank, -round(abs(one.change), 3) if rank < 2 else 0


def _counted(found: Sequence[Finding]) -> str:
    counts = Counter(one.verdict for one in found)
    return " · ".join(
        f'<b class="{one}">{counts[one]} {_word("span", one.replace("-", " "))}</b>'
        for one in Change
        if counts[one]
    )


def _verdicts(name: str, found: Sequence[Finding]) -> str:
    heads = ("point", "number", "change", "verdict", "95 % interval", "main", "new")
    head = "".join(_word("th", one, ' scope="col"') for one in heads)
    lines = "".join(f"<tr>{''.join(_finding(one))}</tr>" for one in found)
    table = f'<table id="{name}"><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>'
    return f'<div class="scroll">{table}</div>'


def _finding(one: Finding) -> Iterable[str]:
    interval = f"{one.low:+.1%} … {one.high:+.1%}" if one.high < 10 else EMPTY
    yield f"<td>{escape(one.name)}</td>{_word('td', one.measure)}"
    yield f'<td class="n">{one.change:+.1%}</td>'
    yield _word("td", one.verdict.replace("-", " "), f' class="{one.verdict}"')
    yield f'<td class="n">{interval}</td>'
    for value in (one.old, one.new):
        yield f'<td class="n">{EMPTY if value is None else digits(value)}</td>'


def digits(value: float) -> str:
    """At least four digits of a number: `1,234.5`, `0.03210`."""
    return f"{value:,.1f}" if value >= 999.95 else f"{value:#.4g}"


def _points(entries: Sequence[Entry]) -> str:
    """Every planned point with its state, whether it was measured or not."""
    if not entries:
        return ""
    heads = ("point", "state", "attempt", "node", "commit", "notes")
    head = "".join(_word("th", name, ' scope="col"') for name in heads)
    keys = dict.fromkeys(entry.key for entry in entries)
    lines = []
    for key in keys:
        span = f'class="key" colspan="{len(heads)}" scope="rowgroup"'
        lines.append(f"<tr><th {span}><code>{escape(key)}</code></th></tr>")
        lines += [_point(entry) for entry in entries if entry.key == key]
    table = f'<table id="points"><thead><tr>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table>'
    return f'{_word("h2", "Points")}<div class="scroll">{table}</div>'


def _point(entry: Entry) -> str:
    cells = [
        f"<td>{escape(entry.title)}</td>",
        f'<td class="{entry.state}">{escape(entry.text)}</td>',
        f'<td class="n">{entry.attempt if entry.attempt is not None else EMPTY}</td>',
        f"<td>{escape(entry.node) or EMPTY}</td>",
        f"<td><code>{escape(entry.sha[:7]) or EMPTY}</code></td>",
        f'<td class="note">{escape("; ".join(entry.notes))}</td>',
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _provenance(facts: Mapping[str, Any]) -> Iterable[str]:
    for name, value in facts.items():
        yield f"{_word('dt', name)}<dd>{_linked(str(value))}</dd>"


def _linked(text: str) -> str:
    """An address as a link, every other text as it is."""
    if not re.fullmatch(r"https://[\w.:-]+(/[\w./#?=&%-]*)?", text):
        return escape(text) or EMPTY
    return f'<a href="{escape(text)}" rel="noreferrer">{escape(text)}</a>'
