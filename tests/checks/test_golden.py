"""Golden acceptance and draft models, engine by engine."""

from dataclasses import replace
from typing import Any

import pytest

from infx.golden import Curve, Stated
from infx.models import Model
from infx.read import speculation
from infx.subject import Served
from tests.checks.subjects import MODELS, grade, look, served, subject

CURVES = (
    Curve(
        name="qwen3.5_mtp",
        source="https://github.com/o/r/actions/runs/1",
        model="qwen3.5-397b-a17b-fp8",
        about="measured on H200",
        values={"thinking_on": {3: 3.39}, "thinking_off": {3: 2.9}},
    ),
)
SGLANG = {
    "--speculative-algorithm": "EAGLE",
    "--speculative-num-steps": "3",
    "--speculative-eagle-topk": "1",
    "--speculative-num-draft-tokens": "4",
}
PINNED = {
    "SGLANG_SIMULATE_ACC_LEN": "3.39",
    "SGLANG_SIMULATE_ACC_METHOD": "match-expected",
    "SGLANG_SIMULATE_ACC_TOKEN_MODE": "real-draft-token",
}
VLLM = (
    '{"method": "mtp", "num_speculative_tokens": 3,'
    ' "rejection_sample_method": "synthetic", "synthetic_acceptance_length": 3.39}'
)


def speaking(
    framework: str, flags: dict[str, str], variables: dict[str, str] | None = None, **changes: Any
) -> Served:
    stated = Stated(flags=flags, variables=variables or {})
    return served(
        framework=framework,
        flags=stated.flags,
        variables=stated.variables,
        spoken=speculation.spoken(framework, stated),
        config={name: str(one) for name, one in speculation.config(stated).items()},
        **changes,
    )


@pytest.mark.parametrize(
    ("framework", "flags", "variables"),
    [
        ("sglang", SGLANG, PINNED),
        ("dynamo-sglang", SGLANG, PINNED),
        ("vllm", {"--speculative-config": VLLM}, {}),
        (
            "trt",
            {"--decoding_type": "MTP", "--num_nextn_predict_layers": "3"},
            {"TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS": "2.39"},
        ),
        (
            "atom",
            {
                "--method": "mtp",
                "--num-speculative-tokens": "3",
                "--spec-decode-acceptance-length": "3.39",
            },
            {},
        ),
    ],
)
def test_every_engine_pins_in_its_own_way(
    framework: str, flags: dict[str, str], variables: dict[str, str]
) -> None:
    one = speaking(framework, flags, variables)
    assert grade("golden-acceptance", served=(one,), curves=CURVES) == "PASS"


@pytest.mark.parametrize(
    ("flags", "variables", "says"),
    [
        (SGLANG, {**PINNED, "SGLANG_SIMULATE_ACC_LEN": "3.5"}, "the curve says 3.39"),
        (SGLANG, {}, "SGLANG_SIMULATE_ACC_LEN is not set"),
        (SGLANG, {**PINNED, "SGLANG_SIMULATE_ACC_METHOD": "x"}, "SGLANG_SIMULATE_ACC_METHOD is x"),
        ({**SGLANG, "--speculative-num-draft-tokens": "5"}, PINNED, "write 4"),
        (
            {**SGLANG, "--speculative-num-steps": "2", "--speculative-num-draft-tokens": "3"},
            PINNED,
            "no entry for thinking_on, K = 2; collect it with a SPEED-Bench run",
        ),
        ({"--speculative-algorithm": "MAGIC"}, PINNED, "sglang has no method MAGIC"),
        ({}, PINNED, "is given no method"),
    ],
)
def test_what_is_not_golden_fails_with_the_remedy(
    flags: dict[str, str], variables: dict[str, str], says: str
) -> None:
    found = look("golden-acceptance", subject(served=(speaking("sglang", flags, variables),), curves=CURVES))
    assert found.grade == "FAIL"
    assert says in found.evidence[0]


def test_a_curve_of_another_checkpoint_or_gpu_is_a_warning_that_names_both() -> None:
    curve = replace(CURVES[0], model="qwen3.5-397b-a17b-nvfp4", about="measured on B300 with vLLM")
    found = look("golden-acceptance", subject(served=(speaking("sglang", SGLANG, PINNED),), curves=(curve,)))
    assert found.grade == "WARN"
    assert "nvfp4, the recipe runs on fp8 and B300, the recipe runs on h200" in found.evidence[0]
    assert "SPEED-Bench" in found.evidence[0]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"speculates": "none"}, "N/A"),
        ({"scenario": "8k1k"}, "FAIL"),
        ({"switch": False}, "FAIL"),
    ],
)
def test_pins_are_for_agentic_throughput_only(changes: dict[str, Any], expected: str) -> None:
    one = speaking("sglang", SGLANG, PINNED, **changes)
    assert grade("golden-acceptance", served=(one,), curves=CURVES) == expected


def test_what_only_the_runner_knows_is_no_pass() -> None:
    one = speaking("sglang", SGLANG, {**PINNED, "SGLANG_SIMULATE_ACC_LEN": "$AL"})
    assert grade("golden-acceptance", served=(one,), curves=CURVES) == "UNKNOWN"


def test_thinking_can_be_off() -> None:
    flags = {**SGLANG, "--chat-template-kwargs": '{"enable_thinking": false}'}
    one = speaking("sglang", flags, {**PINNED, "SGLANG_SIMULATE_ACC_LEN": "2.9"})
    assert grade("golden-acceptance", served=(one,), curves=CURVES) == "PASS"


def test_a_curve_that_nothing_proves_fails() -> None:
    assert grade("golden-acceptance", unsourced=("qwen3.5_mtp changed",)) == "FAIL"


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({}, "WARN"),
        ({"--quantization": "fp8"}, "FAIL"),
        ({"--quantization": "fp8", "--speculative-draft-model-quantization": "unquant"}, "WARN"),
        ({"--speculative-draft-model-quantization": "fp8"}, "FAIL"),
        ({"--dtype": "auto"}, "WARN"),
        ({"--dtype": "float16"}, "FAIL"),
    ],
)
def test_a_draft_is_served_as_it_ships(flags: dict[str, str], expected: str) -> None:
    whole = {**flags, "--speculative-draft-model-path": "org/draft"}
    assert grade("draft-model", served=(served(flags=whole, speculates="draft_model"),)) == expected


def test_a_recorded_draft_passes_and_no_draft_is_nothing_to_say() -> None:
    known = replace(MODELS, models={"qwen3.5": Model(name="Q", drafts={"org/draft": "bf16"})})
    one = served(flags={"--speculative-draft-model-path": "org/draft"}, speculates="draft_model")
    found = look("draft-model", subject(served=(one,), models=known))
    assert (found.grade, found.evidence) == ("PASS", ("org/draft: bf16",))
    assert grade("draft-model") == "N/A"
    assert grade("draft-model", served=(served(speculates="draft_model"),)) == "WARN"
