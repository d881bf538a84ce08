"""Points and plans of the demo, as the runtime gets them."""

from typing import Any

from infx.plan import KeyPlan, Plan
from infx.point import EVAL, THROUGHPUT, Fingerprint, Point

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


def fixed(conc: int = 4, *, isl: int = 128, osl: int = 8, **row: Any) -> Point:
    """A fixed-sequence throughput point."""
    own = {
        "isl": isl,
        "osl": osl,
        "conc": conc,
        "max-model-len": isl + osl + 256,
        "exp-name": f"demo_{isl}_{osl}",
    }
    return point({**COMMON, **own, "disagg": False, "run-eval": False, **row}, FIXED)


def agentic(conc: int = 2, **row: Any) -> Point:
    """An agentic throughput point."""
    own = {"conc": conc, "kv-offloading": "none", "total-cpu-dram-gb": 0, "duration": 3600}
    return point(
        {
            **COMMON,
            **own,
            "scenario-type": "agentic-coding",
            "exp-name": f"demo_tp1_conc{conc}_kvnone",
            **row,
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


def plan(head: str, *points: Point, deadline_s: int = 60) -> Plan:
    """The first point is the canary, the others are its candidates in order."""
    ids = tuple(one.id for one in points)
    key = KeyPlan(key=points[0].key, canary=ids[0], candidates=ids[1:], deadline_s=deadline_s)
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
