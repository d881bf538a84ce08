"""Requests: how sure one run is of its own numbers. A seeded block bootstrap over its requests.

In a closed loop requests share a batch with their neighbours, so single requests are no independent samples.
What is drawn are blocks of two waves on end (a moving block bootstrap, Künsch 1989), a wave being as many
answers as requests are in flight. The first wave meets an empty engine and the last one an engine that runs
dry; both are the same in every run, so neither says anything about doubt and both are left out.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from infx.results.spread import SEED
from infx.row import Request

DRAWS = 200
"""They tell a standard error within 5 % of itself."""
FEWEST = 5
"""Waves between the first and the last from which anything can be said of their spread."""
MOST = 64
"""Blocks that a long run is cut into: longer ones than a wave, so that slow waves of load stay in one."""
LENGTH = 2
"""Neighbouring waves that are drawn together: after a slow one comes a fast one."""
SHIFT = 0.1
"""Share of requests that may find themselves in the other half of the next run."""
CHUNK = 1_000_000
"""Numbers that are counted at once."""
Numbers = NDArray[np.float64]


def errors(requests: Sequence[Request], conc: int) -> dict[str, float]:
    """Relative standard error of `tput`, `ttft`, `intvty` and `e2el` by the measured requests alone: shares
    of 1. Empty when they are too few, or not what a client can have seen."""
    names = ("ended", "ttft", "tpot", "e2el", "tokens")
    return of_samples({name: np.array([getattr(one, name) for one in requests]) for name in names}, conc)


def of_samples(samples: Mapping[str, Numbers], conc: int) -> dict[str, float]:
    """The same of requests as columns: `ended`, `ttft`, `tpot`, `e2el`, `tokens`."""
    waves = len(samples["ended"]) // conc - 2 if conc > 0 else 0
    if waves < FEWEST:
        return {}
    size = conc * -(-waves // MOST)
    inner = np.argsort(samples["ended"], kind="stable")[conc:-conc]
    blocks = len(inner) // size
    seen = {name: one[inner[: blocks * size]].reshape(blocks, size) for name, one in samples.items()}
    if not all((np.isfinite(one) & (one > 0)).all() for one in seen.values()):
        return {}
    return _drawn(seen, blocks)


def _drawn(seen: Mapping[str, Numbers], blocks: int) -> dict[str, float]:
    """With so many requests always in flight, throughput is their tokens over the time they took together."""
    rng = np.random.default_rng(SEED)
    starts = rng.integers(0, blocks, size=(DRAWS, -(-blocks // LENGTH), 1))
    picks = ((starts + np.arange(LENGTH)) % blocks).reshape(DRAWS, -1)[:, :blocks]
    # How often each draw holds each block.
    counts = (picks[:, :, None] == np.arange(blocks)).sum(axis=1)
    tokens, seconds = (counts @ seen[name].sum(axis=1) for name in ("tokens", "e2el"))
    found = {"tput": _spread(tokens / seconds)}
    for name, column in (("ttft", "ttft"), ("intvty", "tpot"), ("e2el", "e2el")):
        found[name] = max(_spread(_medians(seen[column], counts)), _gap(seen[column]))
    return found


def _medians(values: Numbers, counts: NDArray[np.int64]) -> Numbers:
    """Median of each draw: the values are sorted once, and counted up to the middle."""
    ordered, size = np.sort(values, axis=None), values.size
    block = np.argsort(values, axis=None, kind="stable") // values.shape[1]
    made = []
    for start in range(0, len(counts), step := max(1, CHUNK // size)):
        passed = np.cumsum(counts[start : start + step, block], axis=1)
        sides = [ordered[(passed >= place).argmax(axis=1)] for place in ((size + 1) // 2, size // 2 + 1)]
        made.append((sides[0] + sides[1]) / 2)
    medians: Numbers = np.concatenate(made)
    return medians


def _gap(values: Numbers) -> float:
    """How far the median would move if a tenth of the requests changed sides. Requests may fall into two
    groups, those that wait for a batch and those that find a place, and each run deals them out anew."""
    low, high = np.quantile(values, (0.5 - SHIFT, 0.5 + SHIFT))
    return float(np.log(high / low) / 2)


def _spread(drawn: Numbers) -> float:
    return float(np.log(drawn).std())
