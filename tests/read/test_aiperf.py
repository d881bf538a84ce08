import json
from typing import Any

import pytest

from infx.errors import BadInput
from infx.read import aiperf

SUMMARY: dict[str, Any] = {
    "aiperf_version": "0.13.0",
    "start_time": "2026-11-30T23:27:11.5",
    "end_time": "2026-11-30T23:27:12.5",
    "is_complete": True,
    "was_cancelled": False,
    "request_throughput": {"unit": "requests/sec", "avg": 5.0},
    "input_config": {"models": {}},
}


def line(phase: str, *, cancelled: bool = False, error: Any = None) -> str:
    return json.dumps({"metadata": {"benchmark_phase": phase, "was_cancelled": cancelled}, "error": error})


def read(summary: Any = SUMMARY, lines: list[str] | None = None) -> Any:
    return aiperf.load(summary, lines or [], model="m", requested=3)


def test_requests_are_counted_by_phase() -> None:
    lines = [
        line("warmup"),
        line("warmup", cancelled=True),
        line("profiling"),
        line("profiling", error={"type": "E"}),
    ]
    load = read(lines=lines)
    assert (load.warmup.completed, load.warmup.cancelled) == (1, 1)
    assert (load.profile.completed, load.profile.failed, dict(load.errors)) == (1, 1, {"E": 1})
    assert (load.client, load.ended - load.started, load.complete) == ("aiperf 0.13.0", 1.0, True)
    assert set(load.metrics) == {"request_throughput"}


@pytest.mark.parametrize("change", [{"is_complete": False}, {"was_cancelled": True}, {"is_complete": "yes"}])
def test_an_unfinished_run_says_so(change: dict[str, Any]) -> None:
    assert read({**SUMMARY, **change}).complete is False


@pytest.mark.parametrize(
    "summary", [None, [], {}, {**SUMMARY, "start_time": None}, {**SUMMARY, "end_time": "x"}]
)
def test_no_summary_is_refused(summary: Any) -> None:
    with pytest.raises(BadInput):
        read(summary)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"metadata": 3}', '{"metadata": {}}'])
def test_a_broken_record_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read(lines=[text])


def timed(**changes: Any) -> str:
    names = ("time_to_first_token", "inter_token_latency", "request_latency")
    times = {name: {"value": 10.0 * at, "unit": "ms"} for at, name in enumerate(names, start=1)}
    metrics = {**times, "usage_total_tokens": {"value": 1152, "unit": "tokens"}, **changes}
    metadata = {"benchmark_phase": changes.get("phase", "profiling"), "request_end_ns": 2_500_000_000}
    return json.dumps({"metadata": metadata, "metrics": metrics, "error": None})


def test_measured_requests_keep_their_times() -> None:
    (one,) = read(lines=[timed(phase="warmup"), timed()]).requests
    assert vars(one) == {"ended": 2.5, "ttft": 0.01, "tpot": 0.02, "e2el": 0.03, "tokens": 1152.0}


@pytest.mark.parametrize("seen", [None, {}, {"value": "fast"}, {"value": None}, {"value": [1.0]}])
def test_a_request_without_its_times_counts_but_says_nothing(seen: Any) -> None:
    load = read(lines=[timed(request_latency=seen)])
    assert (load.profile.completed, load.requests) == (1, [])


def test_why_everything_failed() -> None:
    assert aiperf.failures([line("warmup"), line("profiling", error={"type": "E"})]) == {"E": 1}
    assert not aiperf.failures([line("profiling"), line("profiling", error={"type": "E"})])
    assert aiperf.unparsed(["ok", f"WARNING - {aiperf.UNPARSED}: '{{'"]) == 1


@pytest.mark.parametrize("text", ["", "{", "[]", '{"metadata": 5}', "[" * 100_000, "1" * 5000])
def test_a_line_that_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="no request record"):
        aiperf.told(aiperf.document(text))
