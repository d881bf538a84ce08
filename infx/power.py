"""Power: what a sampler saw of the GPUs, and the verdict whether energy made of it may be believed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Withheld(StrEnum):
    """Why no energy is published; throughput stays."""

    GPU_COUNT = "gpu-count"
    WINDOW_START = "window-start"
    WINDOW_END = "window-end"
    GAP = "gap"
    CLOCK = "clock-not-synchronised"
    NON_FINITE = "non-finite"
    FOREIGN = "foreign-process"
    COUNTER = "counter-disagrees"


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One reading of one GPU."""

    at: float
    """Wall clock of the host, Unix seconds."""
    steady: float
    """Monotonic clock of the host, seconds."""
    watts: float | None
    """Instant power; None when the driver said nothing."""
    joules: float | None
    """Total-energy counter; None when the GPU has none."""
    own: int = 0
    """Processes of the measured engine on the GPU."""
    foreign: int = 0
    """Processes of anyone else on the GPU."""

    @property
    def real(self) -> bool:
        """No GPU draws nothing: a zero is what a driver says that has nothing to say."""
        return self.watts is not None and self.watts > 0


@dataclass(frozen=True, kw_only=True)
class Trace:
    """Every sample of one host."""

    boot: str
    """Boot id of the host: equal ids share one clock. `""` when unknown."""
    gpus: Mapping[str, Sequence[Sample]]
    """UUID of a GPU → its samples in the order they were taken."""
    problem: str = ""
    """Why the sampler saw nothing, in its own words."""

    @property
    def used(self) -> Mapping[str, Sequence[Sample]]:
        """GPUs on which the engine ran, or all when its processes cannot be seen."""
        own = {gpu: samples for gpu, samples in self.gpus.items() if any(one.own for one in samples)}
        return own or self.gpus


@dataclass(frozen=True, kw_only=True)
class Window:
    """What was measured, by the client's clock."""

    started: float
    """Unix seconds."""
    ended: float
    gpus: int
    """GPUs that the point holds."""
    boot: str
    """Boot id of the client's host; `""` when unknown, which proves nothing about its clock."""

    def as_json(self) -> dict[str, Any]:
        return dict(vars(self))


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Energy of one window, or why it is withheld."""

    reasons: tuple[tuple[Withheld, str], ...] = ()
    """Each broken rule, with its figures."""
    joules: float | None = None
    """All GPUs together, trapezoid over the samples; None when withheld."""
    counter_joules: float | None = None
    """The same by the GPUs' own counters; None when they have none."""
    seconds: float = 0.0
    gpus: int = 0
    seen: int = field(default=0)
    """GPUs with samples."""

    @property
    def valid(self) -> bool:
        return not self.reasons

    @property
    def text(self) -> str:
        """`gpu-count 7 of 8, gap 7.5 over 3.0`."""
        return ", ".join(f"{reason} {detail}".strip() for reason, detail in self.reasons)

    def as_json(self) -> dict[str, Any]:
        """Strict JSON: what is not finite becomes null."""
        return {
            "valid": self.valid,
            "reasons": [[str(reason), detail] for reason, detail in self.reasons],
            "joules": finite(self.joules),
            "counter_joules": finite(self.counter_joules),
            "seconds": finite(self.seconds),
            "gpus": self.gpus,
            "seen": self.seen,
        }


def finite(number: float | None) -> float | None:
    """`number` unless it is infinite or no number."""
    return number if number is not None and abs(number) < float("inf") else None
