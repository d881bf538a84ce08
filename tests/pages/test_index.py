"""A stranger reads the index page in Chromium: what is shown, found, shared, and said in two languages."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.history.__main__ import measured
from benchmarks.history.changes import own
from benchmarks.history.made import beside, shown
from infx import press
from infx.results.page import PARTLY
from infx.results.words import CHINESE
from tests.pages.drive import NARROW, OVERLAPS, SIDEWAYS, WIDE, drive

pytestmark = pytest.mark.chromium


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """At least 2,000 rows over 20 curves, made by the simulator."""
    folder: Path = tmp_path_factory.mktemp("pages")
    made = shown(list(own()), least=2000)
    assert len(made.rows) >= 2000
    assert len({row.curve for row in made.rows}) == 20
    press.write(folder / "index.html", made, {"HOME": str(Path.home())})
    return (folder / "index.html").as_uri()


def cells(column: int) -> tuple[str, str]:
    code = f"[...document.querySelectorAll('#rows tbody tr')].map((row) => row.cells[{column}].textContent)"
    return ("see", code)


def text(selector: str) -> tuple[str, str]:
    return ("see", f"document.querySelector({selector!r})?.innerText ?? null")


CHARTS = (
    "see",
    "[...document.querySelectorAll('#charts figure')].filter((one) => !one.hidden)"
    ".map((one) => [one.getAttribute('aria-label'), one.querySelectorAll('.mark-symbol path').length])",
)
HASH = ("see", "location.hash")
FIELDS = (
    "see",
    "Object.fromEntries([...document.querySelectorAll('#fields dt')]"
    ".map((one) => [one.textContent, one.nextSibling.textContent]))",
)


def test_it_opens_and_says_what_it_is(page: str) -> None:
    title, banner, charts, count, lang = drive(
        ("goto", page),
        text("h1"),
        text(".banner"),
        CHARTS,
        text("#count"),
        ("see", "document.documentElement.lang"),
    )
    assert title == "Published results"
    assert banner.startswith("Simulated:")
    assert [label.split(":")[0] for label, _ in charts] == [
        "Throughput per GPU (tok/s) · Interactivity (tok/s per user, median)",
        "Throughput per GPU (tok/s) · End-to-end latency (s, median)",
        "Throughput per GPU (tok/s) · Time to first token (s, median)",
        "Energy per output token (J) · Interactivity (tok/s per user, median)",
    ]
    assert [dots for _, dots in charts] == [360, 360, 360, 270]
    assert (count, lang) == ("100 / 360", "en")


def test_a_filter_leaves_only_what_fits_and_stands_in_the_address(page: str) -> None:
    curves, count, address = drive(
        ("goto", page),
        ("choose", ["select[name=hardware]", "b300"]),
        ("settle", None),
        cells(0),
        text("#count"),
        HASH,
    )
    assert {curve.split()[1] for curve in curves} == {"b300"}
    assert (count, address) == ("90 / 90", "#hardware=b300")


def test_dates_limit_what_is_shown(page: str) -> None:
    (dates,) = drive(("goto", f"{page}#from=2026-04-01&to=2026-04-10"), cells(8))
    assert dates
    assert all("2026-04-01" <= date <= "2026-04-10" for date in dates)


def test_a_shared_link_shows_the_same_to_others(page: str) -> None:
    steps: list[tuple[str, Any]] = [
        ("goto", page),
        ("click", "#lang"),
        ("settle", None),
        ("click", "#theme"),
        ("settle", None),
    ]
    steps += [
        ("choose", ["select[name=precision]", "fp8"]),
        ("settle", None),
        ("click", "#rows tbody tr:nth-child(2)"),
    ]
    first = drive(*steps, HASH, text("#what"), cells(0))
    second = drive(("goto", page + first[0]), HASH, text("#what"), cells(0))
    assert first == second
    assert "lang=zh" in first[0]
    assert "theme=dark" in first[0]
    assert first[1].startswith("C1 · demo")


def test_pointing_at_a_dot_shows_the_whole_row_and_its_provenance(page: str) -> None:
    (fields,) = drive(("goto", page), ("hover", "#charts figure .mark-symbol path"), FIELDS)
    assert {
        "merge",
        "point",
        "run",
        "attempt",
        "sha",
        "node",
        "published",
        "fingerprint.recipe",
        "image",
    } <= set(fields)
    assert {"tput_per_gpu", "median_ttft", "p99_e2el", "hw", "conc", "tp", "client"} <= set(fields)
    assert fields["simulated"] == "true"
    assert len(fields["sha"]) == 40


def test_a_row_is_copied_as_json(page: str) -> None:
    steal = ("see", "void (navigator.clipboard.writeText = async (text) => { window.copied = text; })")
    copied = ("see", "window.copied")
    *_, text_, said = drive(
        ("goto", page),
        ("click", "#rows tbody tr"),
        steal,
        ("click", "#copy"),
        ("settle", None),
        copied,
        text("#copy"),
    )
    found = json.loads(text_)
    assert said == "Copied"
    assert set(found) == {"row", "provenance"}
    assert found["row"]["conc"] == 1
    assert found["provenance"]["fingerprint"]["shared"] == "0" * 64


def test_language_and_theme_change_everything_that_is_said(page: str) -> None:
    paper = ("see", "getComputedStyle(document.body).backgroundColor")
    axis = (
        "see",
        "[...document.querySelectorAll('#charts .role-axis-title text')].map((one) => one.textContent)",
    )
    heads = ("see", "[...document.querySelectorAll('#rows th button')].map((one) => one.textContent)")
    seen = drive(
        *(("goto", page), paper, ("click", "#lang"), ("settle", None), ("click", "#theme"), ("settle", None)),
        *(paper, axis, heads, text("h1"), text(".banner"), text("#tabs")),
        ("see", "document.documentElement.lang"),
    )
    light, dark, titles, columns, title, banner, tabs, lang = seen
    assert (light, dark) == ("rgb(255, 255, 255)", "rgb(13, 17, 23)")
    assert "每 GPU 吞吐量（词元/秒）" in titles
    assert not any(one.isascii() for one in titles)
    assert columns[:3] == ["曲线", "拓扑", "并发数"]
    assert (title, lang) == ("已发布结果", "zh")
    assert banner.startswith("模拟数据")
    assert tabs.split() == ["性能", "准确率", "历史"]


def test_the_table_sorts_both_ways_and_says_so(page: str) -> None:
    order = (
        "see",
        "document.querySelector('#rows th[aria-sort]:not([aria-sort=none])').getAttribute('aria-sort')",
    )
    by = "#rows button[data-sort='tok/s/GPU']"
    up, said_up, down, said_down = drive(
        ("goto", page), ("click", by), cells(3), order, ("click", by), cells(3), order
    )
    values = [[float(one.replace(",", "")) for one in side] for side in (up, down)]
    assert values == [sorted(values[0]), sorted(values[1], reverse=True)]
    assert (said_up, said_down) == ("ascending", "descending")


def test_everything_can_be_reached_without_a_mouse(page: str) -> None:
    what = text("#what")
    first, second, back, row, closed = drive(
        *(("goto", page), ("focus", "#charts figure")),
        *(("press", "ArrowRight"), what, ("press", "ArrowRight"), what, ("press", "ArrowLeft"), what),
        *(("focus", "#rows tbody tr:nth-child(3)"), ("press", "Enter"), what, ("press", "Escape"), what),
    )
    assert first == back != second
    assert row.startswith(("C1 · ", "C2 · "))
    assert closed == "Details"


def test_a_curve_can_be_hidden(page: str) -> None:
    pressed = ("see", "document.querySelector('#legend button').getAttribute('aria-pressed')")
    before, after, dots, address = drive(
        ("goto", page), pressed, ("click", "#legend button"), ("settle", None), pressed, CHARTS, HASH
    )
    assert (before, after) == ("true", "false")
    assert dots[0][1] == 342
    assert address.startswith("#hide=demo")


def test_history_shows_versions_and_changelog_entries(page: str) -> None:
    rules = ("see", "document.querySelectorAll('#lines .mark-rule.role-mark line').length")
    marks = (
        "see",
        "[...document.querySelectorAll('#marks tbody tr')].map((one) => one.innerText.split('\\t'))",
    )
    links = ("see", "document.querySelectorAll('#marks a[href^=https]').length")
    steps = [
        ("goto", f"{page}#view=history&curve=demo+b300+vllm+fp4+8k1k"),
        rules,
        marks,
        links,
        text("#count"),
    ]
    count, entries, linked, rows = drive(*steps)
    assert count == len(entries) == linked == 3
    assert [date for date, _, _ in entries] == ["2026-01-05", "2026-02-14", "2026-03-26"]
    assert entries[0][1:] == ["demo-fp4-b300-vllm", "Update vllm to v0.2"]
    assert rows == "100 / 162"


def test_accuracy_shows_scores_beside_thresholds(page: str) -> None:
    bars = ("see", "document.querySelectorAll('#scores .mark-rect path').length")
    seen = drive(
        ("goto", page), ("click", "#tabs button:nth-child(2)"), ("settle", None), bars, cells(4), cells(5)
    )
    assert seen[0] >= 20
    assert all(90 <= float(one.split()[0]) <= 100 for one in seen[1])
    assert set(seen[2]) == {"90.0 %"}


@pytest.mark.parametrize("view", ["performance", "accuracy", "history"])
@pytest.mark.parametrize("window", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nothing_overlaps_or_is_cut(page: str, view: str, window: dict[str, int], lang: str) -> None:
    overlaps, sideways = drive(("goto", f"{page}#view={view}&lang={lang}"), OVERLAPS, SIDEWAYS, **window)
    assert overlaps == []
    assert sideways <= 0


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_rows_of_a_real_machine_stand_beside_simulated_ones(tmp_path: Path, lang: str) -> None:
    real = measured()
    made = beside(shown(list(own())[:2], least=1), real)
    press.write(tmp_path / "index.html", made, {"HOME": str(Path.home())})
    address = (tmp_path / "index.html").as_uri()
    banner, charts, count, commits = drive(
        ("goto", f"{address}#model=dummy8b&scenario=1024_128&lang={lang}"),
        text(".banner"),
        CHARTS,
        text("#count"),
        cells(10),
    )
    assert banner == (CHINESE[PARTLY] if lang == "zh" else PARTLY)
    assert [dots for _, dots in charts] == [4, 4, 4, 4]
    assert (count, set(commits)) == ("4 / 4", {real[0].sha[:7]})
