"""Label classes."""

import pytest

from infx.labels import Group
from tests.builders import FAIL_FAST, FREE, FULL, rules

BOOK = rules("labels: {priority: {skip_queue: 2}, own: [swept]}").labels


@pytest.mark.parametrize(
    ("name", "group"),
    [
        (FULL, Group.PRIMARY),
        ("all-evals", Group.MODIFIER),
        ("gpu-budget-approved", Group.GRANT),
        ("skip_queue", Group.PRIORITY),
        ("swept", Group.OWN),
        ("documentation", Group.UNKNOWN),
        ("Full-Sweep-Enabled", Group.UNKNOWN),
        ("full‑sweep‑enabled", Group.UNKNOWN),
        ("", Group.UNKNOWN),
    ],
)
def test_every_name_has_one_class(name: str, group: Group) -> None:
    assert BOOK.group(name) == group


@pytest.mark.parametrize(
    ("name", "canary", "failure", "fail_fast"),
    [(FAIL_FAST, True, "all", True), (FULL, True, "key", False), (FREE, False, "key", False)],
)
def test_the_three_primaries(name: str, canary: bool, failure: str, fail_fast: bool) -> None:
    primary = BOOK.primaries[name]
    assert (primary.canary, primary.canary_failure, primary.fail_fast) == (canary, failure, fail_fast)


@pytest.mark.parametrize(
    ("labels", "clash"),
    [
        ((), ()),
        ((FULL, "all-evals", "documentation"), ()),
        ((FULL, FAIL_FAST), (FULL, FAIL_FAST)),
        (("agentx-fast", "all-evals"), ("agentx-fast", "all-evals")),
    ],
)
def test_a_clash_names_its_labels(labels: tuple[str, ...], clash: tuple[str, ...]) -> None:
    assert BOOK.clash(labels) == clash


def test_which_modifiers_block_reuse() -> None:
    assert BOOK.blocking_on(BOOK.modifiers) == ("agentx-fast", "evals-only")
