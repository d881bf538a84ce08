"""Speculation as engines are told it → Spoken. Flags and variables come from a script or a recipe file."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from infx.golden import Engine, Spoken, Stated

ALIASES = {"tensorrt": Engine.TRT, "trtllm": Engine.TRT}
DRAFT_TOKENS = "--speculative-num-draft-tokens"
Reader = Callable[[Stated], Mapping[str, Any]]


def spoken(framework: str, stated: Stated) -> Spoken:
    """What the recipe says of method and draft length; nothing is judged."""
    engine = engine_of(framework)
    if engine is None:
        return Spoken(framework=framework, engine=None)
    return Spoken(framework=framework, engine=engine, **READERS[engine](stated))


def engine_of(framework: str) -> Engine | None:
    """`dynamo-sglang` and `sglang-disagg` are SGLang; None for an engine without a rule."""
    words = re.split(r"[-_]", framework.lower())
    found = [ALIASES.get(word) or next((one for one in Engine if one == word), None) for word in words]
    return next((one for one in found if one), None)


def config(stated: Stated) -> dict[str, Any]:
    """vLLM's speculative config, from JSON; empty when there is none or it is no object."""
    try:
        found = json.loads(stated.flags.get("--speculative-config", "{}"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _sglang(stated: Stated) -> Mapping[str, Any]:
    name = stated.flags.get("--speculative-algorithm", "")
    tokens = stated.flags.get(DRAFT_TOKENS)
    if name.startswith("DFLASH"):
        return {"method": name, "length": tokens, "flag": DRAFT_TOKENS, "less": 1}
    # With one branch it proposes K tokens beside its own; with more, any number may be kept.
    chain = stated.flags.get("--speculative-eagle-topk") == "1"
    flag = "--speculative-num-steps"
    return {
        "method": name,
        "length": stated.flags.get(flag),
        "flag": flag,
        "tokens": tokens if chain else None,
    }


def _vllm(stated: Stated) -> Mapping[str, Any]:
    found = config(stated)
    method = found.get("method") or ("draft_model" if found.get("model") else "")
    return {
        "method": str(method),
        "length": found.get("num_speculative_tokens"),
        "flag": "num_speculative_tokens",
    }


def _trt(stated: Stated) -> Mapping[str, Any]:
    names = ("num_nextn_predict_layers", "max_draft_len")
    flag = next((name for name in names if f"--{name}" in stated.flags), names[0])
    return {
        "method": stated.flags.get("--decoding_type", ""),
        "length": stated.flags.get(f"--{flag}"),
        "flag": flag,
    }


def _atom(stated: Stated) -> Mapping[str, Any]:
    flag = "--num-speculative-tokens"
    return {"method": stated.flags.get("--method", ""), "length": stated.flags.get(flag), "flag": flag}


READERS: Mapping[Engine, Reader] = {
    Engine.SGLANG: _sglang,
    Engine.VLLM: _vllm,
    Engine.TRT: _trt,
    Engine.ATOM: _atom,
}
