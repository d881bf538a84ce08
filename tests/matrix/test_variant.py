import re
from typing import Any

import pytest

from infx.errors import BadInput
from infx.matrix.variant import choose, matches, overlay, variants
from tests.matrix.rows import HICACHE, disagg, pool, trace

DRAFT: dict[str, Any] = {
    "base": {"name": "b", "resources": {"decode_nodes": 1}, "keep": 1},
    "override_big": {"resources": {"decode_nodes": 8}},
    "zip_override_low": {
        "CONC": [1, 2, 4, 8, 16, 24, 32, 48, 64],
        "engine": {"max-running-requests": [1, 2, 4, 8, 16, 24, 32, 48, 64], "mode": "x"},
    },
}


def test_zip_lines_up_nine_lists_and_overrides_keep_the_base() -> None:
    found = variants(DRAFT, where="r.yaml")
    assert len(found) == 10
    assert found["zip_override_low[8]"]["engine"] == {"max-running-requests": 64, "mode": "x"}
    assert found["override_big"] == {"name": "b", "resources": {"decode_nodes": 8}, "keep": 1}


def test_a_file_without_base_is_one_variant() -> None:
    assert variants({"name": "x"}, where="r.yaml") == {"": {"name": "x"}}


def test_unequal_lists_are_named() -> None:
    broken = {"base": {}, "zip_override_a": {"CONC": [1, 2], "engine": {"max": [1, 2, 3]}}}
    with pytest.raises(BadInput, match=r"CONC has 2, engine\.max has 3"):
        variants(broken, where="r.yaml")


def test_each_concurrency_matches_exactly_one_variant() -> None:
    only_zip = {name: value for name, value in DRAFT.items() if name != "override_big"}
    assert choose(only_zip, "", trace(48), where="r.yaml")[0] == "zip_override_low[7]"
    with pytest.raises(BadInput, match="no variant matches"):
        choose(only_zip, "", trace(3), where="r.yaml")
    with pytest.raises(BadInput, match="2 variants match"):
        choose(DRAFT, "", trace(48), where="r.yaml")


def test_a_named_variant_must_exist() -> None:
    assert choose(DRAFT, "override_big", trace(3), where="r.yaml")[0] == "override_big"
    with pytest.raises(BadInput, match="use one of override_big"):
        choose(DRAFT, "override_bug", trace(3), where="r.yaml")


@pytest.mark.parametrize(
    ("stated", "fits"),
    [
        ({"resources": {"prefill_workers": 2}}, True),
        ({"resources": {"prefill_workers": 1}}, False),
        ({"resources": {"gpus_per_decode": 16}}, False),
        ({"CONC": 8}, True),
        ({"CONC": 9}, False),
        ({"model": {"container": "repo/engine:1"}}, True),
        ({"model": {"container": "repo/engine:2"}}, False),
        ({"model": {"container": "alias-of-the-cluster"}}, True),
        ({"KV_OFFLOADING": "none"}, False),
    ],
)
def test_topology_load_image_and_offload_decide(stated: dict[str, Any], fits: bool) -> None:
    assert matches(stated, disagg([4, 8], prefill=pool(2), **HICACHE)) is fits


def test_overlay_removes_with_null() -> None:
    assert overlay({"a": 1, "b": {"c": 2}}, {"a": None, "b": {"d": 3}}) == {"b": {"c": 2, "d": 3}}


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (None, "not a mapping"),
        ([], "not a mapping"),
        ({"base": {}, 5: {}}, "the key 5 is not text"),
        ({"model": "m"}, "r.yaml: model: not a mapping"),
        ({"backend": [1]}, "r.yaml: backend: not a mapping"),
        ({"backend": {"type": "vllm", "vllm_config": "x"}}, "backend: vllm_config: not a mapping"),
        ({"backend": {"type": "vllm", "vllm_config": {"decode": 5}}}, "backend: decode: not a mapping"),
        ({"backend": {"prefill_environment": ["A=1"]}}, "prefill_environment: not a mapping"),
        ({"frontend": {"args": True}}, "frontend: args: not a mapping"),
        ({"resources": {"agg_workers": "two"}}, "r.yaml: resources: agg_workers is 'two'"),
        ({"base": {}, "override_a": {"resources": {"decode_workers": -1}}}, "override_a: resources"),
    ],
)
def test_a_section_of_another_kind_is_named(document: Any, said: str) -> None:
    with pytest.raises(BadInput, match=re.escape(said)):
        variants(document, where="r.yaml")


@pytest.mark.parametrize("part", ["model", "backend", "frontend", "resources"])
def test_a_section_may_be_left_empty(part: str) -> None:
    assert variants({part: None}, where="r.yaml") == {"": {part: None}}
