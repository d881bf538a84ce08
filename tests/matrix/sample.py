"""Small configs of our own: defaults, and what a test cares about."""

from typing import Any

import yaml

from infx.read.config import read_catalog
from infx.recipe import Catalog

RUNNERS: dict[str, Any] = {
    "labels": {"box": ["box-a_0", "box-b_0"], "cluster:alpha": ["alpha-0"]},
    "hardware": {"cluster:alpha": {"available-cpu-dram-mib": 1_500_000, "gpus-per-node": 8}},
}


def worker(**changes: Any) -> dict[str, Any]:
    return {"num-worker": 1, "tp": 8, "ep": 1, "dp-attn": False, **named(changes)}


def named(fields: dict[str, Any]) -> dict[str, Any]:
    """`dp_attn` is `dp-attn`."""
    return {name.replace("_", "-"): value for name, value in fields.items()}


def engine(**changes: Any) -> dict[str, Any]:
    """A single-node entry."""
    return {"tp": 8, "conc-list": [16], **named(changes)}


def pools(**changes: Any) -> dict[str, Any]:
    """A multi-node entry."""
    return {"prefill": worker(), "decode": worker(), "conc-list": [16, 64], **named(changes)}


def config(*, fixed: Any = None, agentic: Any = None, isl: int = 8192, **changes: Any) -> dict[str, Any]:
    """A config with the given entries; single-node unless an entry has pools."""
    scenarios: dict[str, Any] = {}
    if fixed is not None:
        scenarios["fixed-seq-len"] = [{"isl": isl, "osl": 1024, "search-space": fixed}]
    if agentic is not None:
        scenarios["agentic-coding"] = [{"dram-utilization": 0.5, "search-space": agentic}]
    return {
        "image": "img:1",
        "model": "org/Model",
        "model-prefix": "mo",
        "precision": "fp8",
        "framework": "sglang",
        "runner": "cluster:alpha" if agentic is not None else "box",
        "multinode": any("prefill" in entry for entry in [*(fixed or []), *(agentic or [])]),
        "scenarios": scenarios,
        **named(changes),
    }


def trace(**changes: Any) -> dict[str, Any]:
    """A single-node agentic entry."""
    return engine(**{"kv_offloading": "none", **changes})


def dram(**changes: Any) -> dict[str, Any]:
    """A single-node agentic entry that offloads."""
    return trace(**{"kv_offloading": "dram", "kv_offload_backend": {"name": "cachex"}, **changes})


def dump(value: Any) -> bytes:
    return yaml.safe_dump(value, sort_keys=False).encode()


def catalog(runners: Any = None, **configs: Any) -> Catalog:
    return read_catalog([("master.yaml", dump(named(configs)))], ("runners.yaml", dump(runners or RUNNERS)))
