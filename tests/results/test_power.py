"""Energy of recorded traces: what is right, and every reason why it is withheld."""

import json
import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.power import Package, Sample, Trace, Window, Withheld
from infx.results import power
from tests.builders import point, record, rules
from tests.traces import END, START, sample, samples, tokens, trace, window

LIMITS = rules().power


def reasons(of: Trace, at: Window | None = None) -> list[Withheld]:
    verdict = power.judge(of, at or window(), LIMITS)
    assert verdict.valid == (verdict.joules is not None) == (not verdict.reasons)
    return [reason for reason, _ in verdict.reasons]


def test_a_steady_load_is_watts_times_seconds() -> None:
    verdict = power.judge(trace(samples(), samples()), window(gpus=2), LIMITS)
    assert verdict.joules == pytest.approx(2 * 500 * 10)
    assert verdict.counter_joules == pytest.approx(2 * 500 * 10)


def test_edges_are_interpolated_and_idle_tails_do_not_count() -> None:
    """100 W before and after; the line between the two samples around an edge is what counts there."""
    idle = [sample(at, 100.0, joules=None) for at in (990.0, 998.0, 999.0, 1011.0, 1012.0, 1050.0)]
    ramp = trace([*idle, *(sample(1000.0 + step, 500.0, joules=None) for step in range(11))])
    assert power.judge(ramp, window(1000.0, 1010.0), LIMITS).joules == pytest.approx(5000)
    half = power.judge(ramp, window(999.5, 1010.0), LIMITS)
    assert half.joules == pytest.approx(5000 + 0.5 * (300 + 500) / 2)


@pytest.mark.parametrize(
    ("spoiled", "wanted"),
    [
        (trace([]), [Withheld.GPU_COUNT]),
        (trace(samples(), samples()), [Withheld.GPU_COUNT]),
        (trace(samples(START + 0.1)), [Withheld.WINDOW_START]),
        (trace(samples(end=END - 0.1)), [Withheld.WINDOW_END]),
        (trace([*samples(end=1002.0), *samples(1005.2)]), [Withheld.GAP]),
        (trace([*samples(end=1002.0), *samples(1004.9)]), []),
        (trace(boot=""), [Withheld.CLOCK]),
        (trace(boot="another host"), [Withheld.CLOCK]),
        (trace([*samples(end=1004.0), *(replace(one, steady=one.steady - 0.6) for one in samples(1004.1))]),
         [Withheld.CLOCK]),
        (trace([*samples(), sample(1005.05, math.inf)]), [Withheld.NON_FINITE]),
        (trace([*samples(), sample(1005.05, math.nan)]), [Withheld.NON_FINITE]),
        (trace(samples(foreign=1)), [Withheld.FOREIGN]),
        (trace([*samples(), sample(1100.0, foreign=1)]), []),
        (trace([replace(one, watts=460.0) for one in samples()]), [Withheld.COUNTER]),
        (trace([replace(one, watts=480.0) for one in samples()]), []),
        (trace([replace(one, joules=None) for one in samples()]), []),
    ],
    ids=["no GPU", "two for one", "late start", "early end", "gap", "short gap", "no boot", "other host",
         "clock step", "infinite", "not a number", "foreign", "foreign later", "counter", "counter near",
         "no counter"],
)  # fmt: skip
def test_each_flaw_has_its_reason(spoiled: Trace, wanted: list[Withheld]) -> None:
    assert reasons(spoiled) == wanted


def test_a_counter_is_too_coarse_for_a_short_window() -> None:
    off = trace([replace(one, watts=300.0) for one in samples()])
    assert reasons(off, window(1000.0, 1004.9)) == []
    assert reasons(off, window(1000.0, 1005.1)) == [Withheld.COUNTER]


def test_gpus_of_other_jobs_on_the_host_do_not_count() -> None:
    busy = trace(samples(own=1), samples(foreign=1), samples())
    assert reasons(busy) == []
    assert power.judge(busy, window(), LIMITS).joules == pytest.approx(5000)


def test_C64_a_zero_or_nothing_does_not_close_the_window() -> None:
    seen = samples(1787273999.0, 1787277605.0, step=1.0)
    tail = [sample(1787277606.0, None), sample(1787277612.0, 0.0)]
    at = window(1787274000.0, 1787277609.157)
    row = power.fields(power.judge(trace([*seen, *tail]), at, LIMITS), tokens())
    assert row["power_valid"] == 0
    assert row["power_reason"].startswith("window-end")
    assert not any("joules" in name or "_j" in name or "power_w" in name for name in row)


def test_C65_the_samples_count_and_not_what_their_package_says() -> None:
    holes = [sample(at) for at in (999.0, 1000.0, 1001.0, 1008.5, 1010.0, 1011.0)]
    seven = trace(*[samples()] * 6, holes)
    verdict, notes = power.again({"valid": True}, seven, window(gpus=8), LIMITS)
    assert not verdict.valid
    assert verdict.text == "gpu-count 7 of 8, gap 7.5 over 3.0"
    assert notes == ["verdict-disagreement"]
    assert power.again({"valid": False}, seven, window(gpus=8), LIMITS)[1] == []


@pytest.mark.parametrize("made", [0.0, math.nan])
def test_C67_what_is_not_finite_is_left_out_and_stays_strict_json(made: float) -> None:
    overflow = trace([replace(one, watts=1e308) for one in samples()])
    verdict = power.judge(overflow, window(), LIMITS)
    row = power.fields(verdict, tokens())
    assert (row["power_valid"], row["power_reason"].split()[0]) == (0, "non-finite")
    assert "total_gpu_energy_j" not in row
    side = json.loads(json.dumps([verdict.as_json(), row], allow_nan=False))[0]
    assert (side["valid"], side["joules"]) == (False, None)
    per_token = power.fields(power.judge(trace(), window(), LIMITS), tokens(made=made))
    assert (per_token["power_valid"], per_token["power_reason"]) == (0, "non-finite")
    assert set(per_token) == {"power_valid", "power_metric_schema_version", "power_reason"}


def test_row_fields_are_of_the_whole_deployment_but_for_one_gpus_power() -> None:
    row = power.fields(power.judge(trace(samples(), samples()), window(gpus=2), LIMITS), tokens())
    assert {name: round(value, 6) for name, value in row.items()} == {
        "power_valid": 1,
        "power_metric_schema_version": 2,
        "avg_power_w": 500,
        "avg_total_gpu_power_w": 1000,
        "total_gpu_energy_j": 10_000,
        "joules_per_successful_query": round(10_000 / 12, 6),
        "joules_per_input_token": 2.5,
        "joules_per_output_token": 10,
        "joules_per_total_token": 2,
    }


def test_C65_a_row_keeps_energy_only_when_the_samples_bear_it_out() -> None:
    row = {"tput_per_gpu": 1.0, **power.fields(power.judge(trace(), window(), LIMITS), tokens())}
    claimed = record(point(), result=row)
    kept = power.audited(claimed, Package(trace=trace(), window=window()), LIMITS)
    assert kept == claimed
    for lie in ({"total_gpu_energy_j": 5.0}, {"total_gpu_energy_j": None}, {"total_gpu_energy_j": "5000"}):
        less = power.audited(
            record(point(), result={**row, **lie}), Package(trace=trace(), window=window()), LIMITS
        )
        assert less.result is not None
        assert (less.result["power_valid"], "joules_per_output_token" in less.result) == (0, False)
        assert less.result["power_reason"].startswith("counter-disagrees the row says ")
        assert less.result["power_reason"].endswith(" J, its samples 5000.0")
    six = Package(trace=trace(*[samples()] * 7), window=window(gpus=8))
    found = power.audited(claimed, six, LIMITS)
    assert found.result == {
        "tput_per_gpu": 1.0,
        "power_valid": 0,
        "power_metric_schema_version": 2,
        "power_reason": "gpu-count 7 of 8",
    }
    assert found.notes == ("energy withheld: gpu-count 7 of 8", "verdict-disagreement")
    withheld = record(point(), result={"power_valid": 0, "power_reason": "gap"})
    modest = power.audited(withheld, Package(trace=trace(), window=window()), LIMITS)
    assert (modest.result, modest.notes) == (withheld.result, ("verdict-disagreement",))
    plain = record(point())
    assert power.audited(plain, six, LIMITS) is plain


@pytest.mark.parametrize("ended", [START, START - 1, math.nan, math.inf])
def test_a_window_without_a_length_proves_nothing(ended: float) -> None:
    assert Withheld.WINDOW_END in reasons(trace(), window(ended=ended))


@given(
    st.lists(
        st.tuples(
            st.integers(0, 24),
            st.sampled_from(["at", "steady", "watts", "joules"]),
            st.sampled_from([math.nan, math.inf, -math.inf, 0.0, -5.0, 1e308, START, END]),
        ),
        max_size=8,
    )
)
def test_no_spoilt_sample_breaks_the_judge(spoils: list[tuple[int, str, float]]) -> None:
    of = samples(step=0.5)
    for index, name, value in spoils:
        changes: dict[str, Any] = {name: value}
        of[index] = replace(of[index], **changes)
    verdict = power.judge(trace(of), window(), LIMITS)
    json.dumps(verdict.as_json(), allow_nan=False)
    assert verdict.joules is None or verdict.joules > 0
    assert not verdict.valid or all(math.isfinite(one.at + one.steady) for one in of)


def test_the_ledger_is_told_why() -> None:
    row = power.fields(power.judge(trace(boot=""), window(), LIMITS), tokens())
    assert power.note(row)[0].startswith("energy withheld: clock-not-synchronised")
    assert power.note({"power_valid": 1}) == []


WATTS = st.lists(st.floats(1, 1000), min_size=2, max_size=40)


@given(WATTS, st.floats(0, 0.99), st.floats(0.01, 1))
def test_energy_lies_between_the_least_and_the_most_power(
    watts: list[float], low: float, share: float
) -> None:
    seen = [
        Sample(at=float(number), steady=float(number), watts=one, joules=None)
        for number, one in enumerate(watts)
    ]
    start = low * (len(watts) - 1)
    end = start + share * (len(watts) - 1 - start)
    verdict = power.judge(trace(seen), window(start, end), LIMITS)
    assert verdict.joules is not None
    room = 1e-6 * max(watts)
    assert min(watts) * (end - start) - room <= verdict.joules <= max(watts) * (end - start) + room


@given(WATTS)
def test_a_window_is_the_sum_of_its_parts(watts: list[float]) -> None:
    seen = [
        Sample(at=float(number), steady=float(number), watts=one, joules=None)
        for number, one in enumerate(watts)
    ]
    cuts = (0.0, (len(watts) - 1) / 3, len(watts) - 1.0)
    parts = [power.judge(trace(seen), window(*pair), LIMITS).joules for pair in pairwise(cuts)]
    whole = power.judge(trace(seen), window(cuts[0], cuts[2]), LIMITS).joules
    assert sum(part or 0 for part in parts) == pytest.approx(whole)
