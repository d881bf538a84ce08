"""Recorded traces of power for tests, made of a few figures. One GPU at 500 W unless said otherwise."""

from collections.abc import Iterable
from typing import Any

from infx.power import Sample, Trace, Window
from infx.row import Load
from tests.runtime import load

START, END = 1000.0, 1010.0
BOOT = "boot"


def sample(at: float, watts: float | None = 500.0, **fields: Any) -> Sample:
    """One sample of a steady load; its counter agrees with its power."""
    joules = None if watts is None else 500.0 * (at - 900.0)
    return Sample(**{"at": at, "steady": at - 900.0, "watts": watts, "joules": joules, **fields})


def samples(
    start: float = START - 1, end: float = END + 1, *, step: float = 0.1, **fields: Any
) -> list[Sample]:
    """Samples from `start` to `end`, both included."""
    count = round((end - start) / step)
    return [sample(start + number * step, **fields) for number in range(count + 1)]


def trace(*gpus: Iterable[Sample], boot: str = BOOT) -> Trace:
    chosen = gpus or (samples(),)
    return Trace(boot=boot, gpus={f"GPU-{number}": list(one) for number, one in enumerate(chosen)})


def window(started: float = START, ended: float = END, *, gpus: int = 1, boot: str = BOOT) -> Window:
    return Window(started=started, ended=ended, gpus=gpus, boot=boot)


def tokens(given: float = 4000.0, made: float = 1000.0) -> Load:
    """A load run with so many prompt and answer tokens."""
    metrics = {"total_isl": {"unit": "tokens", "avg": given}, "total_osl": {"unit": "tokens", "avg": made}}
    return load(metrics={**load().metrics, **metrics})
