"""Three ways to deal with failures: what resume never does, and what the others cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.strategy import STRATEGIES, Change, Lab, Model, compare
from tests.builders import point, rules

KEYS = ("a", "b")
WORDS_ONLY = 6
"""A seed of which the second push of `words only` changes no key."""


def change(name: str, count: int, model: Model) -> Change:
    points = [point(load, key=key, image=key) for key in KEYS for load in range(1, count + 1)]
    return Change.imagined(name, points, model)


@given(st.integers(0, 10**6), st.floats(0, 0.6), st.integers(1, 12))
def test_resume_measures_nothing_twice_and_leaves_nothing_out(seed: int, share: float, count: int) -> None:
    model = Model(seed=seed, share=share)
    (lab,) = compare([change("s1", count, model)], model, rules())["resume-sweep"]
    assert (lab.repeated, lab.missing) == (0, 0)
    assert lab.succeeded == set(lab.tries)


@given(st.integers(0, 10**6), st.floats(0, 0.5))
def test_no_way_is_cheaper_than_to_resume(seed: int, share: float) -> None:
    model = Model(seed=seed, share=share)
    spent = [labs[0].gpu_hours for labs in compare([change("s1", 6, model)], model, rules()).values()]
    assert spent == sorted(spent, reverse=True)


def test_without_failures_every_push_costs_a_whole_sweep_unless_it_is_resumed() -> None:
    model = Model(share=0)
    found = compare([change("words only", 4, Model(seed=WORDS_ONLY))], model, rules())
    assert {name: labs[0].points for name, labs in found.items()} == {
        "rerun everything": 24,
        "rerun failed jobs of the same run": 24,
        "resume-sweep": 8,
    }
    assert found["resume-sweep"][0].gpu_points == 64


def test_a_second_push_that_changes_a_key_is_measured_again() -> None:
    model = Model(share=0)
    names = [f"s{number}" for number in range(20)]
    sizes = {name: change(name, 4, model) for name in names}
    spent = {name: compare([one], model, rules())["resume-sweep"][0].points for name, one in sizes.items()}
    assert set(spent.values()) == {8, 12}


@pytest.mark.parametrize("name", STRATEGIES)
def test_what_always_fails_is_missing_and_ends(name: str) -> None:
    lab = Lab(change=change("s1", 1, Model()), model=Model(share=1.0))
    STRATEGIES[name](lab, rules())
    assert lab.missing == 6
