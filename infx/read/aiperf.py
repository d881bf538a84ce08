"""Files of one aiperf run → Load. Format: aiperf 0.13, `schema_version` 1.4."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from infx.errors import BadInput
from infx.row import Corpus, Load, Phase

WHERE = "profile_export_aiperf.json"


def load(
    summary: Any,
    records: Iterable[str],
    *,
    model: str,
    requested: int,
    corpus: Corpus | None = None,
    warmup_limit_s: float | None = None,
) -> Load:
    """One run. `records` are the lines of profile_export.jsonl. BadInput when the summary is no summary."""
    if not isinstance(summary, Mapping) or not isinstance(summary.get("aiperf_version"), str):
        raise BadInput("this is no aiperf summary", where=WHERE, todo="look at client.log")
    phases: dict[str, Counter[str]] = {"warmup": Counter(), "profiling": Counter()}
    errors: Counter[str] = Counter()
    for line in records:
        phase, outcome, error = record(line)
        phases.setdefault(phase, Counter())[outcome] += 1
        if phase == "profiling" and outcome == "failed":
            errors[error] += 1
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
        corpus=corpus,
        warmup_limit_s=warmup_limit_s,
    )


def record(line: str) -> tuple[str, str, str]:
    """Phase, `completed`/`failed`/`cancelled`, and the kind of error of one request."""
    try:
        value = json.loads(line)
        metadata, error = value["metadata"], value.get("error")
        phase = str(metadata.get("phase_kind") or metadata["benchmark_phase"])
        cancelled = bool(metadata.get("was_cancelled"))
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise BadInput("a line is no request record", where="profile_export.jsonl") from problem
    if cancelled:
        return phase, "cancelled", ""
    if error:
        kind = error.get("type") or error.get("code") if isinstance(error, Mapping) else error
        return phase, "failed", str(kind)[:80]
    return phase, "completed", ""


def moment(text: Any) -> float:
    """Unix seconds of an aiperf time stamp, which is local time without a zone; runners keep UTC."""
    try:
        stamp = datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{text!r} is no time", where=WHERE) from error
    return (stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)).timestamp()
