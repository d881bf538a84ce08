"""When a measurement may become a published row. Pure; the first broken rule counts."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from infx import published
from infx.point import EVAL, Point
from infx.reason import Reason
from infx.record import Record
from infx.row import Corpus, Load, Phase
from infx.rules import Agentic
from infx.several import taken_apart


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A broken rule."""

    reason: Reason
    detail: str


SCALARS = ("output_token_throughput", "input_token_throughput", "request_throughput", "benchmark_duration")
HELD_MS, HELD_SHARE = 15.0, 0.03
"""Longest mean time that a request may wait in the client: ms, and a share of the time to first token."""
LATENCIES = ("time_to_first_token", "request_latency")
"""Metrics that every row needs."""
BETWEEN = ("inter_token_latency", "inter_chunk_latency")
"""Metrics of rows whose answers have more than one token, or more than one chunk."""
STATISTICS = ("avg", "p50", "p90", "p99", "std")
"""What a row takes of each latency."""
OF_ZERO = {("inter_chunk_latency", statistic) for statistic in STATISTICS}
"""Statistics that may be zero, beside every spread: two chunks can arrive at once."""
TO_SECONDS = {"ms": 1e-3, "sec": 1.0, "us": 1e-6, "ns": 1e-9}
"""Units of time that the client knows."""


def load_fault(
    point: Point, load: Load, *, began: float, limits: Agentic, corpus: Corpus | None = None
) -> Fault | None:
    """First reason why this load run is no result of `point`; `began` is the job's start in Unix seconds."""
    agentic = "isl" not in point.row
    checks: list[Fault | None] = [
        _model(point, load.model),
        _fresh(load, began),
        _warmup(load),
        _complete(load),
        _events(load),
        *([_corpus(load, corpus), _agentic(load.profile, limits)] if agentic else [_all(load)]),
        _tokens(load),
        _numbers(load.metrics),
        None if agentic else _lengths(point, load),
    ]
    return next((fault for fault in checks if fault), None)


def notes(load: Load) -> list[str]:
    """Facts that do not change the state."""
    drained = load.profile.cancelled
    told = [f"{drained} drain cancellation{'s' if drained > 1 else ''}"] if drained else []
    return [*told, *bottleneck(load)]


def bottleneck(load: Load) -> list[str]:
    """A note when requests waited in the client before they were sent: then its figures are its own, not the
    engine's. What it may add is what a time to first token may be off: 3 %, and never less than 15 ms."""
    waited = value(load.metrics, "credit_to_start_latency")
    first = value(load.metrics, "time_to_first_token") or 0.0
    if waited is None or waited <= max(HELD_MS, HELD_SHARE * first):
        return []
    return [f"the client was the bottleneck, requests waited {waited:.0f} ms in it"]


def record_fault(record: Record, point: Point, head_sha: str) -> Fault | None:
    """Why a record read back from an artifact does not stand for `point` of the plan."""
    if record.point != point.id or dict(record.identity) != point.identity:
        return Fault(
            reason=Reason.WRONG_IDENTITY, detail=f"the record says {record.point}, the plan {point.id}"
        )
    if dict(record.fingerprint) != point.fingerprint.as_json():
        return Fault(reason=Reason.WRONG_FINGERPRINT, detail="recipe or shared files differ from the plan")
    if record.sha != head_sha:
        return Fault(reason=Reason.WRONG_SHA, detail=f"measured {record.sha[:7]}, planned {head_sha[:7]}")
    return None


def row_fault(row: Mapping[str, Any], point: Point) -> Fault | None:
    """Why a row read back from an artifact is no result of `point`, whatever its record says of itself."""
    rows = taken_apart(row)
    measured = tuple(one.get("conc") for one in rows)
    if point.mode != EVAL and len(point.concurrencies) > 1 and measured != point.concurrencies:
        return Fault(reason=Reason.MISSING_CONCURRENCY, detail=f"measured {measured}, planned {point.title}")
    return next((fault for one in rows if (fault := _number_fault(one, point))), None)


def _number_fault(row: Mapping[str, Any], point: Point) -> Fault | None:
    wanted = "score" if point.mode == EVAL else "throughput"
    number = published.score(row) if point.mode == EVAL else published.throughput(row)
    if number is None:
        return Fault(reason=Reason.NON_FINITE, detail=f"the row has no {wanted}")
    if number < 0 or (number == 0 and point.mode != EVAL):
        return Fault(reason=Reason.NOT_POSITIVE, detail=f"the {wanted} is {number:g}")
    return None


def _model(point: Point, model: str) -> Fault | None:
    wanted = str(point.row["model"])
    if model == wanted:
        return None
    return Fault(reason=Reason.WRONG_MODEL, detail=f"{model} answered, the row names {wanted}")


def _fresh(load: Load, began: float) -> Fault | None:
    if load.started >= began and load.ended >= load.started:
        return None
    return Fault(reason=Reason.STALE, detail=f"measured {began - load.started:.0f} s before the job began")


def _warmup(load: Load) -> Fault | None:
    """A replay whose warm-up was cut short starts from a state that nobody asked for."""
    cut = load.warmup.cancelled
    if not cut:
        return None
    limit = "without limit" if load.warmup_limit_s is None else f"at the limit of {load.warmup_limit_s:g} s"
    return Fault(reason=Reason.WARMUP_NOT_DRAINED, detail=f"{cut} requests cancelled in warm-up {limit}")


def _complete(load: Load) -> Fault | None:
    return (
        None if load.complete else Fault(reason=Reason.NO_RESULT, detail="the client did not finish its run")
    )


def _events(load: Load) -> Fault | None:
    """The client drops events that it cannot read, so its times between tokens would be wrong."""
    if not load.broken_events:
        return None
    return Fault(reason=Reason.MALFORMED, detail="the engine sent stream events that are not JSON")


def _all(load: Load) -> Fault | None:
    """Fixed-sequence: every planned request completed."""
    lost = load.profile.failed + load.profile.cancelled
    if lost:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(load.errors.items()))
        return Fault(
            reason=Reason.REQUESTS_FAILED, detail=f"{lost} of {load.profile.issued} requests failed: {kinds}"
        )
    if load.profile.completed != load.requested:
        return Fault(
            reason=Reason.REQUEST_COUNT,
            detail=f"{load.profile.completed} of {load.requested} requests completed",
        )
    return None


def _agentic(profile: Phase, limits: Agentic) -> Fault | None:
    issued = max(profile.issued, 1)
    if profile.failed / issued > limits.max_error_share:
        return Fault(
            reason=Reason.ERROR_SHARE, detail=f"{profile.failed} of {profile.issued} requests failed"
        )
    if profile.cancelled / issued > limits.max_drain_share:
        return Fault(
            reason=Reason.DRAIN_SHARE,
            detail=f"{profile.cancelled} of {profile.issued} requests were cancelled",
        )
    return None


def _corpus(load: Load, wanted: Corpus | None) -> Fault | None:
    if wanted is None or load.corpus == wanted:
        return None
    loaded = load.corpus.name if load.corpus else "none"
    return Fault(reason=Reason.CORPUS, detail=f"loaded {loaded}, asked for {wanted.name}")


def _tokens(load: Load) -> Fault | None:
    made = value(load.metrics, "total_output_tokens") or 0
    if load.profile.completed and made > 0:
        return None
    return Fault(
        reason=Reason.ZERO_TOKENS, detail=f"{made:g} tokens in {load.profile.completed} completed requests"
    )


def _numbers(metrics: Mapping[str, Mapping[str, Any]]) -> Fault | None:
    latencies = [*LATENCIES, *(name for name in BETWEEN if name in metrics)]
    wanted = [(name, "avg") for name in SCALARS]
    wanted += [(name, statistic) for name in latencies for statistic in STATISTICS]
    for name, statistic in wanted:
        number = value(metrics, name, statistic)
        if number is None or not math.isfinite(number):
            return Fault(reason=Reason.NON_FINITE, detail=f"{name} {statistic} is {number}")
        zero = statistic == "std" or (name, statistic) in OF_ZERO
        if number < 0 or (number == 0 and not zero):
            return Fault(reason=Reason.NOT_POSITIVE, detail=f"{name} {statistic} is {number:g}")
    return next((fault for fault in map(partial(_unit, metrics), latencies) if fault), None)


def _unit(metrics: Mapping[str, Mapping[str, Any]], name: str) -> Fault | None:
    unit = metrics[name].get("unit")
    if isinstance(unit, str) and unit in TO_SECONDS:
        return None
    return Fault(reason=Reason.NO_RESULT, detail=f"{name} has no unit of time, but {unit!r:.40}")


def _lengths(point: Point, load: Load) -> Fault | None:
    """Answers have exactly the row's length, prompts up to 2 % more or less (special tokens)."""
    asked = {"input": float(point.row["isl"]), "output": float(point.row["osl"])}
    room = {"input": max(2.0, 0.02 * asked["input"]), "output": 0.0}
    for side, length in asked.items():
        for statistic in ("min", "max"):
            seen = value(load.metrics, f"{side}_sequence_length", statistic)
            if seen is None or abs(seen - length) > room[side]:
                return Fault(
                    reason=Reason.WRONG_LENGTH,
                    detail=f"{side} length {seen} ({statistic}), the row says {length:g}",
                )
    return None


def value(metrics: Mapping[str, Mapping[str, Any]], name: str, statistic: str = "avg") -> float | None:
    """One statistic, None when it is absent or no number; beyond a double it is infinite."""
    number = metrics.get(name, {}).get(statistic)
    if isinstance(number, bool) or not isinstance(number, int | float):
        return None
    try:
        return float(number)
    except OverflowError:
        return math.inf


def missing(requested: Iterable[int], scored: Iterable[int]) -> list[int]:
    """Concurrencies of the plan without a score, whatever the producer says it completed."""
    return sorted(set(requested) - set(scored))
