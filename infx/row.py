"""Measurement: what a client saw, before anyone judged it. Published rows are made from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from infx.power import Trace


@dataclass(frozen=True, kw_only=True)
class Phase:
    """Requests of one phase of a load run."""

    completed: int = 0
    failed: int = 0
    cancelled: int = 0
    """Ended by the client because the phase was over."""

    @property
    def issued(self) -> int:
        return self.completed + self.failed + self.cancelled


@dataclass(frozen=True, kw_only=True)
class Request:
    """One measured request that completed, as the client saw it. Seconds."""

    ended: float
    """Unix seconds of its last token."""
    ttft: float
    tpot: float
    e2el: float
    tokens: float
    """Of prompt and answer together."""


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """Identity of a trace corpus."""

    name: str
    sha256: str
    sessions: int
    token_cap: int
    """Longest prompt and answer together, in tokens."""
    sub_agents: bool

    def as_json(self) -> dict[str, Any]:
        return dict(vars(self))


@dataclass(frozen=True, kw_only=True)
class Load:
    """Outcome of one run of the load client."""

    client: str
    """Program and version, `aiperf 0.13.0`."""
    model: str
    """Model id that the client asked for."""
    started: float
    """Start of the measured window, Unix seconds."""
    ended: float
    requested: int
    """Requests that were to be measured; 0 when the run was bounded by time."""
    complete: bool
    """The client says that it did all it was to do."""
    warmup: Phase
    profile: Phase
    metrics: Mapping[str, Mapping[str, Any]]
    """The client's summary by its own metric names: unit and statistics."""
    errors: Mapping[str, int] = field(default_factory=dict)
    """Kind of error → number of measured requests."""
    requests: Sequence[Request] = ()
    """Measured requests that completed, as far as the client told their times."""
    corpus: Corpus | None = None
    broken_events: int = 0
    """Complaints of the client about stream events that it could not read."""
    warmup_limit_s: float | None = None
    """Longest time that warm-up requests were waited for; None is without limit."""
    power: Trace | None = None
    """Power of the GPUs meanwhile; None when nobody was asked to sample it."""
    boot: str = ""
    """Boot id of the client's host."""


@dataclass(frozen=True, kw_only=True)
class Score:
    """Outcome of one accuracy task at one concurrency. Scores are shares of 1."""

    client: str
    model: str
    task: str
    conc: int
    strict: float
    strict_se: float
    flexible: float
    flexible_se: float
    scored: int
    """Questions with a score."""
    asked: int
    """Questions in the data set."""
    extraction: str
    """Which mark the strict rule takes, so that a changed rule is not taken for a regression."""
    ended: float
