"""Topologies that no node can hold, found before a GPU finds out."""

from collections.abc import Iterator, Mapping
from typing import Any

from infx.recipe import Hardware


def faults(row: Mapping[str, Any], hardware: Hardware | None) -> Iterator[str]:
    """What is impossible about the topology of a row; `hardware` is None where runners.yaml has no record."""
    if "prefill" not in row:
        yield from _engine(row, "the engine", hardware)
        gpus = _gpus(row)
        if hardware and gpus > hardware.gpus_per_node:
            yield f"a single-node engine of {gpus} GPUs on nodes of {hardware.gpus_per_node}"
        return
    if not row["prefill"]["num-worker"] + row["decode"]["num-worker"]:
        yield "neither pool has a worker"
    for name in ("prefill", "decode"):
        if row[name]["num-worker"]:
            yield from _engine(row[name], f"a {name} worker", hardware)
            yield from _tiles(row[name], f"a {name} worker", hardware)


def _engine(spread: Mapping[str, Any], what: str, hardware: Hardware | None) -> Iterator[str]:
    """Faults of one engine by itself. With attention data-parallel, experts may span several engines."""
    gpus, experts = _gpus(spread), spread["ep"]
    if gpus < 1:
        yield f"{what} of {gpus} GPUs"
    elif experts > gpus and not spread["dp-attn"]:
        yield f"{what} of {gpus} GPUs cannot spread experts over {experts}"
    elif experts > 0 and gpus % experts and experts % gpus:
        yield f"{what} of {gpus} GPUs does not divide into expert groups of {experts}"


def _tiles(spread: Mapping[str, Any], what: str, hardware: Hardware | None) -> Iterator[str]:
    if hardware is None or (gpus := _gpus(spread)) < 1:
        return
    node = hardware.gpus_per_node
    if gpus % node if gpus > node else node % gpus:
        yield f"{what} of {gpus} GPUs does not tile nodes of {node}"


def _gpus(spread: Mapping[str, Any]) -> int:
    return int(spread["tp"] * spread.get("pp", 1) * spread.get("pcp-size", 1))
