"""What the master configs describe: configs, scenario items, search entries, workers, runners."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

Scenario = Literal["fixed-seq-len", "agentic-coding"]
FIXED: Scenario = "fixed-seq-len"
AGENTIC: Scenario = "agentic-coding"
SCENARIOS: tuple[Scenario, ...] = (FIXED, AGENTIC)

CLUSTER = "cluster:"
"""Beginning of a runner label that stands for a whole cluster; agentic items need one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """A named part of the serving stack: a router, or a KV offload backend."""

    name: str
    version: str | None

    def as_json(self) -> dict[str, str]:
        return {"name": self.name} if self.version is None else {"name": self.name, "version": self.version}


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """How one engine on one node is spread over its GPUs."""

    tp: int
    pp: int = 1
    dcp_size: int = 1
    pcp_size: int = 1
    ep: int | None = None
    """Expert parallelism as written; None counts as 1."""
    dp_attn: bool = False

    @property
    def gpus(self) -> int:
        return self.tp * self.pp * self.pcp_size


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """One pool of a multi-node deployment: its workers, and how each is spread over GPUs."""

    num_worker: int
    tp: int
    ep: int
    dp_attn: bool
    pp: int = 1
    dcp_size: int = 1
    pcp_size: int = 1
    additional_settings: tuple[str, ...] | None = None
    hardware: str | None = None

    @property
    def gpus(self) -> int:
        """GPUs of one worker."""
        return self.tp * self.pp * self.pcp_size

    def as_json(self) -> dict[str, Any]:
        """As a row carries it: optional fields only when written."""
        row: dict[str, Any] = {
            "num-worker": self.num_worker,
            "tp": self.tp,
            "ep": self.ep,
            "dp-attn": self.dp_attn,
            "pp": self.pp,
            "dcp-size": self.dcp_size,
            "pcp-size": self.pcp_size,
        }
        if self.additional_settings is not None:
            row["additional-settings"] = list(self.additional_settings)
        if self.hardware is not None:
            row["hardware"] = self.hardware
        return row


@dataclass(frozen=True, slots=True, kw_only=True)
class Pools:
    """Disaggregated topology: where prompts are read and where tokens are made."""

    prefill: Worker
    decode: Worker


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Concurrencies from `start` to `end`, both included, by a step chosen later."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """One element of a search space: a topology and the concurrencies to measure it at."""

    topology: Engine | Pools
    conc: Span | tuple[int, ...]
    spec_decoding: str = "none"
    router: Component | None = None
    """In effect here: the entry's own, else the config's."""
    kv_p2p_transfer: str | None = None
    """In effect here: the entry's own, else the config's."""
    offload: Component | None = None
    """KV offload backend in host DRAM; None keeps the KV cache on the GPU."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedItem:
    """Fixed input and output lengths, in tokens."""

    isl: int
    osl: int
    search: tuple[Search, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgenticItem:
    """Replay of agent traces."""

    dram_utilization: Decimal | None
    """Share of the host memory for KV offload, exactly as written."""
    search: tuple[Search, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """One config key."""

    key: str
    file: str
    """Name of the master file, for messages."""
    image: str
    model: str
    model_prefix: str
    precision: str
    framework: str
    runner: str
    multinode: bool
    disagg: bool
    fixed: tuple[FixedItem, ...]
    agentic: tuple[AgenticItem, ...]
    source: Mapping[str, Any]
    """The mapping as written, for comparing two states of a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardware:
    """One node of a runner label."""

    available_cpu_dram_mib: int
    gpus_per_node: int


@dataclass(frozen=True, kw_only=True)
class Runners:
    """`configs/runners.yaml`: nodes and hardware by runner label."""

    labels: Mapping[str, tuple[str, ...]]
    hardware: Mapping[str, Hardware]


@dataclass(frozen=True, kw_only=True)
class Catalog:
    """Everything that rows come from: all configs in file order, and the runners."""

    configs: Mapping[str, Config]
    runners: Runners
