"""Measurement and Point → published row, with the community's names and units. Pure."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from infx.point import Point
from infx.results import requests
from infx.results.accuracy import Floor
from infx.results.validity import TO_SECONDS, value
from infx.row import Load, Phase, Score

LATENCIES = {
    "ttft": "time_to_first_token",
    "tpot": "inter_token_latency",
    "itl": "inter_chunk_latency",
    "e2el": "request_latency",
}
"""Published name → aiperf's. Its inter-token latency is one mean a request, which is what TPOT means; the
gaps between single chunks are its inter-chunk latency."""
STATISTICS = {"mean": "avg", "median": "p50", "std": "std", "p90": "p90", "p99": "p99"}
NESTED = {"mean": "avg", "p50": "p50", "p75": "p75", "p90": "p90", "p95": "p95", "std": "std"}


def load_row(point: Point, load: Load, *, conc: int | None = None) -> dict[str, Any]:
    """Row of a load run in which `validity.load_fault` found nothing; `conc` is its one of the point's."""
    row = identity(point) | topology(point) | rates(point, load) | latencies(load)
    if conc is not None:
        row["conc"] = conc
    if "isl" not in point.row:
        row |= agentic(point, load)
    own = requests.errors(load.requests, point.concurrencies[0])
    return row | ({"request_error": own} if own else {}) | {"client": load.client, "result_time": load.ended}


def identity(point: Point) -> dict[str, Any]:
    """Fields that say what was measured, as far as the matrix row has them."""
    row = point.row
    conc = point.concurrencies
    found = {
        "hw": point.hardware,
        "conc": conc[0] if len(conc) == 1 else list(conc),
        "image": row["image"],
        "model": row["model"],
        "infmax_model_prefix": row["model-prefix"],
        "framework": row["framework"],
        "precision": row["precision"],
        "spec_decoding": row["spec-decoding"],
        "disagg": row.get("disagg", False),
    }
    optional = {
        "recipe_fingerprint": "recipe-fingerprint",
        "isl": "isl",
        "osl": "osl",
        "scenario_type": "scenario-type",
        "router": "router",
        "kv_p2p_transfer": "kv-p2p-transfer",
        "kv_offloading": "kv-offloading",
        "kv_offload_backend": "kv-offload-backend",
        "allocated_cpu_dram_gb": "total-cpu-dram-gb",
    }
    return found | {ours: row[theirs] for ours, theirs in optional.items() if theirs in row}


def topology(point: Point) -> dict[str, Any]:
    """How the GPUs are used."""
    if not point.multinode:
        return {"is_multinode": False, **pool(point.row)}
    found: dict[str, Any] = {"is_multinode": True}
    for side in ("prefill", "decode"):
        worker = point.row[side]
        found |= {f"{side}_{name}": value for name, value in pool(worker).items()}
        found[f"{side}_num_workers"] = worker["num-worker"]
        found[f"num_{side}_gpu"] = gpus(worker)
        if "hardware" in worker:
            found[f"{side}_hw"] = worker["hardware"]
    return found


def pool(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "tp": row["tp"],
        "pp": row.get("pp", 1),
        "dcp_size": row.get("dcp-size", 1),
        "pcp_size": row.get("pcp-size", 1),
        "ep": row.get("ep", 1),
        "dp_attention": row.get("dp-attn", False),
    }


def gpus(worker: Mapping[str, Any]) -> int:
    return int(worker["num-worker"] * worker["tp"] * worker.get("pp", 1) * worker.get("pcp-size", 1))


def rates(point: Point, load: Load) -> dict[str, float]:
    """Tokens per second and GPU, over the measured window."""
    given = load.metrics["input_token_throughput"]["avg"]
    made = load.metrics["output_token_throughput"]["avg"]
    prefill, decode = point.gpus, point.gpus
    if point.multinode:
        prefill = gpus(point.row["prefill"]) or point.gpus
        decode = gpus(point.row["decode"]) or point.gpus
    return {
        "tput_per_gpu": (given + made) / point.gpus,
        "output_tput_per_gpu": made / decode,
        "input_tput_per_gpu": given / prefill,
    }


def latencies(load: Load) -> dict[str, float]:
    """Seconds; and for each TPOT but its spread the interactivity 1/TPOT in tokens per second and user."""
    found = {}
    for ours, theirs in LATENCIES.items():
        metric = load.metrics.get(theirs)
        if metric is None:
            continue
        scale = TO_SECONDS[metric["unit"]]
        for statistic, name in STATISTICS.items():
            seconds = metric[name] * scale
            found[f"{statistic}_{ours}"] = seconds
            if ours == "tpot" and statistic != "std" and seconds > 0:
                found[f"{statistic}_intvty"] = 1 / seconds
    return found


def agentic(point: Point, load: Load) -> dict[str, Any]:
    """Fields of a replay: what was issued, dropped and measured, and what the cache gave."""
    profile, rates_ = load.profile, load.metrics
    given, made = rates_["input_token_throughput"]["avg"], rates_["output_token_throughput"]["avg"]
    return {
        "num_requests_total": profile.issued,
        "num_requests_successful": profile.completed,
        "error_share": profile.failed / max(profile.issued, 1),
        "request_accounting": accounting(load.warmup, profile, load.errors),
        "request_metrics": nested(load.metrics),
        "server_metrics": {"prefix_cache_hit_rate": cache_rate(load.metrics)},
        "total_tput_tps": (given + made) / point.gpus,
        "output_tput_tps": made / point.gpus,
        "input_tput_tps": given / point.gpus,
        "corpus": load.corpus.as_json() if load.corpus else None,
        "warnings": [f"{profile.cancelled} requests cancelled at the end"] if profile.cancelled else [],
    }


def accounting(warmup: Phase, profile: Phase, errors: Mapping[str, int]) -> dict[str, Any]:
    return {
        "records_total": warmup.issued + profile.issued,
        "records_profiled": profile.completed,
        "records_dropped_total": warmup.issued + profile.failed + profile.cancelled,
        "records_warmup_dropped": warmup.issued,
        "records_error_dropped": profile.failed,
        "error_categories": dict(errors),
    }


def nested(metrics: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """Latencies in seconds and token counts, each with mean, percentiles and spread."""
    found = {}
    counts = {"input_tokens": "input_sequence_length", "output_tokens": "output_sequence_length"}
    for ours, theirs in (LATENCIES | counts).items():
        scale = TO_SECONDS.get(str(metrics.get(theirs, {}).get("unit")), 1)
        made = {statistic: value(metrics, theirs, name) for statistic, name in NESTED.items()}
        numbers = {name: one * scale for name, one in made.items() if one is not None and isfinite(one)}
        if len(numbers) == len(NESTED):
            found[ours] = numbers
    return found


def cache_rate(metrics: Mapping[str, Mapping[str, Any]]) -> float | None:
    """Share of prompt tokens found in the prefix cache, as the server reports them; None when it does not."""
    percent = value(metrics, "overall_usage_prompt_cache_read_pct")
    return percent / 100 if percent is not None and isfinite(percent) else None


def eval_row(point: Point, score: Score, floor: Floor) -> dict[str, Any]:
    """Evaluation row. Scores are shares of 1; `score` is the strict one, which the threshold judges."""
    row = identity(point) | topology(point)
    row["model_prefix"] = row.pop("infmax_model_prefix")
    return row | {
        "hw": point.hardware.upper(),
        "conc": score.conc,
        "task": score.task,
        "em_strict": score.strict,
        "em_strict_se": score.strict_se,
        "em_flexible": score.flexible,
        "em_flexible_se": score.flexible_se,
        "n_eff": score.scored,
        "score": score.strict,
        "score_name": "em_strict",
        "source": "results.json",
        "threshold": floor.value,
        "threshold_source": floor.source,
        "extraction": score.extraction,
        "client": score.client,
        "result_time": score.ended,
    }
