"""Draft length and pinned acceptance by engine and method."""

import pytest

from infx.errors import BadInput
from infx.matrix.flags import settings
from infx.speculation import Draft, draft, pinned

EAGLE = {"--speculative-algorithm": "EAGLE", "--speculative-num-steps": "3"}
TOP1 = {**EAGLE, "--speculative-eagle-topk": "1"}
DFLASH = {"--speculative-algorithm": "DFLASH_V2", "--speculative-draft-model-path": "org/draft"}


@pytest.mark.parametrize(
    ("framework", "flags", "found"),
    [
        ("sglang", EAGLE, Draft(method="mtp", length=3)),
        ("dynamo-sglang", {**TOP1, "--speculative-num-draft-tokens": "4"}, Draft(method="mtp", length=3)),
        (
            "sglang",
            {**EAGLE, "--speculative-draft-model-path": "org/eagle"},
            Draft(method="eagle", length=3, model="org/eagle"),
        ),
        (
            "sglang",
            {**DFLASH, "--speculative-num-draft-tokens": "8"},
            Draft(method="dflash", length=7, model="org/draft"),
        ),
        (
            "vllm",
            {"--speculative-config": '{"method": "mtp", "num_speculative_tokens": 2}'},
            Draft(method="mtp", length=2),
        ),
        (
            "vllm",
            {"--method": "eagle3", "--num_speculative_tokens": "4", "--model": "org/e3"},
            Draft(method="eagle3", length=4, model="org/e3"),
        ),
        ("trt", {"--decoding_type": "MTP", "--num_nextn_predict_layers": "3"}, Draft(method="mtp", length=3)),
        ("atom", {"--method": "mtp", "--num-speculative-tokens": "2"}, Draft(method="mtp", length=2)),
        ("sglang", {}, None),
        ("vllm", {}, None),
        ("trt", {}, None),
        ("atom", {}, None),
        ("other", EAGLE, None),
    ],
)
def test_each_engine_says_its_draft_length_in_its_own_way(
    framework: str, flags: dict[str, str], found: Draft | None
) -> None:
    assert draft(framework, flags, {}) == found


@pytest.mark.parametrize(
    ("framework", "flags", "says"),
    [
        ("sglang", {"--speculative-algorithm": "NGRAM"}, "'NGRAM' is no method"),
        ("sglang", {**TOP1, "--speculative-num-draft-tokens": "3"}, "must be 4"),
        ("sglang", {"--speculative-algorithm": "EAGLE", "--speculative-num-steps": "$K"}, "no draft length"),
        ("sglang", {**DFLASH, "--speculative-num-draft-tokens": "true"}, "no draft length"),
        ("sglang", {**DFLASH, "--speculative-num-draft-tokens": "1"}, "draft length of 0"),
        ("vllm", {"--speculative-config": "$SPEC"}, "not a JSON object"),
        ("vllm", {"--speculative-config": '{"method": "magic", "num_speculative_tokens": 2}'}, "'magic'"),
        ("vllm", {"--speculative-config": '{"method": "mtp", "num_speculative_tokens": true}'}, "True"),
    ],
)
def test_what_cannot_be_is_refused_by_name(framework: str, flags: dict[str, str], says: str) -> None:
    with pytest.raises(BadInput) as caught:
        draft(framework, flags, {})
    assert says in caught.value.sentence


@pytest.mark.parametrize(
    ("framework", "flags", "variables", "length"),
    [
        ("sglang", {}, {"SGLANG_SIMULATE_ACC_LEN": "3.39"}, 3.39),
        ("vllm", {"--speculative-config": '{"synthetic_acceptance_length": 2.9}'}, {}, 2.9),
        ("vllm", {"--synthetic_acceptance_length": "2.9"}, {}, 2.9),
        ("trt", {}, {"TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS": "2.39"}, 3.39),
        ("atom", {"--spec-decode-acceptance-length": "3.39"}, {}, 3.39),
        ("sglang", {}, {}, None),
        ("sim", {}, {}, None),
    ],
)
def test_pins(framework: str, flags: dict[str, str], variables: dict[str, str], length: float | None) -> None:
    assert pinned(framework, flags, variables) == (None if length is None else pytest.approx(length))


def test_a_pin_that_is_no_number_is_refused() -> None:
    with pytest.raises(BadInput):
        pinned("sglang", {}, {"SGLANG_SIMULATE_ACC_LEN": "$AL"})


def test_json_in_double_quotes_is_read_from_a_script() -> None:
    script = rb'vllm serve m --speculative-config "{\"method\": \"mtp\", \"num_speculative_tokens\": 3}"'
    assert draft("vllm", settings(script).flags, {}) == Draft(method="mtp", length=3)
