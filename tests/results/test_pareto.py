from hypothesis import given
from hypothesis import strategies as st

from infx.results.pareto import frontier

NUMBERS = st.integers(0, 20).map(float)
POINTS = st.lists(st.tuples(NUMBERS, NUMBERS), max_size=30)


def beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """More throughput at no worse x. Equal throughput beats nobody: a plateau is kept."""
    return one[0] >= other[0] and one[1] > other[1]


def test_more_of_both_is_better() -> None:
    assert frontier([(1, 9), (2, 5), (1.5, 4), (3, 1)], x="high") == [0, 1, 3]


def test_latency_is_better_low() -> None:
    assert frontier([(1, 1), (2, 5), (3, 4)], x="low") == [0, 1]


def test_a_plateau_is_kept_and_the_same_point_counts_once() -> None:
    assert frontier([(1, 5), (2, 5), (2, 5), (3, 4)], x="low") == [0, 1]


@given(POINTS)
def test_exactly_the_unbeaten_points(points: list[tuple[float, float]]) -> None:
    unbeaten = {one for one in points if not any(beats(other, one) for other in points)}
    kept = [points[at] for at in frontier(points, x="high")]
    assert set(kept) == unbeaten
    assert len(kept) == len(unbeaten)
    assert kept == sorted(kept)


@given(POINTS)
def test_latency_is_the_mirror(points: list[tuple[float, float]]) -> None:
    mirrored = [(-x, y) for x, y in points]
    assert {points[at] for at in frontier(points, x="low")} == {
        (-x, y) for x, y in (mirrored[at] for at in frontier(mirrored, x="high"))
    }
