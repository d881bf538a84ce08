"""Golden acceptance: how many tokens a draft of K has accepted on average, recorded once a model and method.

A benchmark pins its engine to the recorded value: speculation on random text would flatter or punish it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

Thinking = Literal["thinking_on", "thinking_off"]
THINKING: tuple[Thinking, ...] = ("thinking_on", "thinking_off")


class Engine(StrEnum):
    """Engines whose speculation is known."""

    SGLANG = "sglang"
    VLLM = "vllm"
    TRT = "trt"
    ATOM = "atom"


class Flaw(StrEnum):
    """What is wrong with the speculation of a recipe, or with a curve."""

    UNKNOWN_ENGINE = "unknown-engine"
    UNKNOWN_METHOD = "unknown-method"
    NO_METHOD = "no-method"
    NO_LENGTH = "no-draft-length"
    UNEQUAL_LENGTH = "draft-tokens-differ"
    NO_CURVE = "no-curve"
    NO_ENTRY = "no-entry"
    OUT_OF_RANGE = "out-of-range"
    NOT_PINNED = "not-pinned"
    OTHER_VALUE = "other-value"
    PINNED_EVAL = "pinned-eval"
    NO_SOURCE = "no-source"
    SAME_SOURCE = "same-source"
    NOT_MEASURED = "not-measured"


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One flaw, and what to do about it."""

    flaw: Flaw
    what: str
    todo: str

    @property
    def sentence(self) -> str:
        return f"{self.what}; {self.todo}"


@dataclass(frozen=True, kw_only=True)
class Stated:
    """What a script or recipe variant gives its engine."""

    flags: Mapping[str, str] = field(default_factory=dict)
    """With dashes: `--speculative-num-steps`."""
    variables: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Spoken:
    """Speculation as a recipe writes it, before anyone judged it."""

    framework: str
    engine: Engine | None
    """None for a framework without a rule."""
    method: str = ""
    length: Any = None
    """What stands for K: text, or a number of a config; None when nothing does."""
    flag: str = ""
    """Where `length` stands."""
    less: int = 0
    """What K is less than the number there."""
    tokens: str | None = None
    """Draft tokens given beside the steps, where they must be K + 1."""


@dataclass(frozen=True, kw_only=True)
class Draft:
    """The speculation of one recipe."""

    engine: Engine
    method: str
    """As curves name it: `mtp`, `eagle3`, `dflash`."""
    length: int
    """K: draft tokens that one step proposes."""


@dataclass(frozen=True, kw_only=True)
class Curve:
    """One file of acceptance lengths."""

    name: str
    """`<model-prefix>_<method>[variant]`; some are joined by a hyphen."""
    source: str
    """Address of the run that measured it, from the first line; `""` when there is none."""
    model: str
    """The checkpoint that was measured; its name ends with the precision."""
    about: str
    """The comment at its head."""
    values: Mapping[str, Mapping[int, float]]
    """Thinking mode → K → acceptance length."""


@dataclass(frozen=True, kw_only=True)
class Acceptance:
    """The recorded value that a recipe is pinned to."""

    curve: Curve
    draft: Draft
    length: float
    """AL: tokens accepted a step, the engine's own included; 1 to K + 1."""


@dataclass(frozen=True, kw_only=True)
class Pins:
    """How an engine is told the acceptance length."""

    variables: Mapping[str, str] = field(default_factory=dict)
    flags: Mapping[str, str] = field(default_factory=dict)
    config: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the engine's speculative config."""
