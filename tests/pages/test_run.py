"""The page of one run in Chromium, with scripts and without."""

from pathlib import Path
from typing import Any

import pytest

from infx import press
from infx.flat import Flat, flat
from infx.record import Outcome
from infx.results.against import against
from infx.results.tally import Facts, ledger
from tests import builders as build
from tests.pages.drive import NARROW, OVERLAPS, SIDEWAYS, WIDE, drive, told
from tests.shelving import publication

pytestmark = pytest.mark.chromium


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    points = [build.point(conc) for conc in (1, 4, 16, 64)]
    score = build.point(64, task="gsm8k")
    plan = build.plan(*points, score)
    records = [build.record(one, result=build.published_row(one.concurrencies[0])) for one in points[:3]]
    records += [build.record(points[3], Outcome.FAILURE, reason="engine-died"), build.record(score)]
    done = ledger(plan, records, Facts(run_id=build.RUN, attempt=2))
    path = tmp_path_factory.mktemp("run") / "index.html"
    shown = press.of_run(plan, done, address="https://github.test/octo/bench/actions/runs/500")
    press.write(path, shown, {"HOME": str(Path.home())})
    return path.as_uri()


CONCS = (1, 4, 16, 64)


def rows(merge: int, factor: float, **fields: Any) -> list[Flat]:
    return [
        flat(
            publication(
                conc,
                merge,
                row={
                    "tput_per_gpu": 1000 * conc**0.5 * factor,
                    "median_e2el": conc / 10 / factor,
                    "median_intvty": 100 / conc**0.3,
                    "median_ttft": 0.01 * conc,
                    "request_error": {"tput": 0.002, "ttft": 0.3, "intvty": 0.004, "e2el": 0.003},
                    **fields,
                },
            )
        )
        for conc in CONCS
    ]


@pytest.fixture(scope="module")
def pull(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a pull request published, beside main: 15 % less throughput."""
    path = tmp_path_factory.mktemp("pull") / "index.html"
    new = rows(1, 0.85)
    press.write(path, press.of_pull(8, new, compared=against(new, rows(0, 1.0))), {"HOME": str(Path.home())})
    return path.as_uri()


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Rows that hold a throughput and nothing else."""
    path = tmp_path_factory.mktemp("bare") / "index.html"
    nothing: dict[str, Any] = dict.fromkeys(("median_e2el", "median_intvty", "median_ttft", "request_error"))
    press.write(path, press.of_all(rows(0, 1.0, **nothing), marks=[]), {"HOME": str(Path.home())})
    return path.as_uri()


def text(selector: str) -> tuple[str, str]:
    return ("see", f"document.querySelector({selector!r}).innerText")


def test_a_stranger_learns_what_ran_where_when_on_which_commit_and_what_is_missing(page: str) -> None:
    title, lead, banner, points, facts, rows = drive(
        ("goto", page),
        text("h1"),
        text(".lead"),
        text(".banner"),
        text("#points"),
        text("body > dl"),
        text("#rows"),
    )
    assert title == "Run 500 of octo/bench"
    assert lead == "3 of 4 points valid · 1 of 1 evals valid · commit adc40a2 · attempt 2"
    assert banner == "Incomplete: 1 of 5 planned points has no valid result."
    assert "C64\tinvalid(engine-died)\t1\th200-dgxc_03\tadc40a2" in points
    for fact in (
        "octo/bench",
        "#7",
        build.HEAD,
        build.BASE,
        "lmsysorg/sglang:v0.5.16",
        "runs/500",
        "2026-09-21 11:26 UTC",
    ):
        assert fact in facts
    assert "2026-09-21" in rows


def test_evals_have_a_view_of_their_own(page: str) -> None:
    scores, bars = drive(
        ("goto", f"{page}#view=accuracy"),
        text("#rows"),
        ("see", "document.querySelectorAll('#scores .mark-rect path').length"),
    )
    assert "97.57 %\t90.0 %" in scores
    assert bars >= 1


def test_without_scripts_there_are_pictures_and_every_point(page: str) -> None:
    seen = told(
        ("open", {"javaScriptEnabled": False}),
        ("visit", page),
        ("see", "[...document.querySelectorAll('noscript img')].map((one) => one.naturalWidth > 100)"),
        text("#points"),
        ("see", "document.querySelector('#app').hidden"),
    )
    pictures, points, hidden = seen["answers"]
    assert pictures == [True, True, True]
    assert "invalid(engine-died)" in points
    assert hidden


def test_what_changed_beside_main_comes_first_in_both_languages(pull: str) -> None:
    english, chinese = (
        drive(
            ("goto", f"{pull}#lang={lang}"),
            *(text("h1"), text(".lead"), text("#verdicts"), text("#changed"), text("summary")),
            ("see", "document.querySelectorAll('#unchanged tbody tr').length"),
        )
        for lang in ("en", "zh")
    )
    assert english[:3] == [
        "Pull request #8",
        "4 published rows of 1 curve",
        "9 worse · 4 same · 4 cannot tell",
    ]
    assert chinese[:3] == ["拉取请求 #8", "1 条曲线的 4 行数据", "9 变差 · 4 不变 · 4 无法判断"]
    assert english[3].count("-15.0%") == 4
    assert "前沿下面积" in chinese[3]
    assert (english[4][:10], english[5]) == ("Everything", 8)


def test_how_sure_a_run_is_stands_beside_its_throughput(pull: str) -> None:
    heads, first, told = drive(
        ("goto", pull),
        ("see", "[...document.querySelectorAll('#rows th button')].map((one) => one.textContent)"),
        ("see", "[...document.querySelector('#rows tbody tr').cells].map((one) => one.textContent)"),
        text("#doubt"),
    )
    assert heads[3:5] == ["tok/s/GPU", "±"]
    assert first[3:5] == ["850.0", "0.4 %"]
    assert told.startswith("± is how far")


def test_rows_without_latencies_say_that_there_is_nothing_to_draw(bare: str) -> None:
    said, hint, legend, row = drive(
        ("goto", bare),
        text("#none"),
        ("see", "document.querySelector('#read').hidden"),
        ("see", "document.querySelector('#legend').hidden"),
        text("#rows tbody tr"),
    )
    assert said == "These rows have no latency and no energy: there is nothing to draw."
    assert (hint, legend) == (True, True)
    assert "1,000.0" in row


WHOLE = (
    "see",
    "[...document.querySelectorAll('#charts svg')].filter((svg) => { const box = svg.getBoundingClientRect();"
    " return svg.querySelector('[clip-path]') || [...svg.querySelectorAll('.mark-symbol path')].some((dot) =>"
    " { const one = dot.getBoundingClientRect(); return one.left < box.left || one.right > box.right"
    " || one.top < box.top || one.bottom > box.bottom; }); }).length",
)
"""Charts in which a dot is cut."""


@pytest.mark.parametrize("window", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("look", ["lang=en", "lang=zh&theme=dark"])
def test_no_dot_and_no_word_is_cut(pull: str, page: str, window: dict[str, int], look: str) -> None:
    for address in (pull, page):
        cut, overlaps, sideways = drive(("goto", f"{address}#{look}"), WHOLE, OVERLAPS, SIDEWAYS, **window)
        assert (cut, overlaps) == (0, [])
        assert sideways <= 0
