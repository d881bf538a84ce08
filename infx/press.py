"""Press: pages are put together from their parts, and written with pictures of their charts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from infx.compared import Compared
from infx.edge import files, vega
from infx.edge.git import Git
from infx.flat import Flat
from infx.ledger import Ledger
from infx.plan import Plan
from infx.read.dated import dated
from infx.results import about, page, spec
from infx.results.page import Frame, Mark, Page
from infx.results.table import day
from infx.say.words import plural

PARTS = Path(page.__file__).parent
PICTURED = 500
"""Most rows of which a page holds pictures for readers without scripts."""


def frame(env: Mapping[str, str]) -> Frame:
    """Template, style and scripts."""
    template, css, js = (files.read_text(PARTS / f"page.{kind}") for kind in ("html", "css", "js"))
    return Frame(template=template, css=css, js=js, vega=vega.scripts(env))


def of_run(plan: Plan, ledger: Ledger, *, address: str) -> Page:
    """The page of one run."""
    rows, problems = about.rows(plan, ledger)
    title, lead = about.title(plan, ledger), about.lead(ledger)
    banners = about.banners(plan, ledger)
    return Page(
        kind="run",
        title=title[0],
        lead=lead[0],
        rows=rows,
        facts=about.facts(plan, ledger, address),
        banners=(*(english for english, _ in banners), *left_out(problems)),
        entries=ledger.entries,
        chinese=dict((title, lead, *banners)),
    )


def set_beside(shown: Page, found: Compared) -> Page:
    """The page with the verdicts on its points and curves."""
    verb = "is" if found.fresh == 1 else "are"
    fresh = f" {plural(found.fresh, 'point')} {verb} new." if found.fresh else ""
    chinese = f"{found.chinese}{f'有 {found.fresh} 个新测试点。' if found.fresh else ''}"
    scope = found.scope + fresh
    return replace(shown, compared=replace(found, scope=scope), chinese={**shown.chinese, scope: chinese})


def of_pull(number: int, rows: Sequence[Flat], *, compared: Compared) -> Page:
    """The page of what one pull request published."""
    title, lead = f"Pull request #{number}", _counted(rows, "published row")
    shown = Page(
        kind="pr",
        title=title,
        lead=lead[0],
        rows=rows,
        facts={
            "Runs": about.some(one.run for one in rows),
            "Commits": about.some(one.sha for one in rows),
            "Merge commits": about.some(one.merge for one in rows),
            "Measured": about.period(one.measured for one in rows if one.measured),
            "Published": about.period(one.published for one in rows if one.published),
            "Hardware": about.some(one.hw for one in rows),
            "Images": about.some(one.image for one in rows),
            "Nodes": about.some(one.node for one in rows),
        },
        chinese=dict(((title, f"拉取请求 #{number}"), lead)),
    )
    return set_beside(shown, compared)


def of_all(rows: Sequence[Flat], *, marks: Sequence[Mark]) -> Page:
    """The page of everything published."""
    newest = day(max((one.published for one in rows), default=0.0))
    english, chinese = _counted(rows)
    lead = (f"{english}, the newest of {newest}", f"{chinese}，最新 {newest}")
    return Page(
        kind="index",
        title="Published results",
        lead=lead[0],
        rows=rows,
        facts={
            "Models": about.some(one.model for one in rows),
            "Hardware": about.some(one.hw for one in rows),
            "Measured": about.period(one.measured for one in rows if one.measured),
            "Runs": len({one.run for one in rows}),
            "Merge commits": len({one.merge for one in rows}),
        },
        banners=conflicts(rows),
        marks=marks,
        chinese=dict((lead,)),
    )


def _counted(rows: Sequence[Flat], word: str = "row") -> about.Said:
    curves = len({one.curve for one in rows})
    return (
        f"{plural(len(rows), word)} of {plural(curves, 'curve')}",
        f"{curves:,} 条曲线的 {len(rows):,} 行数据",
    )


def conflicts(rows: Sequence[Flat]) -> list[str]:
    """Points with several values and nothing that tells which is newer: all of them are shown."""
    newest = Counter(rows[at].series for at in page.latest(rows))
    doubled = {series: count for series, count in newest.items() if count > 1}
    names = sorted({f"{one.title} · {one.curve}" for one in rows if one.series in doubled})
    if not names:
        return []
    told = "; ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return [f"Several values, and nothing tells which is newer, so all are shown: {told}."]


def left_out(problems: Sequence[str]) -> list[str]:
    """What could not be read, named."""
    if not problems:
        return []
    told = "; ".join(problems[:5]) + (f" and {len(problems) - 5} more" if len(problems) > 5 else "")
    return [f"{plural(len(problems), 'row')} could not be read: {told}."]


def marks(git: Git, path: str) -> list[Mark]:
    """Entries of the changelog at HEAD, dated by the commit that added their first line."""
    done = git.attempt("blame", "--porcelain", "HEAD", "--", path)
    if done.code != 0:
        return []
    return [
        Mark(at=at, text=" ".join(entry.description), link=entry.pr_link, keys=entry.config_keys)
        for at, entry in dated(done.text, where=path)
    ]


def pictures(folder: Path, rows: Sequence[Flat], *, kind: str) -> None:
    """Each chart as a file of its own."""
    for name, spec_ in charts(rows).items():
        files.write_bytes(folder / f"{name}.{kind}", vega.picture(spec_, kind=kind))


def charts(rows: Sequence[Flat]) -> dict[str, vega.Picture]:
    """Name → chart with its data; those that have no point are left out."""
    newest = [rows[at] for at in page.latest(rows)]
    made = {one.name: spec.drawn(one, newest) for one in spec.CHARTS}
    return {name: one for name, one in made.items() if one["data"]["values"]}


def write(path: Path, shown: Page, env: Mapping[str, str]) -> None:
    """The page as one file; a small one with pictures too, for readers without scripts."""
    pictured = charts(shown.rows).values() if len(shown.rows) <= PICTURED else ()
    drawn = tuple(vega.picture(one, kind="svg") for one in pictured)
    files.write_text(path, page.page(frame(env), replace(shown, pictures=drawn)))
