"""How sure a run is of itself: real requests of one H200, waves that share their fate, and odd samples."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.results.requests import FEWEST, errors
from infx.row import Request


def loop(means: list[float], conc: int, rng: np.random.Generator | None = None) -> list[Request]:
    """A closed loop in waves, each request of a wave as long as its mean, give or take 5 %."""
    made, clock = [], 0.0
    for mean in means:
        clock += mean
        for place in range(conc):
            e2el = mean * (float(np.exp(rng.normal(0, 0.05))) if rng else 1.0)
            one = Request(ended=clock + place * 1e-6, ttft=e2el / 4, tpot=e2el / 200, e2el=e2el, tokens=1152)
            made.append(one)
    return made


def test_independent_waves_have_the_textbook_s_standard_error() -> None:
    rng = np.random.default_rng(1)
    means = np.exp(rng.normal(0, 0.04, 40)).tolist()
    found = errors(loop(means, 8), 8)
    inner = np.log(means[1:-1])
    assert found["tput"] == pytest.approx(inner.std() / math.sqrt(len(inner)), rel=0.3)
    assert found["e2el"] > 0


def test_requests_of_one_wave_count_once() -> None:
    rng = np.random.default_rng(2)
    means = np.exp(rng.normal(0, 0.1, 22)).tolist()
    alone, together = errors(loop([1.0] * 22, 50, rng), 50), errors(loop(means, 50), 50)
    assert together["tput"] > 10 * alone["tput"]


def test_a_slow_wave_and_the_fast_one_after_it_are_one_pace() -> None:
    """Requests that wait longer leave room for the next ones, which then wait less."""
    steady = errors(loop([1.0, *[1.2, 0.8] * 5, 1.0], 16), 16)["tput"]
    random = errors(loop([1.0, *[1.2, 0.8, 0.8, 1.2, 1.2, 1.2, 0.8, 0.8, 0.8, 1.2], 1.0], 16), 16)["tput"]
    assert steady < random / 2


def test_the_first_and_the_last_wave_say_nothing_of_doubt() -> None:
    inner = [1.0, 1.01, 0.99, 1.0, 1.01, 0.99, 1.0]
    assert errors(loop([9.0, *inner, 0.1], 4), 4) == errors(loop([1.0, *inner, 1.0], 4), 4)


def test_requests_in_two_groups_let_the_median_jump() -> None:
    made = loop([1.0] * 12, 16)
    groups = [replace(one, ttft=0.23 if at % 2 else 0.38) for at, one in enumerate(made)]
    found = errors(groups, 16)
    assert found["ttft"] == pytest.approx(math.log(0.38 / 0.23) / 2)
    assert max(found["tput"], found["e2el"]) < 1e-12


@pytest.mark.parametrize(("waves", "known"), [(FEWEST + 1, False), (FEWEST + 2, True)])
def test_too_few_waves_say_nothing(waves: int, known: bool) -> None:
    assert bool(errors(loop([1.0] * waves, 4), 4)) == known


@pytest.mark.parametrize("field", ["ttft", "tpot", "e2el", "tokens"])
@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
def test_what_no_client_can_have_seen_says_nothing(field: str, value: float) -> None:
    made = loop([1.0] * 10, 4)
    made[20] = replace(made[20], **{field: value})
    assert errors(made, 4) == {}


def test_nothing_says_nothing() -> None:
    assert errors([], 4) == errors(loop([1.0], 4), 0) == {}


@given(st.integers(1, 9), st.integers(7, 90), st.randoms(use_true_random=False))
def test_the_order_of_the_samples_does_not_matter(conc: int, waves: int, random: object) -> None:
    made = loop(np.linspace(1, 1.3, waves).tolist(), conc)
    mixed = list(made)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    found = errors(made, conc)
    assert found == errors(mixed, conc)
    assert all(math.isfinite(one) and one >= 0 for one in found.values())


def test_long_runs_are_cut_into_longer_blocks() -> None:
    found = errors(loop([1.0] * 200, 100, np.random.default_rng(3)), 100)
    assert 0 < found["tput"] < 0.001
