"""One config to its rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from infx.errors import Refused
from infx.matrix.budget import dram_gb
from infx.matrix.ladder import NO_BOUNDS, Bounds, clipped, filtered, single_fixed
from infx.recipe import (
    AGENTIC,
    FIXED,
    SCENARIOS,
    AgenticItem,
    Config,
    Engine,
    FixedItem,
    Pools,
    Runners,
    Search,
    Worker,
)

Row = dict[str, Any]

DURATION_S = 3600
"""Measured seconds of an agentic row."""
SPARE_TOKENS = 256
"""Room in the context beyond input and output."""
LENGTHS = {(1024, 1024): "1k1k", (8192, 1024): "8k1k"}


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a command lets through of a config that it selected."""

    scenarios: tuple[str, ...] = SCENARIOS
    lengths: tuple[str, ...] = ()
    """Names of fixed lengths; empty lets all through."""
    bounds: Bounds = NO_BOUNDS
    max_tp: int | None = None
    max_ep: int | None = None


def length_name(isl: int, osl: int) -> str:
    """`1k1k`, `8k1k`, or the two lengths."""
    return LENGTHS.get((isl, osl)) or f"{isl}_{osl}"


def expand(config: Config, limits: Limits, *, runners: Runners, runner: str) -> Iterator[Row]:
    """Rows of one config for one runner name, fixed-length items first. Refused when an entry cannot run."""
    if FIXED in limits.scenarios:
        for item in config.fixed:
            if not limits.lengths or length_name(item.isl, item.osl) in limits.lengths:
                yield from _named(_fixed(config, item, limits=limits), runner)
    if AGENTIC in limits.scenarios:
        for trace in config.agentic:
            for entry in trace.search:
                yield from _named(_agentic(config, entry, item=trace, runners=runners, limits=limits), runner)


def _named(rows: Iterator[Row], runner: str) -> Iterator[Row]:
    for row in rows:
        row["runner"] = runner
        yield row


def _common(config: Config, entry: Search) -> Row:
    row: Row = {
        "image": config.image,
        "model": config.model,
        "model-prefix": config.model_prefix,
        "precision": config.precision,
        "framework": config.framework,
        "runner": config.runner,
        "spec-decoding": entry.spec_decoding,
    }
    if entry.router is not None:
        row["router"] = entry.router.as_json()
    if entry.kv_p2p_transfer is not None:
        row["kv-p2p-transfer"] = entry.kv_p2p_transfer
    return row


def _spread(topology: Engine | Pools) -> Row:
    """The topology's own fields."""
    if isinstance(topology, Pools):
        return {"prefill": topology.prefill.as_json(), "decode": topology.decode.as_json()}
    return {
        "tp": topology.tp,
        "pp": topology.pp,
        "dcp-size": topology.dcp_size,
        "pcp-size": topology.pcp_size,
        "ep": 1 if topology.ep is None else topology.ep,
        "dp-attn": topology.dp_attn,
    }


def _fixed(config: Config, item: FixedItem, *, limits: Limits) -> Iterator[Row]:
    for entry in item.search:
        row = _common(config, entry)
        row |= {"isl": item.isl, "osl": item.osl, **_spread(entry.topology)}
        rest = {
            "max-model-len": item.isl + item.osl + SPARE_TOKENS,
            "exp-name": f"{config.model_prefix}_{length_name(item.isl, item.osl)}",
            "disagg": config.disagg,
            "run-eval": False,
        }
        if isinstance(entry.topology, Pools):
            values = clipped(entry.conc, limits.bounds)
            if values:
                yield {**row, "conc": values, **rest}
        elif _fits(entry.topology, limits):
            if limits.max_ep is not None:
                row["ep"] = min(row["ep"], limits.max_ep)
            for conc in single_fixed(entry.conc, limits.bounds):
                yield {**row, "conc": conc, **rest}


def _fits(engine: Engine, limits: Limits) -> bool:
    """Within `--max-tp` and `--max-ep`; a limit of zero or less lets nothing through."""
    if limits.max_tp is not None and (limits.max_tp <= 0 or engine.tp > limits.max_tp):
        return False
    return limits.max_ep is None or limits.max_ep > 0


def _agentic(
    config: Config, entry: Search, *, item: AgenticItem, runners: Runners, limits: Limits
) -> Iterator[Row]:
    pools = isinstance(entry.topology, Pools)
    if pools != config.multinode:
        raise Refused(
            f"an agentic entry is {'multi' if pools else 'single'}-node, the config is not",
            where=f"{config.file}: {config.key}",
            todo="correct `multinode` or the entry",
        )
    row = _common(config, entry) | _spread(entry.topology)
    offload: Row = {"kv-offloading": "none"}
    if entry.offload is not None:
        offload = {"kv-offloading": "dram", "kv-offload-backend": entry.offload.as_json()}
    rest: Row = {
        "total-cpu-dram-gb": dram_gb(entry, item, config=config, runners=runners),
        "duration": DURATION_S,
    }
    if pools:
        rest["disagg"] = config.disagg
    rest["scenario-type"] = AGENTIC
    for conc in filtered(entry.conc, limits.bounds):
        name = {"exp-name": _agentic_name(config, entry, conc=conc)}
        yield {**row, "conc": [conc] if pools else conc, **offload, **rest, **name}


def _agentic_name(config: Config, entry: Search, *, conc: int) -> str:
    kv = f"kvdram-{entry.offload.name}" if entry.offload else "kvnone"
    topology = entry.topology
    if isinstance(topology, Pools):
        shape = f"p{_pool_name(topology.prefill)}_d{_pool_name(topology.decode)}"
        return f"{config.model_prefix}_{shape}_conc{conc}" + (f"_{kv}" if entry.offload else "")
    spec = "" if entry.spec_decoding == "none" else f"_spec-{entry.spec_decoding}"
    return f"{config.model_prefix}_tp{topology.tp}_conc{conc}_{kv}{spec}"


def _pool_name(worker: Worker) -> str:
    ep = "" if worker.ep == 1 else f"ep{worker.ep}"
    return f"{worker.num_worker}x{worker.tp}{ep}{'dpa' if worker.dp_attn else ''}"
