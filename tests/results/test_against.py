"""Rows of a change beside what stands on main."""

import math
from dataclasses import replace
from typing import Any

import pytest

from infx import press
from infx.compared import Change, Compared, Finding
from infx.flat import Flat, flat
from infx.results.against import against, repeats
from infx.results.page import Page, page
from infx.say import comparison
from tests.results.test_compare import H200
from tests.results.test_page import FRAME
from tests.shelving import publication

CONCS = (4, 16, 64)


def rows(merge: int, factor: float = 1.0, **fields: Any) -> list[Flat]:
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


def of(found: Compared, measure: str = "tok/s/GPU") -> list[Finding]:
    return [one for one in found.points if one.measure == measure]


def test_a_single_run_on_each_side_uses_the_assumed_spread() -> None:
    found = against(rows(1, 1.1), rows(0))
    assert {one.verdict for one in of(found)} == {Change.BETTER}
    assert [one.change for one in of(found)] == pytest.approx([0.1] * 3)
    assert "Beside run 500 on main. The throughput of runs differs by 1.5% (assumed)" in found.scope


def test_every_judged_number_has_a_verdict_of_its_own() -> None:
    power: dict[str, Any] = {"power_valid": 1, "joules_per_output_token": 0.5}
    found = against(rows(1, **power), rows(0, **power))
    first = [one for one in found.points if one.name == found.points[0].name]
    assert [one.measure for one in first] == ["tok/s/GPU", "tok/s/user", "TTFT s", "latency s", "J/token"]
    assert [first[-1].new, first[-1].old] == pytest.approx([0.5, 0.5])


SURE = {"tput": 0.002, "intvty": 0.002, "ttft": 0.002, "e2el": 0.002}


@pytest.mark.parametrize(("errors", "verdict"), [(None, Change.CANNOT_TELL), (SURE, Change.WORSE)])
def test_a_median_is_judged_only_where_its_requests_are_known(errors: object, verdict: Change) -> None:
    fields: dict[str, Any] = {} if errors is None else {"request_error": errors}
    found = against(rows(1, 0.85, **fields), rows(0, **fields))
    assert {one.verdict for one in of(found, "latency s")} == {verdict}
    assert {one.verdict for one in of(found)} == {Change.WORSE}


def test_requests_in_two_groups_let_nobody_tell() -> None:
    unsure: dict[str, Any] = {"request_error": {**SURE, "e2el": 0.26}}
    found = against(rows(1, 0.8, **unsure), rows(0, **unsure))
    assert {one.verdict for one in of(found, "latency s")} == {Change.CANNOT_TELL}


def test_repeated_runs_tell_of_medians_too() -> None:
    past = [one for turn in range(6) for one in rows(turn, 1 + 0.001 * turn)]
    found = against(rows(7, 0.9), past)
    assert {one.verdict for one in of(found, "latency s")} == {Change.WORSE}


@pytest.mark.parametrize("error", [-1, "much", True, None, [0.1], {"tput": 1}, 1e300])
def test_odd_doubt_is_no_reason_to_stop(error: object) -> None:
    odd: dict[str, Any] = {"request_error": {"tput": error, "e2el": error}}
    assert len(of(against(rows(1, **odd), rows(0, request_error=error)))) == 3


def h200(*runs: int) -> list[Flat]:
    """Real runs of one H200, as rows: throughput, and the latency that goes with it in a closed loop."""
    return [
        flat(
            publication(
                conc,
                run,
                row={"tput_per_gpu": 9 * rates[run], "median_e2el": conc * 128 / rates[run], **ALIKE},
            )
        )
        for run in runs
        for conc, rates in H200.items()
    ]


ALIKE: dict[str, Any] = {"request_error": SURE}


@pytest.mark.parametrize("one", range(3))
def test_three_real_runs_raise_no_flag_at_any_level(one: int) -> None:
    """As every single run beside every other, and as one beside two and two beside one."""
    others = [run for run in range(3) if run != one]
    sides = [([one], [other]) for other in others] + [([one], others), (others, [one])]
    for new, old in sides:
        found = against(h200(*new), h200(*old))
        assert len(of(found)) == len(H200)
        assert {one.verdict for one in (*found.points, *found.curves)} <= {Change.SAME, Change.CANNOT_TELL}


def test_history_narrows_the_interval() -> None:
    past = [
        one
        for turn, factor in enumerate((1.0, 1.001, 0.999, 1.002, 0.998, 1.0))
        for one in rows(turn, factor)
    ]
    once, often = against(rows(7, 1.03), rows(0)), against(rows(7, 1.03), past)
    assert {one.verdict for one in of(once)} == {Change.CANNOT_TELL}
    assert {one.verdict for one in of(often)} == {Change.BETTER}
    assert "seen in repeated runs" in often.scope
    assert "runs 505, 504, 503 and 3 more" in often.scope


def test_another_image_is_no_repetition_of_the_newest() -> None:
    old, new = rows(0, 2.0, image="old:v1"), rows(1)
    assert repeats([old[0], new[0]]) == [new[0]]
    assert {one.verdict for one in of(against(rows(2), [*old, *new]))} == {Change.SAME}


def test_the_frontier_of_a_curve_has_a_verdict_of_its_own() -> None:
    (curve,) = against(rows(1, 0.85), rows(0)).curves
    assert curve.verdict == Change.WORSE
    assert curve.low < curve.change < curve.high < 0


def test_points_that_main_never_measured_are_counted() -> None:
    found = against(rows(1), [one for one in rows(0) if one.conc != 64])
    assert (len(of(found)), found.fresh) == (2, 1)
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
    assert ">Pull request #8</h1>" in text
    changed, unchanged = text.split("<details>")
    assert changed.count('<td class="worse"') == 4
    assert unchanged.count('<td class="worse"') == 0
    assert ">area below the frontier</td>" in changed
    assert "Beside run 500 on main" in text
    assert '<b class="worse">4 <span data-t="worse">worse</span></b>' in text


def test_the_table_for_a_comment_is_short_and_harmless() -> None:
    told = comparison.lines(against(rows(1, 0.9), rows(0)))
    assert told[0] == "**Compared with main**: 4 worse and 9 cannot tell of 13 numbers."
    assert told[4].startswith("| qwen3.5 h200-dgxc")
    assert any(one.startswith("| C4 · TP8 EP8 · qwen3.5 h200-dgxc") for one in told)
    assert told[5].endswith("| -10.0 % | -13.7 % … -6.2 % | **worse** |")
    evil = flat(publication(4, 1, title="C4 | @mia `x` <b>", row={"tput_per_gpu": 1.0}))
    (line,) = [one for one in comparison.lines(against([evil], rows(0))) if "C4" in one]
    assert line.startswith("| C4 mia x b · TP8 EP8 · ")
    assert comparison.text(Compared(points=(), curves=(), fresh=0, scope="")) == "nothing to compare"
    assert comparison.text(against(rows(1), rows(0))).endswith("of 13 numbers.")


def test_a_thousand_changes_are_counted_and_folded() -> None:
    one = of(against(rows(1, 0.9), rows(0)))[0]
    told = comparison.lines(Compared(points=(one,) * 1000, curves=(), fresh=0, scope=""))
    assert told[0] == "**Compared with main**: 1000 worse of 1,000 numbers."
    assert told[2] == "<details><summary>What changed</summary>"
    assert "… and 980 more: `infx report --ledger` of the run shows all." in told
    assert sum(map(len, told)) < 6000


def test_an_interval_nobody_knows_is_a_dash() -> None:
    found = against(rows(1), rows(0)).points[0]
    unknown = replace(found, low=-1.0, high=math.inf)
    compared = Compared(points=(unknown,), curves=(), fresh=0, scope="")
    assert ">–</td>" in page(
        FRAME, Page(kind="run", title="t", lead="l", rows=[], facts={}, compared=compared)
    )
