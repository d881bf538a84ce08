"""Speculation: method, draft length, golden acceptance and pins of every engine."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.golden import Acceptance, Curve, Draft, Engine, Fault, Flaw, Stated
from infx.policy import golden
from infx.read.speculation import config, spoken

EAGLE = {
    "--speculative-algorithm": "EAGLE",
    "--speculative-num-steps": "3",
    "--speculative-eagle-topk": "1",
    "--speculative-num-draft-tokens": "4",
}
DFLASH = {"--speculative-algorithm": "DFLASH", "--speculative-num-draft-tokens": "8"}
VLLM = {"--speculative-config": '{"method": "mtp", "num_speculative_tokens": 3}'}
CURVE = Curve(
    name="qwen3.5_mtp",
    source="https://example.org/runs/1",
    model="qwen3.5-397b-a17b-nvfp4",
    about="measured on the NVFP4 checkpoint on B300 with vLLM",
    values={"thinking_on": {3: 3.39}, "thinking_off": {3: 3.1}},
)


def draft(framework: str, flags: dict[str, str], spec: str = "mtp") -> Draft | Fault:
    return golden.draft(spoken(framework, Stated(flags=flags)), spec=spec)


def found(framework: str, flags: dict[str, str], spec: str = "mtp") -> tuple[str, int] | Flaw:
    answer = draft(framework, flags, spec)
    return answer.flaw if isinstance(answer, Fault) else (answer.method, answer.length)


@pytest.mark.parametrize(
    ("framework", "flags", "spec", "wanted"),
    [
        ("sglang", EAGLE, "mtp", ("mtp", 3)),
        ("sglang", EAGLE, "draft_model", ("eagle", 3)),
        ("dynamo-sglang", {**EAGLE, "--speculative-algorithm": "NEXTN"}, "mtp", ("mtp", 3)),
        ("sglang", {**EAGLE, "--speculative-algorithm": "EAGLE3"}, "draft_model", ("eagle3", 3)),
        ("sglang", {**EAGLE, "--speculative-num-draft-tokens": "3"}, "mtp", Flaw.UNEQUAL_LENGTH),
        ("sglang", {**EAGLE, "--speculative-eagle-topk": "4", "--speculative-num-draft-tokens": "9"}, "mtp",
         ("mtp", 3)),
        ("sglang", DFLASH, "draft_model", ("dflash", 7)),
        ("sglang", {**DFLASH, "--speculative-algorithm": "DFLASH2"}, "draft_model", ("dflash2", 7)),
        ("sglang", {**DFLASH, "--speculative-num-draft-tokens": "True"}, "draft_model", Flaw.NO_LENGTH),
        ("sglang", {**DFLASH, "--speculative-num-draft-tokens": "7.5"}, "draft_model", Flaw.NO_LENGTH),
        ("sglang", {**DFLASH, "--speculative-num-draft-tokens": "1"}, "draft_model", Flaw.NO_LENGTH),
        ("sglang", {"--speculative-algorithm": "DFLASH"}, "draft_model", Flaw.NO_LENGTH),
        ("sglang", {**EAGLE, "--speculative-algorithm": "MEDUSA"}, "mtp", Flaw.UNKNOWN_METHOD),
        ("sglang", {}, "mtp", Flaw.NO_METHOD),
        ("vllm", VLLM, "mtp", ("mtp", 3)),
        ("vllm", {"--speculative-config": '{"method": "qwen3_next_mtp", "num_speculative_tokens": 2}'}, "mtp",
         ("mtp", 2)),
        ("vllm", {"--speculative-config": '{"model": "d", "num_speculative_tokens": 5}'}, "draft_model",
         ("draft_model", 5)),
        ("vllm", {"--speculative-config": '{"method": "mtp", "num_speculative_tokens": true}'}, "mtp",
         Flaw.NO_LENGTH),
        ("vllm", {"--speculative-config": '{"method": "medusa", "num_speculative_tokens": 2}'}, "mtp",
         Flaw.UNKNOWN_METHOD),
        ("vllm", {"--speculative-config": "not JSON"}, "mtp", Flaw.NO_METHOD),
        ("dynamo-trt", {"--decoding_type": "MTP", "--num_nextn_predict_layers": "3"}, "mtp", ("mtp", 3)),
        ("trt", {"--decoding_type": "Eagle3", "--max_draft_len": "4"}, "draft_model", ("eagle3", 4)),
        ("atom", {"--method": "mtp", "--num-speculative-tokens": "3"}, "mtp", ("mtp", 3)),
        ("llamacpp", EAGLE, "mtp", Flaw.UNKNOWN_ENGINE),
    ],
)  # fmt: skip
def test_method_and_draft_length(
    framework: str, flags: dict[str, str], spec: str, wanted: tuple[str, int] | Flaw
) -> None:
    assert found(framework, flags, spec) == wanted


def test_an_unknown_method_is_refused_by_name() -> None:
    fault = draft("sglang", {**EAGLE, "--speculative-algorithm": "MEDUSA"})
    assert isinstance(fault, Fault)
    assert fault.sentence == "sglang has no method MEDUSA; use one of EAGLE, EAGLE3, NEXTN, DFLASH*"


def accepted(engine: Engine = Engine.SGLANG, length: float = 3.39) -> Acceptance:
    return Acceptance(curve=CURVE, draft=Draft(engine=engine, method="mtp", length=3), length=length)


def look(curves: dict[str, Curve], k: int = 3, thinking: Any = "thinking_on") -> Any:
    return golden.acceptance(curves, "qwen3.5", Draft(engine=Engine.VLLM, method="mtp", length=k), thinking)


@pytest.mark.parametrize("name", ["qwen3.5_mtp", "qwen3.5-mtp"])
def test_the_recorded_value_is_looked_up(name: str) -> None:
    assert look({name: CURVE}).length == 3.39
    assert look({name: CURVE}, thinking="thinking_off").length == 3.1


@pytest.mark.parametrize("k", [1, 2, 4])
def test_nothing_is_interpolated_and_the_remedy_is_a_new_collection(k: int) -> None:
    curve = Curve(
        name="qwen3.5_mtp", source="", model="", about="", values={"thinking_on": {3: 3.39, 5: 4.5}}
    )
    fault = look({"qwen3.5_mtp": curve}, k)
    assert fault.flaw == Flaw.NO_ENTRY
    assert "SPEED-Bench" in fault.sentence
    assert "never adjust a value by hand" in fault.sentence
    assert look({}).flaw == Flaw.NO_CURVE


@pytest.mark.parametrize("value", [0.99, 4.01, math.inf, math.nan])
def test_more_than_the_draft_and_one_cannot_be_accepted(value: float) -> None:
    curve = Curve(name="qwen3.5_mtp", source="", model="", about="", values={"thinking_on": {3: value}})
    assert look({"qwen3.5_mtp": curve}).flaw == Flaw.OUT_OF_RANGE


@given(st.integers(1, 16), st.floats(allow_nan=True, allow_infinity=True))
def test_every_value_is_in_range_or_refused(k: int, value: float) -> None:
    curve = Curve(name="qwen3.5_mtp", source="", model="", about="", values={"thinking_on": {k: value}})
    answer = look({"qwen3.5_mtp": curve}, k)
    assert isinstance(answer, Fault) == (not 1 <= value <= k + 1)


@pytest.mark.parametrize(
    ("engine", "variables", "flags", "spec"),
    [
        (Engine.SGLANG, {"SGLANG_SIMULATE_ACC_LEN": "3.39", "SGLANG_SIMULATE_ACC_METHOD": "match-expected",
                         "SGLANG_SIMULATE_ACC_TOKEN_MODE": "real-draft-token"}, {}, {}),
        (Engine.VLLM, {}, {}, {"rejection_sample_method": "synthetic", "synthetic_acceptance_length": 3.39}),
        (Engine.TRT, {"TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS": "2.39"}, {}, {}),
        (Engine.ATOM, {}, {"--spec-decode-acceptance-length": "3.39"}, {}),
    ],
)  # fmt: skip
def test_each_engine_has_its_pins(engine: Engine, variables: Any, flags: Any, spec: Any) -> None:
    made = golden.pins(accepted(engine))
    assert (dict(made.variables), dict(made.flags), dict(made.config)) == (variables, flags, spec)
    right = Stated(variables=variables, flags=flags)
    assert golden.judge(right, spec, accepted(engine), pinned=True) == []
    bare = golden.judge(Stated(), {}, accepted(engine), pinned=True)
    assert {fault.flaw for fault in bare} == {Flaw.NOT_PINNED}
    assert golden.judge(Stated(), {}, accepted(engine), pinned=False) == []
    assert {one.flaw for one in golden.judge(right, spec, accepted(engine), pinned=False)} == {
        Flaw.PINNED_EVAL
    }


def test_another_value_than_the_curves_is_named() -> None:
    stated = Stated(
        variables={
            "SGLANG_SIMULATE_ACC_LEN": "3.60",
            "SGLANG_SIMULATE_ACC_METHOD": "match-expected",
            "SGLANG_SIMULATE_ACC_TOKEN_MODE": "real-draft-token",
        }
    )
    (fault,) = golden.judge(stated, {}, accepted(), pinned=True)
    assert (fault.flaw, fault.sentence) == (
        Flaw.OTHER_VALUE,
        "SGLANG_SIMULATE_ACC_LEN is 3.60; the curve says 3.39",
    )


def test_vllm_says_its_config_in_a_flag() -> None:
    assert config(Stated(flags=VLLM)) == {"method": "mtp", "num_speculative_tokens": 3}


def test_another_precision_or_gpu_is_a_warning_with_both_named() -> None:
    said = golden.provenance(accepted(), precision="fp8", hardware="h200-dgxc")
    assert said == (
        "qwen3.5_mtp was measured on nvfp4, the recipe runs on fp8 and B300, the recipe runs on h200-dgxc"
    )
    assert golden.provenance(accepted(), precision="fp4", hardware="b300-nv") == ""


def curve(value: float = 3.39, source: str = "https://example.org/runs/1") -> Curve:
    return Curve(name="m_mtp", source=source, model="m", about="", values={"thinking_on": {3: value}})


@pytest.mark.parametrize(
    ("before", "after", "measured", "wanted"),
    [
        (curve(), curve(), None, []),
        (None, curve(), None, []),
        (None, curve(source=""), None, [Flaw.NO_SOURCE]),
        (None, curve(source=""), curve(), []),
        (None, curve(source=""), curve(3.2), [Flaw.NOT_MEASURED]),
        (curve(), curve(3.5), None, [Flaw.SAME_SOURCE]),
        (curve(), curve(3.5, "https://example.org/runs/2"), None, []),
        (curve(), curve(3.5, "https://example.org/runs/2"), curve(3.4), [Flaw.NOT_MEASURED]),
        (None, curve(4.5), None, [Flaw.OUT_OF_RANGE]),
    ],
)
def test_a_curve_needs_a_run_that_measured_it(
    before: Curve | None, after: Curve, measured: Curve | None, wanted: list[Flaw]
) -> None:
    assert [fault.flaw for fault in golden.changed(before, after, measured=measured)] == wanted
