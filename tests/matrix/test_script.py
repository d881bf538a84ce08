from typing import Any

import pytest

from infx.errors import BadInput
from infx.matrix.script import PATTERNS, path_of, recipe_of, resolve
from tests.matrix.rows import disagg, fixed, pool, trace

ROOT = "benchmarks/single_node"


@pytest.mark.parametrize(
    ("row", "path"),
    [
        (fixed(), f"{ROOT}/fixed_seq_len/m1_fp8_h200_sglang.sh"),
        (fixed(runner="h200-dgxc-slurm_3"), f"{ROOT}/fixed_seq_len/m1_fp8_h200_sglang.sh"),
        (fixed(4, **{"spec-decoding": "mtp"}), f"{ROOT}/fixed_seq_len/m1_fp8_h200_sglang_mtp.sh"),
        (trace(4, **{"spec-decoding": "draft_model"}), f"{ROOT}/agentic/m1_fp8_h200_sglang_mtp.sh"),
        (disagg([4]), "benchmarks/multi_node/fixed_seq_len/m1_fp8_h200_sglang.sh"),
    ],
)
def test_framework_form_is_first_and_mtp_follows_the_row(row: dict[str, Any], path: str) -> None:
    plain = path.replace("_sglang", "")
    assert resolve(row, PATTERNS, {path, plain}) == path
    assert resolve(row, PATTERNS, {plain}) == plain


def test_a_plain_script_is_not_taken_for_a_speculating_row() -> None:
    with pytest.raises(BadInput) as problem:
        resolve(trace(4, **{"spec-decoding": "mtp"}), PATTERNS, {f"{ROOT}/agentic/m1_fp8_h200.sh"})
    for tried in ("m1_fp8_h200_sglang_mtp.sh", "m1_fp8_h200_mtp.sh"):
        assert f"{ROOT}/agentic/{tried}" in problem.value.sentence


@pytest.mark.parametrize("variant", ["", ":zip_override_low[2]"])
def test_a_recipe_file_wins_over_patterns(variant: str) -> None:
    row = disagg(
        [4], prefill=pool(1, 8, **{"additional-settings": [f"CONFIG_FILE=recipes/a/b.yaml{variant}"]})
    )
    home = "benchmarks/multi_node/srt-slurm-recipes/a/b.yaml"
    script = resolve(row, PATTERNS, {home, "benchmarks/multi_node/fixed_seq_len/m1_fp8_h200.sh"})
    assert (script, path_of(script)) == (home + variant, home)


def test_a_missing_recipe_file_lists_the_places() -> None:
    row = disagg([4], decode=pool(1, 8, **{"additional-settings": ["X=1", "CONFIG_FILE=recipes/a/b.yaml"]}))
    assert recipe_of(row) == "recipes/a/b.yaml"
    with pytest.raises(BadInput, match=r"srt-slurm-recipes/a/b\.yaml, recipes/a/b\.yaml"):
        resolve(row, PATTERNS, set())
