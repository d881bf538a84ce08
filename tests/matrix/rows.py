"""Rows and points for tests: defaults, and what the test cares about."""

from dataclasses import replace
from typing import Any

from infx.matrix.points import expected
from infx.point import EVAL, THROUGHPUT, Fingerprint, Mode, Point, row_fingerprint
from infx.rules import Canary, Durations

DURATIONS = Durations(fixed=1200, agentic_extra=1800, fast_profile=1200, eval=1200, recorded={})
CANARY = Canary(deadline_min=90, factor=2)
HICACHE = {"kv-offloading": "dram", "kv-offload-backend": {"name": "hicache"}}


def fixed(conc: int = 16, **fields: Any) -> dict[str, Any]:
    """A single-node fixed-sequence row."""
    return {
        "image": "repo/engine:1",
        "model": "org/model",
        "model-prefix": "m1",
        "precision": "fp8",
        "framework": "sglang",
        "runner": "cluster:h200-dgxc",
        "spec-decoding": "none",
        "isl": 1024,
        "osl": 1024,
        "tp": 8,
        "ep": 1,
        "dp-attn": False,
        "pp": 1,
        "pcp-size": 1,
        "conc": conc,
        "exp-name": "m1_1k1k",
        "run-eval": False,
        **fields,
    }


def trace(conc: int, **fields: Any) -> dict[str, Any]:
    """A single-node agentic row."""
    row = fixed(
        conc, **{"scenario-type": "agentic-coding", "duration": 3600, "kv-offloading": "none", **fields}
    )
    return {name: value for name, value in row.items() if name not in ("isl", "osl", "run-eval")}


def pool(workers: int = 1, tp: int = 8, **fields: Any) -> dict[str, Any]:
    return {"num-worker": workers, "tp": tp, "pp": 1, "pcp-size": 1, "ep": 1, "dp-attn": False, **fields}


def disagg(conc: list[int], **fields: Any) -> dict[str, Any]:
    """A multi-node fixed-sequence row."""
    return {**fixed(), "conc": conc, "prefill": pool(), "decode": pool(), **fields}


def point(row: dict[str, Any], key: str = "k1", mode: Mode = THROUGHPUT, **fields: Any) -> Point:
    made = Point(
        key=key,
        mode=mode,
        task="gsm8k" if mode == EVAL else None,
        row=row,
        fingerprint=Fingerprint(row=row_fingerprint(row), recipe="r", shared="s"),
        script="benchmarks/x.sh",
        reason="because",
        duration_s=1,
    )
    return replace(made, **{"duration_s": expected(made, DURATIONS, fast=False), **fields})


def h200() -> list[dict[str, Any]]:
    """The H200 agentic MTP recipe as first proposed: nine rows, in file order."""
    shape = {
        "ep": 8,
        "spec-decoding": "mtp",
        "model-prefix": "qwen3.5",
        "image": "lmsysorg/sglang:v0.5.16-cu130",
    }
    resident = [trace(conc, **shape) for conc in (1, 4, 8, 12, 16)]
    return resident + [trace(conc, **shape, **HICACHE) for conc in (4, 8, 12, 16)]
