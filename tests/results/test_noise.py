"""Noise is no change, and a slowdown of 5 % is found: on 200 seeded runs of the simulator in virtual time."""

import json
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from infx.compared import CALLED, Change, Compared
from infx.flat import Flat, flat
from infx.results.against import against
from infx.results.requests import of_samples
from infx.simulator.model import Service
from infx.simulator.virtual import Noise, Played, Tape, play, tape
from tests.shelving import publication

pytestmark = pytest.mark.seeds
SEEDS = range(200)
CONCS = (1, 4, 16, 32, 128)
THROUGHPUT = "tok/s/GPU"
LATENCIES = ("tok/s/user", "TTFT s", "latency s")


@cache
def taped(conc: int) -> Tape:
    return tape(Service(), conc=conc, waves=8, output=32)


@cache
def base(conc: int) -> Flat:
    return flat(publication(conc))


def row(conc: int, turn: int, played: Played) -> Flat:
    """What a run publishes of a point."""
    tokens = np.full(len(played.ends), played.tape.prompt + played.tape.output)
    seen = {"ended": played.ends, "ttft": played.ttft, "tpot": played.tpot, "e2el": played.e2el}
    own = of_samples({**seen, "tokens": tokens}, conc)
    return replace(
        base(conc),
        run=turn,
        published=float(turn),
        tput=played.output_rate,
        intvty=1 / float(np.median(played.tpot)),
        ttft=float(np.median(played.ttft)),
        e2el=float(np.median(played.e2el)),
        joules=None,
        body=json.dumps({"request_error": own}),
    )


@cache
def measured(seed: int, turn: int, slower: float = 1.0) -> list[Flat]:
    """Rows of one run. Only concurrency 16 or more is slower."""
    rng = np.random.default_rng((seed, turn))
    run = rng.normal(0, Noise().run)
    factors = {conc: slower if conc >= 16 else 1.0 for conc in CONCS}
    return [
        row(conc, turn, play(taped(conc), rng, slower=factor, run=run, noise=Noise()))
        for conc, factor in factors.items()
    ]


def compared(seed: int, new: int, old: int, slower: float = 1.0) -> Compared:
    before = [one for turn in range(old) for one in measured(seed, turn)]
    return against([one for turn in range(new) for one in measured(seed, 6 + turn, slower)], before)


@pytest.mark.parametrize(("new", "old"), [(1, 1), (1, 6), (3, 3)])
def test_at_most_5_percent_of_equal_points_are_flagged(new: int, old: int) -> None:
    """Of every judged number for itself, and of curves."""
    flagged: Counter[str] = Counter()
    for seed in SEEDS:
        found = compared(seed, new, old)
        assert len(found.points) == 4 * len(CONCS)
        flagged.update(one.measure for one in found.points if one.verdict in CALLED)
        flagged.update("area" for one in found.curves if one.verdict in CALLED)
    assert all(flagged[name] <= 0.05 * len(SEEDS) * len(CONCS) for name in (THROUGHPUT, *LATENCIES))
    assert flagged["area"] <= 0.05 * len(SEEDS)


def test_a_slowdown_of_5_percent_is_found_in_90_percent_of_runs() -> None:
    """By three runs on each side, at every concurrency for itself."""
    found: Counter[tuple[str, Change]] = Counter()
    for seed in SEEDS:
        points = compared(seed, 3, 3, slower=1 / 0.95).points
        found.update((one.name, one.verdict) for one in points if one.measure == THROUGHPUT)
    names = {conc: against([base(conc)], [base(conc)]).points[0].name for conc in CONCS}
    assert min(found[names[conc], Change.WORSE] for conc in CONCS if conc >= 16) >= 0.9 * len(SEEDS)
    assert max(found[names[conc], Change.WORSE] for conc in CONCS if conc < 16) <= 0.05 * len(SEEDS)
