"""Curve: which published rows belong on one line of a chart, and which measure the same thing over time."""

from collections.abc import Mapping
from typing import Any

from infx.canon import digest
from infx.recipe import AGENTIC

Row = Mapping[str, Any]
LENGTHS = {1024: "1k", 8192: "8k"}
POOL = ("tp", "pp", "dcp_size", "pcp_size", "ep", "dp_attention")
TOPOLOGY = (
    *POOL,
    *(f"{side}_{name}" for side in ("prefill", "decode") for name in (*POOL, "num_workers", "hw")),
)


def prefix(row: Row) -> str:
    """Model family; throughput and evaluation rows name the field differently."""
    return str(row.get("infmax_model_prefix") or row.get("model_prefix") or row.get("model", ""))


def hardware(row: Row) -> str:
    """Runner type in lower case: evaluation rows shout it."""
    return str(row.get("hw", "")).lower()


def scenario(row: Row) -> str:
    """`agentic-coding`, `8k1k`, `1024_128`."""
    if "isl" not in row:
        return str(row.get("scenario_type", AGENTIC))
    sizes = [row.get("isl"), row.get("osl")]
    short = [LENGTHS.get(size, "") if isinstance(size, int) else "" for size in sizes]
    return "".join(short) if all(short) else "_".join(str(size) for size in sizes)


def offload(row: Row) -> str:
    """Name of the KV offload backend; empty when KV stays on the GPU."""
    if row.get("kv_offloading", "none") == "none":
        return ""
    backend = row.get("kv_offload_backend")
    return str(backend.get("name", "") if isinstance(backend, Mapping) else row["kv_offloading"])


def concurrency(row: Row) -> int:
    """Requests in flight; the highest of a list."""
    conc = row.get("conc", 0)
    return max(conc, default=0) if isinstance(conc, list | tuple) else int(conc)


def curve_of(row: Row) -> str:
    """Equal for rows of one line: everything but topology, concurrency, image and versions."""
    parts = [
        prefix(row),
        hardware(row),
        str(row.get("framework", "")),
        str(row.get("precision", "")),
        scenario(row),
        "" if row.get("spec_decoding", "none") == "none" else str(row["spec_decoding"]),
        "disagg" if row.get("disagg") else "",
        offload(row),
        *(str(row.get(f"{side}_hw", "")) for side in ("prefill", "decode")),
    ]
    return " ".join(part for part in parts if part)


def shape(row: Row) -> str:
    """`TP8 EP8`, `P 1×TP4 D 2×TP8`: how the GPUs are used, for people."""
    if not row.get("is_multinode"):
        return _pool(row, "")
    return " ".join(
        f"{side[0].upper()} {row.get(f'{side}_num_workers', 1)}×{_pool(row, f'{side}_')}"
        for side in ("prefill", "decode")
    )


def _pool(row: Row, start: str) -> str:
    words = [f"TP{row.get(f'{start}tp', '?')}"]
    for name in ("pp", "dcp_size", "pcp_size", "ep"):
        size = row.get(f"{start}{name}", 1)
        words += [f"{name.removesuffix('_size').upper()}{size}"] if size not in (1, None) else []
    return " ".join(words + (["DPA"] if row.get(f"{start}dp_attention") else []))


def series_of(row: Row, task: str = "") -> str:
    """First 16 hex digits of a digest that stays the same while image and versions of one point move on."""
    topology = [row.get(name) for name in TOPOLOGY]
    return digest([curve_of(row), str(row.get("conc")), task or row.get("task", ""), topology])[:16]
