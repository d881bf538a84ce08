"""The simulator's timing against what was measured on one H200 (7 B dense bf16, vLLM), in virtual time."""

import heapq
from dataclasses import dataclass

import pytest

from infx.simulator.model import Batch, Sequence, Service

MEASURED = {
    # (concurrency, waves, output): output tok/s, TTFT p99 ms, TPOT p99 ms; input is 1,024 tokens
    (1, 8, 128): (192.7, 40, 4.94),
    (4, 4, 128): (685.9, 105, 5.52),
    (16, 4, 128): (1883.7, 391, 7.94),
    (64, 4, 128): (3296.8, 1551, 18.36),
    (256, 2, 128): (3875.2, 6477, 62.21),
    (16, 1, 1024): (2588.8, 393, 6.09),
    (64, 1, 1024): (6319.1, 1533, 9.85),
    (256, 1, 1024): (9164.5, 6437, 26.91),
}
MEDIANS = {1: (37, 4.93), 4: (96, 5.09)}
"""TTFT and TPOT p50 in ms. At more clients medians depend on how waves mix; the machine's do not repeat."""


@dataclass(frozen=True)
class Run:
    rate: float
    ttft: list[float]
    tpot: list[float]


def closed_loop(conc: int, waves: int, output: int) -> Run:
    """`conc` clients, each asking again 1 ms after its answer."""
    batch, left, now = Batch(Service()), conc * (waves - 1), 0.0
    asked: dict[int, float] = {}
    first: dict[int, float] = {}
    done: list[tuple[float, float, float]] = []
    arrivals = [0.0] * conc
    while arrivals or batch.busy:
        now = now if batch.busy else max(now, arrivals[0])
        while arrivals and arrivals[0] <= now:
            sequence = Sequence(prompt=1024, output=output)
            asked[id(sequence)] = heapq.heappop(arrivals)
            batch.add(sequence)
        duration, got = batch.step()
        now += duration
        for sequence in got:
            first.setdefault(id(sequence), now)
            if sequence.done:
                done.append((asked.pop(id(sequence)), first.pop(id(sequence)), now))
                if left:
                    left -= 1
                    heapq.heappush(arrivals, now + 0.001)
    return Run(
        rate=len(done) * output / now,
        ttft=sorted((seen - begin) * 1e3 for begin, seen, _ in done),
        tpot=sorted((end - seen) / (output - 1) * 1e3 for _, seen, end in done),
    )


def at(values: list[float], share: float) -> float:
    return values[min(len(values) - 1, round(share * (len(values) - 1)))]


@pytest.mark.parametrize("level", MEASURED, ids=str)
def test_throughput_within_6_and_tails_within_10_percent_of_the_h200(level: tuple[int, int, int]) -> None:
    rate, ttft, tpot = MEASURED[level]
    run = closed_loop(*level)
    assert run.rate == pytest.approx(rate, rel=0.06)
    assert at(run.ttft, 0.99) == pytest.approx(ttft, rel=0.10)
    assert at(run.tpot, 0.99) == pytest.approx(tpot, rel=0.10)


@pytest.mark.parametrize("conc", MEDIANS)
def test_medians_within_10_percent_where_they_repeat(conc: int) -> None:
    run, (ttft, tpot) = closed_loop(conc, 4, 128), MEDIANS[conc]
    assert at(run.ttft, 0.5) == pytest.approx(ttft, rel=0.10)
    assert at(run.tpot, 0.5) == pytest.approx(tpot, rel=0.10)


def test_tokens_are_conserved_and_cached_ones_cost_nothing() -> None:
    batch = Batch(Service())
    cold, warm = Sequence(prompt=1000, output=3), Sequence(prompt=1000, output=3, cached=1000)
    batch.add(cold)
    first, _ = batch.step()
    batch.add(warm)
    second, got = batch.step()
    assert (len(got), second < first) == (2, True)
    while batch.busy:
        batch.step()
    assert (cold.made, warm.made) == (3, 3)


def test_no_more_than_the_batch_runs_and_a_dropped_request_leaves() -> None:
    batch = Batch(Service(max_batch=2))
    sequences = [Sequence(prompt=10, output=5) for _ in range(3)]
    for sequence in sequences:
        batch.add(sequence)
    batch.step()
    assert (len(batch.running), len(batch.waiting)) == (2, 1)
    batch.drop(sequences[0])
    batch.drop(sequences[2])
    assert (batch.running, list(batch.waiting)) == ([sequences[1]], [])
