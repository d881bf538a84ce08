"""Runs of the simulator in virtual time: the same closed loop, with the noise that real runs have.

What the engine does in each iteration does not depend on how long it takes, so it is computed once (`tape`)
and played with other durations as often as wanted (`play`), a fraction of a millisecond each.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from infx.simulator.model import Batch, Sequence, Service

Numbers = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Tape:
    """One closed loop: `conc` clients, each asking again as soon as it was answered."""

    conc: int
    prompt: int
    output: int
    steps: Numbers
    """Seconds of every engine iteration without noise."""
    requests: NDArray[np.int64]
    """For each request, iterations over when it was asked, had its first token, and its last."""


@dataclass(frozen=True, kw_only=True)
class Noise:
    """Relative standard deviations. Three real runs on one H200 at five concurrencies differed by 1.2 %, the
    first being the slowest at each: most of it belongs to the run, not to the point."""

    run: float = 0.010
    point: float = 0.007
    step: float = 0.03


@dataclass(frozen=True, kw_only=True)
class Played:
    """What a client would have seen. Seconds; in the order of the answers."""

    tape: Tape
    duration: float
    ttft: Numbers
    e2el: Numbers
    ends: Numbers

    @property
    def tpot(self) -> Numbers:
        return (self.e2el - self.ttft) / (self.tape.output - 1)

    @property
    def output_rate(self) -> float:
        """Output tokens per second."""
        return len(self.ends) * self.tape.output / self.duration


def tape(service: Service, *, conc: int, waves: int, prompt: int = 1024, output: int = 128) -> Tape:
    """Play one closed loop to its end, and keep what happened when."""
    batch, left = Batch(service), conc * (waves - 1)
    asked = {}
    first: dict[int, int] = {}
    steps: list[float] = []
    done: list[tuple[int, int, int]] = []

    def ask() -> None:
        sequence = Sequence(prompt=prompt, output=output)
        asked[id(sequence)] = (len(steps), sequence)
        batch.add(sequence)

    for _ in range(conc):
        ask()
    while batch.busy:
        duration, got = batch.step()
        steps.append(duration)
        for sequence in got:
            first.setdefault(id(sequence), len(steps))
            if sequence.done:
                begin, _ = asked.pop(id(sequence))
                done.append((begin, first.pop(id(sequence)), len(steps)))
                if left:
                    left -= 1
                    ask()
    return Tape(conc=conc, prompt=prompt, output=output, steps=np.array(steps), requests=np.array(done))


def play(
    one: Tape, rng: np.random.Generator, *, slower: float = 1.0, run: float = 0.0, noise: Noise
) -> Played:
    """One run. `slower` multiplies every duration; `run` is the deviation that all its points share."""
    factor = slower * np.exp(run + rng.normal(0, noise.point))
    durations = one.steps * factor * np.exp(rng.normal(0, noise.step, len(one.steps)))
    clock = np.concatenate(([0.0], np.cumsum(durations)))
    asked, first, last = (clock[one.requests[:, column]] for column in range(3))
    return Played(tape=one, duration=float(clock[-1]), ttft=first - asked, e2el=last - asked, ends=last)
