"""The memory bound of decoding: no step is faster than reading weights and attended KV cache once. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

WIDTH = {"bfloat16": 2, "float16": 2, "float32": 4}
"""Bytes of one number, by the `dtype` of a checkpoint's config."""


@dataclass(frozen=True, kw_only=True)
class Bytes:
    """What one decode step of a dense model reads, on all its GPUs together."""

    weights: float
    """Once a step, however many sequences it holds. The input embedding is looked up, not read."""
    kv: float
    """For each token that a sequence attends to."""


@dataclass(frozen=True, kw_only=True)
class Bound:
    """One point beside its bound, in output tokens per second of the whole deployment."""

    achieved: float
    bound: float

    @property
    def share(self) -> float:
        return self.achieved / self.bound

    def as_json(self) -> dict[str, float]:
        return {"achieved_tok_s": self.achieved, "bound_tok_s": self.bound, "share": self.share}

    @property
    def text(self) -> str:
        return f"{self.achieved:.0f} of {self.bound:.0f} output tok/s by memory bandwidth ({self.share:.0%})"


def reads(config: Mapping[str, Any]) -> Bytes | None:
    """From the `config.json` of a checkpoint; None for a mixture of experts or an unknown number format."""
    width = WIDTH.get(str(config.get("dtype") or config.get("torch_dtype")))
    experts = any("expert" in name for name in config)
    try:
        hidden, layers = config["hidden_size"], config["num_hidden_layers"]
        heads, kv_heads = config["num_attention_heads"], config["num_key_value_heads"]
        size = config.get("head_dim") or hidden // heads
        attention = 2 * hidden * heads * size + 2 * hidden * kv_heads * size
        layer = attention + 3 * hidden * config["intermediate_size"]
        weights = layers * layer + config["vocab_size"] * hidden
    except (KeyError, TypeError):
        return None
    if width is None or experts:
        return None
    return Bytes(weights=weights * width, kv=2 * layers * kv_heads * size * width)


def bound(row: Mapping[str, Any], step: Bytes, *, copy: float, gpus: int) -> Bound | None:
    """`copy` is bytes per second of one GPU. None when the row does not say how long its sequences are.

    A step holds at most `conc` sequences, each of the prompt and on average half of its answer.
    """
    length = context(row)
    if length is None:
        return None
    conc = float(row["conc"])
    seconds = (step.weights + conc * length * step.kv) / (copy * gpus)
    return Bound(achieved=float(row["output_tput_per_gpu"]) * gpus, bound=conc / seconds)


def context(row: Mapping[str, Any]) -> float | None:
    """Tokens that one decoded token attends to, on average."""
    if "isl" in row:
        return float(row["isl"]) + float(row["osl"]) / 2
    seen = row.get("request_metrics") or {}
    if "input_tokens" in seen and "output_tokens" in seen:
        return float(seen["input_tokens"]["mean"]) + float(seen["output_tokens"]["mean"]) / 2
    return None
