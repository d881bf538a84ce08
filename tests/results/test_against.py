"""Rows of a change beside what stands on main."""

import math

import pytest

from infx import press
from infx.flat import Flat, flat
from infx.results import table
from infx.results.against import against, repeats
from infx.results.compare import Change
from infx.results.page import Page, page
from tests.results.test_page import FRAME
from tests.shelving import publication

CONCS = (4, 16, 64)


def rows(merge: int, factor: float = 1.0, **fields: object) -> list[Flat]:
    return [
        flat(
            publication(
                conc,
                merge,
                row={
                    "tput_per_gpu": 1000.0 * conc**0.5 * factor,
                    "median_e2el": conc / 10 / factor,
                    **fields,
                },
            )
        )
        for conc in CONCS
    ]


def test_a_single_run_on_each_side_uses_the_assumed_spread() -> None:
    found = against(rows(1, 1.1), rows(0))
    assert {one.verdict for one in found.points} == {Change.BETTER}
    assert [one.change for one in found.points] == pytest.approx([0.1] * 3)
    assert "against run 500 on main. Runs differ by 1.5% (assumed)" in found.scope


def test_history_narrows_the_interval() -> None:
    past = [
        one
        for turn, factor in enumerate((1.0, 1.001, 0.999, 1.002, 0.998, 1.0))
        for one in rows(turn, factor)
    ]
    once, often = against(rows(7, 1.03), rows(0)), against(rows(7, 1.03), past)
    assert {one.verdict for one in once.points} == {Change.CANNOT_TELL}
    assert {one.verdict for one in often.points} == {Change.BETTER}
    assert "seen in repeated runs" in often.scope
    assert "runs 505, 504, 503 and 3 more" in often.scope


def test_another_image_is_no_repetition_of_the_newest() -> None:
    old, new = rows(0, 2.0, image="old:v1"), rows(1)
    assert repeats([old[0], new[0]]) == [new[0]]
    assert {one.verdict for one in against(rows(2), [*old, *new]).points} == {Change.SAME}


def test_the_frontier_of_a_curve_has_a_verdict_of_its_own() -> None:
    (curve,) = against(rows(1, 0.85), rows(0)).curves
    assert curve.verdict == Change.WORSE
    assert curve.low < curve.change < curve.high < 0


def test_points_that_main_never_measured_are_counted() -> None:
    found = against(rows(1), [one for one in rows(0) if one.conc != 64])
    assert (len(found.points), found.fresh) == (2, 1)
    nothing = against(rows(1), [])
    assert (nothing.points, nothing.fresh, nothing.scope) == (
        (),
        3,
        "Main has measured none of these points.",
    )


def test_rows_without_a_throughput_are_left_out() -> None:
    found = against(rows(1, tput_per_gpu="fast"), rows(0, tput_per_gpu=-1.0))
    assert found.points == ()


def test_the_pull_request_s_page_says_what_changed() -> None:
    shown: Page = press.of_pull(8, rows(1, 0.9), compared=against(rows(1, 0.9), rows(0)))
    text = page(FRAME, shown)
    assert "<h1>Pull request #8</h1>" in text
    assert text.count('<td class="worse"') == 4
    assert "area: qwen3.5 h200-dgxc sglang fp8 agentic-coding mtp" in text
    assert "Throughput per GPU against run 500 on main" in text


def test_the_table_for_a_comment_is_short_and_harmless() -> None:
    found = against(rows(1, 0.9), rows(0)).points
    lines = table.markdown(found).splitlines()
    assert lines[0] == "3 worse."
    assert lines[4].startswith("| C4 · TP8 EP8 · qwen3.5 h200-dgxc")
    assert lines[4].endswith("| -10.0% | -13.7% … -6.2% | **worse** |")
    evil = flat(publication(4, 1, title="C4 | @mia `x` <b>", row={"tput_per_gpu": 1.0}))
    text = table.markdown(against([evil], rows(0)).points)
    assert r"C4 \| \@mia \`x\` \<b\>" in text
    assert table.markdown([]) == "nothing to compare"
    assert table.markdown(against(rows(1), rows(0)).points) == "3 same"


def test_an_interval_nobody_knows_is_a_dash() -> None:
    found = against(rows(1), rows(0)).points[0]
    unknown = type(found)(**{**vars(found), "low": -1.0, "high": math.inf})
    assert ">–</td>" in page(
        FRAME, Page(kind="run", title="t", lead="l", rows=[], facts={}, findings=[unknown])
    )
