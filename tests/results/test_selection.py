"""Which artifacts count, over attempts and pages."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.event import Artifact
from infx.results.selection import select


def artifact(number: int, name: str, **fields: Any) -> Artifact:
    return Artifact(**{"id": number, "name": name, "size": 1, "created_at": f"2026-07-0{number}", **fields})


def test_C49_newest_unexpired_upload_of_each_exact_name() -> None:
    found = [
        artifact(1, "bmk_a", created_at="1"),
        artifact(2, "bmk_a", created_at="5"),
        artifact(3, "bmk_b", created_at="2", expired=True),
        artifact(4, "bmk_b", created_at="1"),
        artifact(5, "changelog-metadata", created_at="1"),
        artifact(6, "bmk_c", created_at="1", expired=True),
    ]
    chosen = select(found)
    assert [one.id for one in chosen.chosen] == [2, 4, 5]
    assert chosen.expired == ("bmk_c",)


def test_C56_a_result_of_an_earlier_attempt_is_found_by_its_name() -> None:
    earlier = artifact(1, "bmk_cand_34180")
    assert select([earlier, artifact(2, "ledger")]).named("bmk_cand_34180") == earlier


@pytest.mark.parametrize(
    ("names", "word"),
    [
        (["changelog-metadata", *(f"bmk_x{number}" for number in range(13))], "yes"),
        (["changelog-metadata"], "metadata-only"),
        ([], "empty"),
        (["bmk_1"], "no-metadata"),
        (["-bmk_1", "changelog-metadata"], "expired"),
        (["-bmk_1", "bmk_1", "changelog-metadata"], "yes"),
        (["agentic_1", "changelog-metadata"], "yes"),
    ],
)
def test_C103_a_run_is_staged_for_what_it_holds(names: list[str], word: str) -> None:
    found = [artifact(n, name.lstrip("-"), expired=name[0] == "-") for n, name in enumerate(names, start=1)]
    assert select(found).stageable == word


@given(st.lists(st.tuples(st.sampled_from(["bmk_a", "eval_b"]), st.booleans()), max_size=6), st.randoms())
def test_the_order_of_pages_does_not_matter(made: list[tuple[str, bool]], dice: Any) -> None:
    found = [artifact(n, name, expired=gone) for n, (name, gone) in enumerate(made, start=1)]
    mixed = list(found)
    dice.shuffle(mixed)
    assert {one.id for one in select(mixed).chosen} == {one.id for one in select(found).chosen}
