"""Published: the few numbers that people look for in a published row, whatever its scenario."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

Row = Mapping[str, Any]
MOST_DOUBT = 10.0
"""More says nothing else, and its square is still a number."""
SIMULATOR = "infx-simulator"
"""Client of rows that no engine was behind."""


def _number(value: Any) -> float | None:
    """`value` when it is a finite number, else None: rows may come from a pull request."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        return None
    return float(value)


def throughput(row: Row) -> float | None:
    """Input and output tokens per second and GPU."""
    return _number(row.get("tput_per_gpu", row.get("total_tput_tps")))


def output(row: Row) -> float | None:
    """Output tokens per second and GPU."""
    return _number(row.get("output_tput_per_gpu", row.get("output_tput_tps")))


def energy(row: Row) -> float | None:
    """Joules per output token of the whole deployment; None unless the measurement of power was valid."""
    return _number(row.get("joules_per_output_token")) if row.get("power_valid") == 1 else None


def interactivity(row: Row) -> float | None:
    """Output tokens per second and user, median."""
    return _number(row.get("median_intvty"))


def latency(row: Row) -> float | None:
    """End-to-end latency of a request in seconds, median."""
    return _number(row.get("median_e2el"))


def first_token(row: Row) -> float | None:
    """Time to first token in seconds, median."""
    return _number(row.get("median_ttft"))


def doubt(row: Row, name: str) -> float | None:
    """Relative standard error of the number `name` by the run's own requests; None when nobody knows."""
    known = row.get("request_error")
    found = _number(known.get(name)) if isinstance(known, Mapping) else None
    return min(found, MOST_DOUBT) if found is not None and found >= 0 else None


def score(row: Row) -> float | None:
    """Accuracy between 0 and 1."""
    return _number(row.get("score"))


def threshold(row: Row) -> float | None:
    """Accuracy that the score had to reach."""
    return _number(row.get("threshold"))


def simulated(row: Row) -> bool:
    """Measured on a simulator, so no statement about hardware."""
    return row.get("framework") == "sim" or str(row.get("client", "")).startswith(SIMULATOR)


def ended(row: Row) -> float | None:
    """End of the measurement, Unix seconds (UTC)."""
    return _number(row.get("result_time"))
