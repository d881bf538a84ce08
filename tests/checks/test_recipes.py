"""Checks of how things are served: templates, models, engines, images, overrides, upstream recipes."""

from typing import Any

import pytest

from infx.models import Model, Models, Window
from infx.subject import Known, Link, Upstream
from tests.checks.subjects import MODELS, grade, look, served, subject

RECIPE = "https://github.com/sgl-project/sgl-cookbook/pull/1"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "PASS"),
        ({"chat": False}, "FAIL"),
        ({"chat": False, "flags": {"--use-chat-template": ""}}, "PASS"),
        ({"chat": False, "speculates": "none"}, "N/A"),
    ],
)
def test_speculation_goes_through_the_chat_template(changes: dict[str, Any], expected: str) -> None:
    assert grade("chat-template", served=(served(**changes),)) == expected


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({}, ""),
        ({"prefix": "new"}, "no row for this model"),
        ({"model": "org/copy"}, "org/copy is not among its checkpoints"),
        ({"precision": "int4"}, "precision int4: not listed"),
        ({"scenario": "3k2k"}, "no such scenario"),
        ({"scenario": "1k1k", "arms": ()}, "1k1k: accepted until 2026-06-30, opened on 2026-07-01"),
        ({"arms": ("none", "magic")}, "arm magic: not listed"),
    ],
)
def test_only_what_is_listed_may_be_submitted(changes: dict[str, Any], says: str) -> None:
    found = look("models-current", subject(served=(served(**changes),)))
    assert (found.grade == "FAIL") == bool(says)
    assert says in " ".join(found.evidence)


def test_a_window_counts_on_the_day_of_the_opening() -> None:
    model = Model(name="Q", precisions={"fp8": Window(since="2026-08-01")})
    table = Models(models={"qwen3.5": model}, scenarios=MODELS.scenarios)
    assert grade("models-current", models=table) == "FAIL"
    assert grade("models-current", models=table, opened="2026-08-01") == "PASS"


def test_nothing_served_is_nothing_to_say() -> None:
    for check in ("models-current", "architecture-unchanged", "upstream-image", "description-matches"):
        assert grade(check, served=()) == "N/A"


@pytest.mark.parametrize(
    ("framework", "known", "expected"),
    [
        ("sglang", (), "PASS"),
        ("trt", (), "FAIL"),
        ("trt", (Known(prefix="qwen3.5", hardware="h200", framework="vllm"),), "PASS"),
        ("trt", (Known(prefix="qwen3.5", hardware="b200", framework="vllm"),), "FAIL"),
        ("trt", (Known(prefix="qwen3.5", hardware="h200", framework="dynamo-sglang"),), "PASS"),
        ("strange", (), "FAIL"),
    ],
)
def test_first_engines_come_first(framework: str, known: tuple[Known, ...], expected: str) -> None:
    assert grade("engine-first", served=(served(framework=framework),), recipes=known) == expected
    assert grade("engine-first", served=(served(framework=framework, new=False),)) == "N/A"


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({}, "PASS"),
        ({"--json-model-override-args": '{"num_hidden_layers": 4}'}, "FAIL"),
        ({"--hf-overrides": '{"num_experts_per_tok": 2}'}, "FAIL"),
        ({"--hf-overrides": '{"rope_scaling": {}}'}, "WARN"),
        ({"--num-experts-per-tok": "2"}, "FAIL"),
    ],
)
def test_overrides(flags: dict[str, str], expected: str) -> None:
    assert grade("architecture-unchanged", served=(served(flags=flags),)) == expected


@pytest.mark.parametrize(
    ("framework", "image", "expected"),
    [
        ("sglang", "lmsysorg/sglang:v0.5.16", "PASS"),
        ("sglang", "docker.io/lmsysorg/sglang:v0.5.16@sha256:aa", "PASS"),
        ("sglang", "lmsysorg/sglang:latest", "WARN"),
        ("sglang", "lmsysorg/sglang-fork:v1", "FAIL"),
        ("sglang", "evil.io/lmsysorg/sglang:v1", "FAIL"),
        ("trt", "nvcr.io#nvidia/tensorrt-llm/release:1.3.0", "PASS"),
        ("vllm", "lmsysorg/sglang:v0.5.16", "FAIL"),
        ("strange", "a/b:1", "FAIL"),
    ],
)
def test_images_come_from_the_engines_project(framework: str, image: str, expected: str) -> None:
    assert grade("upstream-image", served=(served(framework=framework, image=image),)) == expected


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (Link.MERGED, "PASS"),
        (Link.PUBLISHED, "PASS"),
        (Link.OPEN, "FAIL"),
        (Link.DRAFT, "FAIL"),
        (Link.CLOSED, "FAIL"),
        (Link.UNREACHABLE, "UNKNOWN"),
    ],
)
def test_an_upstream_recipe_is_merged_or_published(state: Link, expected: str) -> None:
    assert grade("recipe-linked", links=(Upstream(address=RECIPE, state=state),)) == expected


def test_each_variant_needs_a_recipe_of_its_own() -> None:
    both = (served(), served(key="pd", disaggregated=True, framework="dynamo-sglang"))
    one = Upstream(address=RECIPE, state=Link.MERGED)
    assert grade("recipe-linked", served=both, links=(one,)) == "FAIL"
    other = Upstream(address=RECIPE, state=Link.MERGED, disaggregated=True)
    assert grade("recipe-linked", served=both, links=(one, other)) == "PASS"


def test_no_link_and_a_link_that_only_begins_alike_are_none() -> None:
    assert grade("recipe-linked") == "FAIL"
    alike = Upstream(address="https://github.com/sgl-project/sgl-cookbook.evil/pull/1", state=Link.MERGED)
    assert grade("recipe-linked", links=(alike,)) == "FAIL"
    assert grade("recipe-linked", served=(served(framework="trt"),)) == "N/A"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("5 points, --tp-size 8, lmsysorg/sglang:v0.5.16-cu130, concurrency 1, 4, 8", ""),
        ("9 points", "claims 9 points, 5 are planned"),
        ("image lmsysorg/sglang:v0.5.15.", "it names lmsysorg/sglang:v0.5.15"),
        ("with --tp-size 4", "it says --tp-size 4, the change has 8"),
        ("concurrencies 1, 4, 64", "concurrencies 64, which are not planned"),
    ],
)
def test_claims_of_the_description(text: str, says: str) -> None:
    made = subject(description=text, served=(served(flags={"--tp-size": "8"}),))
    found = look("description-matches", made)
    assert (found.grade == "WARN") == bool(says)
    assert says in " ".join(found.evidence)
