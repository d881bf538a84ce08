"""Speculation: how a recipe drafts tokens and which acceptance it pins, by what it tells its engine."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from infx.errors import BadInput

Names = Mapping[str, str]
"""Flag (`--tp-size`) or variable → value, as a script or recipe variant gives it."""

METHODS: Mapping[str, Mapping[str, str]] = {
    "sglang": {"EAGLE": "mtp", "NEXTN": "mtp", "EAGLE3": "eagle3", "DFLASH": "dflash", "DSPARK": "dspark"},
    "vllm": {
        "mtp": "mtp",
        "deepseek_mtp": "mtp",
        "qwen3_next_mtp": "mtp",
        "qwen3_5_mtp": "mtp",
        "glm4_moe_mtp": "mtp",
        "eagle": "eagle",
        "eagle3": "eagle3",
        "dflash": "dflash",
    },
    "trt": {"MTP": "mtp", "Eagle": "eagle", "Eagle3": "eagle3"},
    "atom": {"mtp": "mtp", "eagle3": "eagle3"},
}
"""Engine → its name of a method → the word that golden curves use. What is not here is refused by name."""
DRAFT_PATHS = ("--speculative-draft-model-path", "--speculative-draft-model", "--speculative_model_dir")
PINS = {
    "sglang": "SGLANG_SIMULATE_ACC_LEN",
    "vllm": "synthetic_acceptance_length",
    "trt": "TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS",
    "atom": "--spec-decode-acceptance-length",
}
"""Engine → what pins its acceptance."""


@dataclass(frozen=True, kw_only=True)
class Draft:
    """How tokens are drafted."""

    method: str
    """`mtp`, `eagle3`, `dflash`, …"""
    length: int
    """Draft length K: tokens that are drafted a step."""
    model: str = ""
    """Checkpoint of a separate draft; empty for heads inside the checkpoint."""


def engine_of(framework: str) -> str:
    """`dynamo-sglang` is the engine `sglang`."""
    return framework.rpartition("-")[2]


def draft(framework: str, flags: Names, variables: Names) -> Draft | None:
    """What the recipe drafts with; None when it does not. BadInput names a method or length that is none."""
    found = READERS.get(engine_of(framework))
    return found(flags, variables) if found else None


def pinned(framework: str, flags: Names, variables: Names) -> float | None:
    """Acceptance length that the recipe pins; None for none. BadInput when it is no number."""
    engine = engine_of(framework)
    name = PINS.get(engine, "")
    held = {**flags, **variables, **(config(flags) if engine == "vllm" else {})}
    text = held.get(name, held.get(f"--{name}"))
    if text is None:
        return None
    value = real(text, name)
    return value + 1 if engine == "trt" else value


def _sglang(flags: Names, variables: Names) -> Draft | None:
    name = flags.get("--speculative-algorithm")
    if name is None:
        return None
    base = "DFLASH" if name.startswith("DFLASH") else name
    method = known("sglang", base)
    model = next((flags[path] for path in DRAFT_PATHS if path in flags), "")
    if method in ("dflash", "dspark"):
        length = whole(flags, "--speculative-num-draft-tokens") - 1
        if length < 1:
            raise BadInput("a draft length of 0", where=name, todo="draft two tokens or more")
        return Draft(method=method, length=length, model=model)
    length = whole(flags, "--speculative-num-steps")
    if flags.get("--speculative-eagle-topk") == "1":
        tokens = whole(flags, "--speculative-num-draft-tokens")
        if tokens != length + 1:
            what = f"--speculative-num-draft-tokens {tokens} with --speculative-num-steps {length}"
            raise BadInput(what, where=name, todo=f"with topk 1 it must be {length + 1}")
    return Draft(method="eagle" if model and method == "mtp" else method, length=length, model=model)


def _vllm(flags: Names, variables: Names) -> Draft | None:
    given = config(flags)
    name = given.get("method")
    if name is None and "num_speculative_tokens" not in given:
        return None
    method = known("vllm", str(name))
    return Draft(
        method=method, length=whole(given, "num_speculative_tokens"), model=str(given.get("model", ""))
    )


def _trt(flags: Names, variables: Names) -> Draft | None:
    name = flags.get("--decoding_type")
    if name is None:
        return None
    field = next(
        (one for one in ("--num_nextn_predict_layers", "--max_draft_len") if one in flags), "--max_draft_len"
    )
    path = flags.get("--speculative_model_dir", "")
    return Draft(method=known("trt", name), length=whole(flags, field), model=path)


def _atom(flags: Names, variables: Names) -> Draft | None:
    name = flags.get("--method")
    if name is None and "--num-speculative-tokens" not in flags:
        return None
    length = whole(flags, "--num-speculative-tokens")
    return Draft(method=known("atom", name or "mtp"), length=length, model=flags.get("--draft-model", ""))


READERS: Mapping[str, Callable[[Names, Names], Draft | None]] = {
    "sglang": _sglang,
    "vllm": _vllm,
    "trt": _trt,
    "atom": _atom,
}


def config(flags: Names) -> Mapping[str, Any]:
    """vLLM's speculative config: JSON behind one flag, or the fields that a recipe file lists flatly."""
    text = next(
        (flags[name] for name in ("--speculative-config", "--speculative_config") if flags.get(name)), ""
    )
    if not text:
        names = ("method", "num_speculative_tokens", "model", "rejection_sample_method")
        return {name: flags[f"--{name}"] for name in (*names, PINS["vllm"]) if f"--{name}" in flags}
    try:
        value = json.loads(text.replace('\\"', '"'))
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise BadInput(
            "not a JSON object", where="--speculative-config", todo="write it out without variables"
        )
    return value


def known(engine: str, name: str) -> str:
    """The method behind an engine's name for it."""
    methods = METHODS[engine]
    if name not in methods:
        raise BadInput(
            f"{name!r:.40} is no method that is known for {engine}", todo=f"use one of {', '.join(methods)}"
        )
    return methods[name]


def whole(given: Mapping[str, Any], name: str) -> int:
    """A positive whole number; a boolean, a variable of the shell or a missing value is refused."""
    value = given.get(name)
    text = "" if value is None or isinstance(value, bool) else str(value)
    if not (text.isascii() and text.isdigit() and 0 < int(text[:9]) < 1000):
        raise BadInput(
            f"{value!r:.40} is no draft length", where=name, todo="write a whole number where it can be read"
        )
    return int(text)


def real(text: object, name: str) -> float:
    try:
        value = float(str(text))
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or isinstance(text, bool):
        raise BadInput(f"{text!r:.40} is no acceptance length", where=name, todo="write the number out")
    return value
