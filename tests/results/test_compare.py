"""Three real runs of an H200 are no change, and what counts as one."""

import math
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.compared import CALLED, Change, Finding
from infx.results import area
from infx.results.compare import Pair, Terms, Value, compare, threshold
from infx.results.spread import FLOOR, Between, between, chance, normal, student

H200 = {
    1: (188.6, 195.1, 192.7),
    4: (676.5, 690.7, 685.9),
    16: (1844.0, 1891.0, 1884.0),
    64: (3247.0, 3272.0, 3297.0),
    256: (3806.0, 3817.0, 3875.0),
}
"""Output tokens a second of three real runs: 7 B dense bf16, one H200, vLLM, 1,024 tokens in and 128 out."""


Runs = list[dict[int, float]]


def values(runs: Runs, conc: int) -> list[Value]:
    return [Value(value=run[conc]) for run in runs]


def verdicts(new: Runs, old: Runs) -> list[Finding]:
    spread = between([[run[conc] for run in side] for side in (new, old) for conc in new[0]])
    return compare(
        [
            Pair(name=str(conc), new=values(new, conc), old=values(old, conc), between=spread)
            for conc in new[0]
        ]
    )


def h200(*runs: int) -> Runs:
    return [{conc: rates[run] for conc, rates in H200.items()} for run in runs]


@pytest.mark.parametrize("pair", [*combinations(range(3), 2)], ids=str)
def test_three_real_runs_raise_no_flag_at_any_level(pair: tuple[int, int]) -> None:
    one, other = pair
    third = ({0, 1, 2} - {one, other}).pop()
    for new, old in ((h200(one), h200(other)), (h200(one, other), h200(third)), (h200(third), h200(*pair))):
        assert not [found for found in verdicts(new, old) if found.verdict in CALLED]
        assert not [found for found in verdicts(old, new) if found.verdict in CALLED]


def test_the_frontier_of_three_real_runs_has_not_moved() -> None:
    assert {frontier_change(one, other).verdict for one, other in combinations(range(3), 2)} <= {
        Change.SAME,
        Change.CANNOT_TELL,
    }


def frontier_change(new: int, old: int) -> Finding:
    curves = [
        area.Curve(
            latency=[conc * 128 / rates[run] for conc, rates in H200.items()],
            throughput=[rates[run] for rates in H200.values()],
        )
        for run in (new, old)
    ]
    found = area.change("h200", *curves, between=Between(sd=FLOOR))
    assert found is not None
    return found


def pair(now: float, before: float, **fields: Any) -> Pair:
    usual = {
        "name": "C4",
        "between": Between(sd=FLOOR),
        "new": [Value(value=now)],
        "old": [Value(value=before)],
    }
    return Pair(**{**usual, **fields})


@pytest.mark.parametrize(
    ("new", "old", "high", "verdict"),
    [
        (110, 100, True, Change.BETTER),
        (110, 100, False, Change.WORSE),
        (90, 100, True, Change.WORSE),
        (100, 100, True, Change.SAME),
        (103, 100, True, Change.CANNOT_TELL),
    ],
)
def test_verdicts_of_a_single_run_on_each_side(new: float, old: float, high: bool, verdict: Change) -> None:
    (found,) = compare([pair(new, old, high=high)])
    assert found.verdict == verdict
    assert found.low < found.change < found.high


def test_a_small_change_that_is_sure_is_still_too_small() -> None:
    sure = Between(sd=0.0001, freedom=20)
    assert compare([pair(101, 100, between=sure)])[0].verdict == Change.SAME
    assert compare([pair(103, 100, between=sure)])[0].verdict == Change.BETTER


def test_where_nobody_knows_the_spread_nobody_can_tell() -> None:
    (found,) = compare([pair(200, 100, between=None)])
    assert (found.verdict, found.low, found.high) == (Change.CANNOT_TELL, -1.0, math.inf)


def test_the_doubt_of_the_requests_widens_the_interval() -> None:
    spread = Between(sd=0.01)
    sure, unsure = (
        compare([pair(1, 1, new=[Value(value=1, error=error)], between=spread)])[0] for error in (0.0, 0.05)
    )
    assert unsure.high > 2 * sure.high


def test_many_points_need_more_proof() -> None:
    one, quiet = pair(95, 100), pair(100, 100)
    assert compare([one])[0].verdict == Change.WORSE
    assert compare([one, *[quiet] * 9])[0].verdict == Change.CANNOT_TELL


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_only_finite_positive_values_are_compared(bad: float) -> None:
    with pytest.raises(ValueError, match="finite and positive"):
        compare([pair(bad, 100)])


def test_benjamini_and_hochberg() -> None:
    assert threshold([0.01, 0.04, 0.03, 0.5], 0.05) == 0.01
    assert threshold([0.01, 0.02, 0.03, 0.5], 0.05) == 0.03
    assert threshold([0.9, 0.8], 0.05) < 0
    assert threshold([], 0.05) < 0


def test_history_is_believed_from_five_runs_on() -> None:
    assert between([[100, 101, 102]]) == Between(sd=FLOOR)
    known = between([[100, 101, 99, 100, 102]])
    assert known is not None
    assert (known.freedom, round(known.sd, 4)) == (4, 0.0113)
    assert between([[100, 90]]).sd > FLOOR  # type: ignore[union-attr]
    assert between([[100]], floor=None) is None


@given(st.floats(-30, 30), st.sampled_from([1.0, 4.0, 20.0, math.inf]))
def test_student_and_normal_are_each_others_inverse(t: float, freedom: float) -> None:
    assert student(normal(t, freedom), freedom) == pytest.approx(t, abs=1e-6)
    assert chance(t, freedom) == chance(-t, freedom)


@pytest.mark.parametrize(("freedom", "t"), [(4, 2.776), (10, 2.228), (math.inf, 1.960)])
def test_the_textbook_s_quantiles(freedom: float, t: float) -> None:
    assert chance(t, freedom) == pytest.approx(0.05, rel=0.02)


def curve(factor: float, runs: int = 3) -> area.Curve:
    return area.Curve(
        latency=[1 / factor, 2 / factor, 4 / factor],
        throughput=[100 * factor, 180 * factor, 250 * factor],
        runs=runs,
    )


@pytest.mark.parametrize(
    ("factor", "verdict"), [(1.0, Change.SAME), (0.93, Change.WORSE), (1.08, Change.BETTER)]
)
def test_the_area_below_a_frontier_moves_with_it(factor: float, verdict: Change) -> None:
    found = area.change("c", curve(factor), curve(1.0), between=Between(sd=0.01))
    assert found is not None
    assert found.verdict == verdict
    assert found.low <= found.change <= found.high
    assert found == area.change("c", curve(factor), curve(1.0), between=Between(sd=0.01))


def test_a_beaten_point_adds_no_area() -> None:
    more = area.Curve(latency=[1, 2, 4, 3], throughput=[100, 180, 250, 90], runs=3)
    found = area.change("c", more, curve(1.0), between=Between(sd=0.01), terms=Terms())
    assert found is not None
    assert found.change == pytest.approx(0)


def test_without_a_common_latency_there_is_no_area() -> None:
    nothing: Callable[..., area.Curve] = area.Curve
    assert area.change("c", nothing(latency=[], throughput=[]), curve(1), between=Between(sd=0.01)) is None


def test_runs_that_all_gave_the_same_value_can_be_compared() -> None:
    spread = between([[100.0] * 6])
    same, more = compare([pair(100, 100, between=spread), pair(110, 100, between=spread)])
    assert (same.verdict, more.verdict) == (Change.SAME, Change.BETTER)


def test_a_value_beyond_all_others_is_no_reason_to_stop() -> None:
    (found,) = compare([pair(1e308, 1e-300, between=between([]))])
    assert (found.verdict, found.change) == (Change.BETTER, math.inf)
