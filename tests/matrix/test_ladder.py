from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.matrix.ladder import Bounds, clipped, filtered, rungs, single_fixed
from infx.recipe import Span


def span(start: int, end: int) -> Span:
    return Span(start=start, end=end)


@pytest.mark.parametrize(
    ("conc", "step", "want"),
    [
        (span(5, 48), 2, [5, 10, 20, 40, 48]),
        (span(1, 8), 2, [1, 2, 4, 8]),
        (span(3, 3), 2, [3]),
        (span(4, 100), 5, [4, 20, 100]),
        ((9, 3, 9), 2, [9, 3, 9]),
    ],
)
def test_rungs(conc: Any, step: int, want: list[int]) -> None:
    assert rungs(conc, step) == want


BOUNDS: list[tuple[Any, dict[str, Any], list[int], list[int], list[int]]] = [
    # conc, bounds, single-node fixed, multi-node fixed, agentic
    (span(4, 64), {}, [4, 8, 16, 32, 64], [4, 8, 16, 32, 64], [4, 8, 16, 32, 64]),
    (span(4, 64), {"least": 10}, [10, 20, 40, 64], [16, 32, 64], [16, 32, 64]),
    (span(4, 64), {"most": 20}, [4, 8, 16, 20], [4, 8, 16], [4, 8, 16]),
    (span(4, 64), {"least": 65}, [], [], []),
    (span(4, 64), {"most": 3}, [3], [3], []),
    (span(4, 64), {"least": 10, "most": 12}, [10, 12], [12], []),
    (span(4, 64), {"least": 0}, [], [], [4, 8, 16, 32, 64]),
    (span(4, 64), {"most": -1}, [], [], []),
    ((8, 2, 8), {"most": 4}, [2], [2], [2]),
    ((8, 6), {"most": 4}, [4], [4], []),
    ((8, 6), {"least": 7}, [8], [8], [8]),
    (span(4, 64), {"listed": frozenset({8, 64, 5})}, [8, 64], [8, 64], [8, 64]),
]


@pytest.mark.parametrize(("conc", "bounds", "single", "pools", "agentic"), BOUNDS)
def test_bounds(
    conc: Any, bounds: dict[str, Any], single: list[int], pools: list[int], agentic: list[int]
) -> None:
    within = Bounds(**bounds)
    assert single_fixed(conc, within) == single
    assert clipped(conc, within) == pools
    assert filtered(conc, within) == agentic


@given(st.integers(1, 500), st.integers(0, 500), st.integers(2, 9))
def test_a_range_begins_and_ends_where_written(start: int, more: int, step: int) -> None:
    values = rungs(span(start, start + more), step)
    assert (values[0], values[-1]) == (start, start + more)
    assert values == sorted(set(values))
