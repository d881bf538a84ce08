"""Cluster: how cells are launched on the runners of one label, and how long they are measured there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, ClassVar, Literal

Driver = Literal["local", "docker", "slurm"]
STRICT = {"extra": "forbid", "strict": True}
"""How the reader checks these nouns: no unknown field, no text in place of a number."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Longest time of each stage, in seconds."""

    __pydantic_config__: ClassVar[Any] = STRICT
    ready: float = 1800.0
    """From the engine's start to its first token."""
    client: float = 7200.0
    """One run of the load or accuracy client."""
    grace: float = 1.0
    """Between asking a program to end and ending it."""


@dataclass(frozen=True, kw_only=True)
class Load:
    """How much is measured where the row does not say it."""

    __pydantic_config__: ClassVar[Any] = STRICT
    waves: int = 10
    """Measured requests of a fixed-sequence point, in multiples of its concurrency."""
    warmup_waves: int = 1
    min_requests: int = 10
    """Fewest measured requests, for low concurrencies."""
    prompts: Literal["sonnet", "coding", "random"] = "sonnet"
    """Where fixed-sequence prompts come from; random tokens are quicker but no text for most tokenizers."""
    extra: Mapping[str, bool | int | float | str] = field(default_factory=dict)
    """Further fields of every request, such as `temperature`; `ignore_eos` is always true."""
    sessions_per_lane: int = 0
    """Agentic conversations of each lane; 0 replays for the row's `duration`."""
    corpus: str = "benchmarks/corpus/small.jsonl"
    """Trace corpus of agentic points: a path in the repository, or an absolute one on the runner."""
    corpus_sha256: str = ""
    """Digest that the corpus must have; empty accepts any and records it."""
    corpus_token_cap: int = 0
    """Most tokens of one conversation in the corpus; 0 for no cap."""
    corpus_sub_agents: bool | None = None
    """Whether the corpus holds conversations of sub-agents; None accepts either."""


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """One record of configs/clusters.yaml."""

    __pydantic_config__: ClassVar[Any] = STRICT
    driver: Driver
    port: int = 0
    """Port of the engine; 0 takes a free one."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Further environment of the engine."""
    models: Mapping[str, str] = field(default_factory=dict)
    """Model id → path of its staged checkpoint."""
    override: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Glob of model ids → field of a recipe file (`model.path`) → value in its place on these nodes.
    Of the globs that match a model, the first one wins for each field."""
    tokenizer: str = ""
    """Tokenizer of models that are not staged: `bytes` is our own; empty takes the model id."""
    power: bool = True
    """Whether the power of the GPUs is sampled."""
    limits: Limits = field(default_factory=Limits)
    load: Load = field(default_factory=Load)
    nodes: tuple[str, ...] = ()
    """Nodes of a label that runners.yaml does not have."""
    excluded_nodes: tuple[str, ...] = ()
    """Nodes that must not measure: what they measured all the same is a warning (policy: `excluded-node`)."""
    maintenance: str = ""
    """Why nothing may start on these nodes for now; empty when it may."""

    def overrides(self, model: str) -> dict[str, str]:
        """Fields of a recipe that are other ones here."""
        return overrides(self.override, model)

    def staged(self, model: str) -> str:
        """Path of the checkpoint on these nodes; `""` when none is staged."""
        return self.overrides(model).get("model.path") or self.models.get(model, "")


def overrides(table: Mapping[str, Mapping[str, str]], model: str) -> dict[str, str]:
    """Field → value for one model, by the first matching glob that has the field."""
    found: dict[str, str] = {}
    for glob, fields in table.items():
        if fnmatchcase(model, glob):
            found = {**fields, **found}
    return found
