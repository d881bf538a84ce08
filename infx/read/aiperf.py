"""Files of one aiperf run → Load. Format: aiperf 0.13, `schema_version` 1.4."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from infx.errors import BadInput
from infx.row import Corpus, Load, Phase, Request

WHERE, RECORDS = "profile_export_aiperf.json", "profile_export.jsonl"
TIMES = ("time_to_first_token", "inter_token_latency", "request_latency")
"""Milliseconds in the record of a request."""
NO_TOKENS = "InvalidInferenceResultError"
"""aiperf's name for an answer in which nothing was said."""
UNPARSED = "Failed to parse JSON string"
"""What its log says of a broken event, which its numbers pass over in silence."""


def load(
    summary: Any,
    records: Iterable[str],
    *,
    model: str,
    requested: int,
    corpus: Corpus | None = None,
    broken_events: int = 0,
) -> Load:
    """One run. `records` are the lines of profile_export.jsonl. BadInput when the summary is no summary."""
    if not isinstance(summary, Mapping) or not isinstance(summary.get("aiperf_version"), str):
        raise BadInput("this is no aiperf summary", where=WHERE, todo="look at client.log")
    phases: dict[str, Counter[str]] = {"warmup": Counter(), "profiling": Counter()}
    errors: Counter[str] = Counter()
    requests: list[Request] = []
    for line in records:
        value = document(line)
        phase, outcome, error = told(value)
        phases.setdefault(phase, Counter())[outcome] += 1
        if phase == "profiling" and outcome == "failed":
            errors[error] += 1
        if phase == "profiling" and outcome == "completed" and (sample := request(value)):
            requests.append(sample)
    return Load(
        client=f"aiperf {summary['aiperf_version']}",
        model=model,
        started=moment(summary.get("start_time")),
        ended=moment(summary.get("end_time")),
        requested=requested,
        complete=summary.get("is_complete") is True and not summary.get("was_cancelled"),
        warmup=Phase(**phases["warmup"]),
        profile=Phase(**phases["profiling"]),
        metrics={
            name: value for name, value in summary.items() if isinstance(value, Mapping) and "unit" in value
        },
        errors=errors,
        requests=requests,
        corpus=corpus,
        broken_events=broken_events,
    )


def document(line: str) -> Any:
    """One line of profile_export.jsonl."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise BadInput("a line is no request record", where=RECORDS) from problem


def told(value: Any) -> tuple[str, str, str]:
    """Phase, `completed`/`failed`/`cancelled`, and the kind of error of one request."""
    try:
        metadata, error = value["metadata"], value.get("error")
        phase = str(metadata.get("phase_kind") or metadata["benchmark_phase"])
        cancelled = bool(metadata.get("was_cancelled"))
    except (KeyError, TypeError, AttributeError) as problem:
        raise BadInput("a line is no request record", where=RECORDS) from problem
    if cancelled:
        return phase, "cancelled", ""
    if error:
        kind = error.get("type") or error.get("code") if isinstance(error, Mapping) else error
        return phase, "failed", str(kind)[:80]
    return phase, "completed", ""


def request(value: Any) -> Request | None:
    """Times and tokens of a request; None where the client did not tell all of them."""
    try:
        seen = value["metrics"]
        first, token, whole = (float(seen[name]["value"]) / 1000 for name in TIMES)
        tokens = float(seen["usage_total_tokens"]["value"])
        ended = float(value["metadata"]["request_end_ns"]) / 1e9
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return Request(ended=ended, ttft=first, tpot=token, e2el=whole, tokens=tokens)


def failures(lines: Iterable[str]) -> Counter[str]:
    """Kinds of error of measured requests, when no measured request completed; empty otherwise."""
    found = [told(document(line)) for line in lines]
    if any(phase == "profiling" and outcome == "completed" for phase, outcome, _ in found):
        return Counter()
    return Counter(error for phase, outcome, error in found if phase == "profiling" and outcome == "failed")


def unparsed(log: Iterable[str]) -> int:
    """Lines of aiperf's log about events that were not JSON."""
    return sum(UNPARSED in line for line in log)


def moment(text: Any) -> float:
    """Unix seconds of an aiperf time stamp, which is local time without a zone; runners keep UTC."""
    try:
        stamp = datetime.fromisoformat(text)
    except (TypeError, ValueError, OverflowError) as error:
        raise BadInput(f"{text!r} is no time", where=WHERE) from error
    return (stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)).timestamp()
