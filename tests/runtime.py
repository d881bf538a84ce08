"""Points, plans and checkouts of the demo, as the runtime gets them."""

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from infx.plan import KeyPlan, Plan
from infx.point import EVAL, THROUGHPUT, Fingerprint, Point
from infx.row import Load, Phase

ROOT = Path(__file__).parent.parent

FIXED = "benchmarks/single_node/fixed_seq_len/demo_bf16_local.sh"
AGENTIC = "benchmarks/single_node/agentic/demo_bf16_local.sh"
COMMON: dict[str, Any] = {
    "image": "infx/simulator:1",
    "model": "infx/demo-bytes",
    "model-prefix": "demo",
    "precision": "bf16",
    "framework": "sim",
    "runner": "cluster:local",
    "spec-decoding": "none",
    "tp": 1,
    "pp": 1,
    "dcp-size": 1,
    "pcp-size": 1,
    "ep": 1,
    "dp-attn": False,
}


def fixed(conc: int = 4, *, isl: int = 128, osl: int = 8, row: Mapping[str, Any] | None = None) -> Point:
    """A fixed-sequence throughput point."""
    own = {
        "isl": isl,
        "osl": osl,
        "conc": conc,
        "max-model-len": isl + osl + 256,
        "exp-name": f"demo_{isl}_{osl}",
    }
    return point({**COMMON, **own, "disagg": False, "run-eval": False, **(row or {})}, FIXED)


def agentic(conc: int = 2, *, row: Mapping[str, Any] | None = None) -> Point:
    """An agentic throughput point."""
    own = {"conc": conc, "kv-offloading": "none", "total-cpu-dram-gb": 0, "duration": 3600}
    return point(
        {
            **COMMON,
            **own,
            "scenario-type": "agentic-coding",
            "exp-name": f"demo_tp1_conc{conc}_kvnone",
            **(row or {}),
        },
        AGENTIC,
    )


def evaluation(conc: int = 8) -> Point:
    """The agentic recipe, scored."""
    row = {**agentic(conc).row, "run-eval": True, "eval-only": True}
    return point(row, AGENTIC, task="gsm8k")


def point(row: dict[str, Any], script: str, *, task: str | None = None) -> Point:
    return Point(
        key="demo-bf16-local-sim",
        mode=EVAL if task else THROUGHPUT,
        task=task,
        row=row,
        fingerprint=Fingerprint(row="a" * 64, recipe="b" * 64, shared="c" * 64),
        script=script,
        reason="changed",
        duration_s=20,
    )


def plan(head: str, *points: Point, deadline_s: int = 60, next_deadline_s: int | None = None) -> Plan:
    """The first point is the canary, the others are its candidates in order."""
    ids = tuple(one.id for one in points)
    key = KeyPlan(
        key=points[0].key,
        canary=ids[0],
        candidates=ids[1:],
        deadline_s=deadline_s,
        next_deadline_s=next_deadline_s,
    )
    return Plan(
        repository="acme/infx",
        pr=1,
        head_sha=head,
        merge_base="0" * 40,
        primary="full-sweep-fail-fast",
        modifiers=(),
        fail_fast=True,
        reusable=True,
        fast=False,
        points=points,
        keys=(key,),
    )


def load(**changes: Any) -> Load:
    """A flawless load run of `fixed()`: 12 requests of 128 in, 8 out."""
    latency = {
        "unit": "ms",
        "avg": 20.0,
        "p50": 20.0,
        "p75": 21.0,
        "p90": 22.0,
        "p95": 23.0,
        "p99": 24.0,
        "std": 1.0,
    }
    rate = {"output_token_throughput": 80.0, "input_token_throughput": 1280.0, "request_throughput": 10.0}
    good = Load(
        client="aiperf 0.13.0",
        model="infx/demo-bytes",
        started=1000.0,
        ended=1002.0,
        requested=12,
        complete=True,
        warmup=Phase(completed=4),
        profile=Phase(completed=12),
        metrics={
            **{name: {"unit": "tokens/sec", "avg": value} for name, value in rate.items()},
            "benchmark_duration": {"unit": "sec", "avg": 1.2},
            "time_to_first_token": latency,
            "request_latency": latency,
            "inter_token_latency": {**latency, "avg": 5.0},
            "inter_chunk_latency": latency,
            "total_output_tokens": {"unit": "tokens", "avg": 96.0},
            "input_sequence_length": {"unit": "tokens", **length(128)},
            "output_sequence_length": {"unit": "tokens", **length(8)},
        },
    )
    return replace(good, **changes)


def length(tokens: float) -> dict[str, float]:
    return dict.fromkeys(("avg", "min", "max", "p50", "p75", "p90", "p95"), tokens) | {"std": 0.0}


def measured(name: str, **statistics: Any) -> dict[str, Any]:
    """The metrics of `load()` with some statistics of one metric changed."""
    metrics = dict(load().metrics)
    return {**metrics, name: {**metrics[name], **statistics}}


def checkout(folder: Path, *, engine: str = "", cluster: str = "") -> str:
    """A repository with what a cell needs; its head. `engine` replaces the demo's script."""
    for name in ("benchmarks", "configs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    if engine:
        (folder / FIXED).write_text(engine)
    if cluster:
        (folder / "configs" / "clusters.yaml").write_text(cluster)
    git = ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "a demo"]):
        subprocess.run([*git, *words], check=True)
    return subprocess.run(
        [*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
