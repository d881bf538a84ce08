import pytest

from infx.errors import Refused
from infx.matrix import select
from infx.matrix.generate import FullSweep, full_sweep
from tests.matrix.sample import catalog, config, engine, pools

CATALOG = catalog(
    **{
        "mo-a": config(fixed=[engine()]),
        "mo-b?": config(fixed=[engine()], precision="fp4", framework="vllm"),
        "other": config(fixed=[pools()], runner="cluster:alpha"),
        "Mo-a": config(fixed=[engine()]),
    }
)


@pytest.mark.parametrize(
    ("patterns", "keys"),
    [
        (["other", "mo-a", "other"], ["other", "mo-a"]),
        (["mo-*"], ["mo-a", "mo-b?"]),
        (["?o-a"], ["mo-a", "Mo-a"]),
        (["other", "*"], ["other", "mo-a", "mo-b?", "Mo-a"]),
    ],
)
def test_patterns(patterns: list[str], keys: list[str]) -> None:
    assert [one.key for one in select.by_pattern(CATALOG, patterns)] == keys


@pytest.mark.parametrize(
    ("names", "keys"),
    [
        (["mo-*"], ["mo-a", "mo-b?"]),
        (["mo-b?"], ["mo-b?"]),
        (["*?"], ["mo-b?"]),
        (["*"], list(CATALOG.configs)),
    ],
)
def test_wildcards_take_all_else_literally(names: list[str], keys: list[str]) -> None:
    assert [one.key for one in select.by_wildcard(CATALOG, names)] == keys


@pytest.mark.parametrize("name", ["mo-?", "o-a", "mo-[ab]", ""])
def test_a_name_without_a_match_is_refused(name: str) -> None:
    with pytest.raises(Refused, match="names no config"):
        select.by_wildcard(CATALOG, [name])


def test_the_nearest_key_is_named() -> None:
    with pytest.raises(Refused, match="did you mean `other`"):
        select.by_pattern(CATALOG, ["othr"])


@pytest.mark.parametrize(
    ("filters", "keys"),
    [
        ({}, list(CATALOG.configs)),
        ({"precision": ("fp4",)}, ["mo-b?"]),
        ({"framework": ("vll",)}, []),
        ({"framework": ("vllm", "sglang"), "precision": ("fp8",)}, ["mo-a", "other", "Mo-a"]),
        ({"runner_type": ("cluster:alpha",)}, ["other"]),
        ({"model_prefix": ("mo-", "oth")}, ["mo-a", "mo-b?", "other"]),
        ({"single_node": True}, ["mo-a", "mo-b?", "Mo-a"]),
        ({"multi_node": True}, ["other"]),
        ({"single_node": True, "multi_node": True}, list(CATALOG.configs)),
    ],
)
def test_filters(filters: dict[str, tuple[str, ...]], keys: list[str]) -> None:
    jobs = full_sweep(CATALOG, FullSweep(**filters))  # type: ignore[arg-type]
    assert list(dict.fromkeys(job.key for job in jobs)) == keys


def test_an_unknown_runner_type_is_refused() -> None:
    with pytest.raises(Refused, match="did you mean `box`"):
        full_sweep(CATALOG, FullSweep(runner_type=("boxx",)))


@pytest.mark.parametrize(
    ("part", "label_too", "names"),
    [
        (None, False, ["box"]),
        ("box", False, ["box-a_0", "box-b_0"]),
        ("box", True, ["box-a_0", "box-b_0", "box"]),
        ("b_0", True, ["box-b_0"]),
        ("zzz", True, []),
    ],
)
def test_nodes(part: str | None, label_too: bool, names: list[str]) -> None:
    assert select.nodes(CATALOG, CATALOG.configs["mo-a"], part=part, label_too=label_too) == names
