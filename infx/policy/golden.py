"""Speculation of a recipe and its golden acceptance: method, draft length, recorded value, pins.

Pure and total: every function answers with what it found, or with a Fault that names the remedy.
"""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from infx.golden import Acceptance, Curve, Draft, Engine, Fault, Flaw, Pins, Spoken, Stated, Thinking

METHODS: Mapping[Engine, tuple[str, ...]] = {
    Engine.SGLANG: ("EAGLE", "EAGLE3", "NEXTN", "DFLASH*"),
    Engine.VLLM: ("mtp", "*_mtp", "eagle", "eagle3", "draft_model", "dflash*", "dspark*"),
    Engine.TRT: ("MTP", "Eagle", "Eagle3", "DraftTarget"),
    Engine.ATOM: ("mtp", "eagle", "eagle3"),
}
"""Names that an engine knows, as its recipe writes them; a star stands for any generation or model."""
HEADS = ("nextn", "mtp")
"""Names that always mean the draft head inside a checkpoint."""
COLLECT = (
    "collect it with a SPEED-Bench run and commit the curve (docs/golden.md); never adjust a value by hand"
)
FROM_V0516 = "SGLANG_SIMULATE_ACC_TOKEN_MODE"
PRECISIONS = re.compile(r"(?<![a-z0-9])(nvfp4|mxfp4|fp4|fp8|bf16|int4)(?![a-z0-9])", re.IGNORECASE)
SKUS = re.compile(
    r"(?<![a-z0-9])(h100|h200|b200|b300|gb200|gb300|mi300x|mi325x|mi355x)(?![a-z0-9])", re.IGNORECASE
)


def draft(spoken: Spoken, *, spec: str) -> Draft | Fault:
    """Method and K of a recipe that speculates; `spec` is the row's `mtp` or `draft_model`."""
    engine, name = spoken.engine, spoken.method
    if engine is None:
        what = f"no rule for speculation on {spoken.framework}"
        return Fault(flaw=Flaw.UNKNOWN_ENGINE, what=what, todo=f"known: {', '.join(Engine)}")
    if not name:
        what = f"{engine} is given no method"
        return Fault(flaw=Flaw.NO_METHOD, what=what, todo=f"name one of {_known(engine)}")
    if not any(re.fullmatch(one.replace("*", ".*"), name) for one in METHODS[engine]):
        what = f"{engine} has no method {name}"
        return Fault(flaw=Flaw.UNKNOWN_METHOD, what=what, todo=f"use one of {_known(engine)}")
    number = _whole(spoken.length)
    if number is None or number - spoken.less < 1:
        what = f"{spoken.flag} is {spoken.length!r}, no draft length"
        return Fault(flaw=Flaw.NO_LENGTH, what=what, todo="give a whole number, the method's draft tokens")
    length = number - spoken.less
    if spoken.tokens not in (None, str(length + 1)):
        what = f"{spoken.tokens} draft tokens beside {length} steps"
        return Fault(flaw=Flaw.UNEQUAL_LENGTH, what=what, todo=f"write {length + 1}, or other steps")
    return Draft(engine=engine, method=_curve_method(name, spec), length=length)


def acceptance(
    curves: Mapping[str, Curve], prefix: str, found: Draft, thinking: Thinking
) -> Acceptance | Fault:
    """The recorded value for (model prefix, method, thinking mode, K): looked up, never interpolated."""
    names = [f"{prefix}{joint}{found.method}" for joint in "_-"]
    curve = next((curves[name] for name in names if name in curves), None)
    if curve is None:
        what = f"no curve {names[0]}"
        return Fault(flaw=Flaw.NO_CURVE, what=what, todo=COLLECT)
    length = curve.values.get(thinking, {}).get(found.length)
    if length is None:
        what = f"{curve.name} has no entry for {thinking}, K = {found.length}"
        return Fault(flaw=Flaw.NO_ENTRY, what=what, todo=COLLECT)
    if fault := _range(curve.name, found.length, length):
        return fault
    return Acceptance(curve=curve, draft=found, length=length)


def pins(found: Acceptance) -> Pins:
    """What an engine reads to accept so many tokens. Only for agentic throughput; evals verify for real."""
    value = f"{found.length:g}"
    match found.draft.engine:
        case Engine.SGLANG:
            return Pins(
                variables={
                    "SGLANG_SIMULATE_ACC_LEN": value,
                    "SGLANG_SIMULATE_ACC_METHOD": "match-expected",
                    FROM_V0516: "real-draft-token",
                }
            )
        case Engine.VLLM:
            config = {"rejection_sample_method": "synthetic", "synthetic_acceptance_length": found.length}
            return Pins(config=config)
        case Engine.TRT:
            forced = f"{round(found.length - 1, 6):g}"
            return Pins(variables={"TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS": forced})
        case Engine.ATOM:
            return Pins(flags={"--spec-decode-acceptance-length": value})


def judge(stated: Stated, config: Mapping[str, Any], found: Acceptance, *, pinned: bool) -> list[Fault]:
    """Whether a recipe pins what it must, and an eval (`pinned` false) nothing at all. `config` is the
    speculative config as the recipe writes it."""
    wanted = pins(found)
    given = _given(stated, config, wanted)
    if pinned:
        return list(_differences(wanted, given))
    todo = "set it for throughput only (EVAL_ONLY is true in evals)"
    return [
        Fault(flaw=Flaw.PINNED_EVAL, what=f"an eval has {name}={value}, so nothing is verified", todo=todo)
        for name, value in given.items()
        if value is not None
    ]


def provenance(found: Acceptance, *, precision: str, hardware: str) -> str:
    """A warning when the curve was measured on another precision or GPU than the recipe's; else `""`."""
    text = f"{found.curve.model} {found.curve.about}"
    notes = []
    for pattern, own in ((PRECISIONS, precision), (SKUS, hardware)):
        seen = pattern.search(text)
        if seen and not _same(seen[1].lower(), own.lower()):
            notes.append(f"{seen[1]}, the recipe runs on {own}")
    return f"{found.curve.name} was measured on {' and '.join(notes)}" if notes else ""


def changed(before: Curve | None, after: Curve, *, measured: Curve | None = None) -> list[Fault]:
    """What is wrong with a new or changed curve. `measured` is the artifact of its source run, when it could
    be read. A curve with neither a source run nor an artifact that agrees proves nothing."""
    faults = [fault for fault in _ranges(after) if fault]
    same = before is not None and before.values == after.values
    if same:
        return faults
    if measured is not None:
        agrees = measured.values == after.values
        return (
            faults
            if agrees
            else [*faults, _fault(Flaw.NOT_MEASURED, after, "differs from what its run measured")]
        )
    if not after.source:
        return [*faults, _fault(Flaw.NO_SOURCE, after, "names no source run in its first line")]
    if before is not None and before.source == after.source:
        return [*faults, _fault(Flaw.SAME_SOURCE, after, "changed without a new source run")]
    return faults


def _fault(flaw: Flaw, curve: Curve, what: str) -> Fault:
    return Fault(flaw=flaw, what=f"{curve.name} {what}", todo=COLLECT)


def _ranges(curve: Curve) -> Iterator[Fault | None]:
    for lengths in curve.values.values():
        yield from (_range(curve.name, number, length) for number, length in lengths.items())


def _range(name: str, number: int, length: float) -> Fault | None:
    if math.isfinite(length) and 1 <= length <= number + 1:
        return None
    what = f"{name}: {length:g} accepted tokens at K = {number}, possible are 1 to {number + 1}"
    return Fault(flaw=Flaw.OUT_OF_RANGE, what=what, todo=COLLECT)


def _given(stated: Stated, config: Mapping[str, Any], wanted: Pins) -> dict[str, str | None]:
    found: dict[str, str | None] = {name: stated.variables.get(name) for name in wanted.variables}
    found |= {name: stated.flags.get(name) for name in wanted.flags}
    return found | {name: None if name not in config else str(config[name]) for name in wanted.config}


def _differences(wanted: Pins, given: Mapping[str, str | None]) -> Iterator[Fault]:
    everything = {
        **wanted.variables,
        **wanted.flags,
        **{name: str(one) for name, one in wanted.config.items()},
    }
    for name, value in everything.items():
        have = given[name]
        if have is None:
            yield Fault(flaw=Flaw.NOT_PINNED, what=f"{name} is not set", todo=f"set {name}={value}")
        elif not _equal(have, value):
            yield Fault(flaw=Flaw.OTHER_VALUE, what=f"{name} is {have}", todo=f"the curve says {value}")


def _equal(one: str, other: str) -> bool:
    try:
        return float(one) == float(other)
    except ValueError:
        return one == other


def _whole(value: Any) -> int | None:
    """A whole number as written; booleans, fractions and words are none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else None


def _curve_method(name: str, spec: str) -> str:
    """An EAGLE that runs the head inside the checkpoint is that checkpoint's `mtp`."""
    plain = name.lower()
    head = plain in HEADS or plain.endswith("_mtp") or (plain == "eagle" and spec == "mtp")
    return "mtp" if head else plain


def _known(engine: Engine) -> str:
    return ", ".join(METHODS[engine])


def _same(measured: str, own: str) -> bool:
    """`nvfp4` and `fp4` are one precision to a row; a runner's hardware begins with its GPU."""
    bare = [name.removeprefix("nv").removeprefix("mx") for name in (measured, own)]
    return bare[0] == bare[1] or own.startswith(measured)
