from typing import Any

import pytest

from infx.edge import settings
from infx.errors import BadInput
from infx.matrix.script import path_of, recipe_of, resolve
from tests.matrix.rows import disagg, fixed, pool, trace

RULES = settings.parse("")
PATTERNS, ROOTS = RULES.script_patterns, RULES.recipe_roots
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
    assert resolve(row, PATTERNS, {path, plain}, roots=ROOTS) == path
    assert resolve(row, PATTERNS, {plain}, roots=ROOTS) == plain


def test_a_plain_script_is_not_taken_for_a_speculating_row() -> None:
    plain = {f"{ROOT}/agentic/m1_fp8_h200.sh"}
    with pytest.raises(BadInput) as problem:
        resolve(trace(4, **{"spec-decoding": "mtp"}), PATTERNS, plain, roots=ROOTS)
    for tried in ("m1_fp8_h200_sglang_mtp.sh", "m1_fp8_h200_mtp.sh"):
        assert f"{ROOT}/agentic/{tried}" in problem.value.sentence


@pytest.mark.parametrize("variant", ["", ":zip_override_low[2]"])
def test_a_recipe_file_wins_over_patterns(variant: str) -> None:
    row = disagg(
        [4], prefill=pool(1, 8, **{"additional-settings": [f"CONFIG_FILE=recipes/a/b.yaml{variant}"]})
    )
    home = "benchmarks/multi_node/srt-slurm-recipes/a/b.yaml"
    script = resolve(row, PATTERNS, {home, "benchmarks/multi_node/fixed_seq_len/m1_fp8_h200.sh"}, roots=ROOTS)
    assert (script, path_of(script)) == (home + variant, home)


def test_a_missing_recipe_file_lists_the_places() -> None:
    row = disagg([4], decode=pool(1, 8, **{"additional-settings": ["X=1", "CONFIG_FILE=recipes/a/b.yaml"]}))
    assert recipe_of(row) == "recipes/a/b.yaml"
    with pytest.raises(BadInput, match=r"srt-slurm-recipes/a/b\.yaml, recipes/a/b\.yaml"):
        resolve(row, PATTERNS, set(), roots=ROOTS)


def test_files_of_two_patterns_are_an_error_that_lists_the_paths() -> None:
    patterns = [*PATTERNS, "recipes/{model-prefix}_{hw}.yaml"]
    path = f"{ROOT}/fixed_seq_len/m1_fp8_h200.sh"
    assert resolve(fixed(), patterns, {path}, roots=ROOTS) == path
    with pytest.raises(BadInput, match=r"two scripts or recipes: .*m1_fp8_h200\.sh, recipes/m1_h200\.yaml"):
        resolve(fixed(), patterns, {path, "recipes/m1_h200.yaml"}, roots=ROOTS)
