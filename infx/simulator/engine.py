"""Engine: the model of `model.py` on a real clock; requests get their tokens through queues."""

import asyncio
import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from infx.simulator.model import Batch, Sequence, Service
from infx.simulator.stamps import Stamps

PREFILL, DECODE = "prefill", "decode"
ROLES = ("", PREFILL, DECODE)
"""A whole engine, or what computes prompts, or what makes answers of prompts computed elsewhere."""


@dataclass(frozen=True, kw_only=True)
class Faults:
    """What goes wrong on purpose, for tests of those who start engines."""

    hang_at: int | None = None
    """Stop making tokens for ever once this many requests are in flight together."""
    die_after: int | None = None
    """Exit in mid-answer once this many requests have been taken."""
    die_loading: bool = False
    malformed: bool = False
    """Every third event of a stream is not JSON."""
    zero_tokens: bool = False
    """Streams end at once, with usage zero."""
    early: bool = False
    """Answers 200 with no tokens while it is still loading."""


class Engine:
    """One iteration after the other while there is work; a late iteration makes the next ones shorter."""

    def __init__(
        self,
        *,
        speedup: float = 1.0,
        faults: Faults | None = None,
        stamps: Path | None = None,
        role: str = "",
    ) -> None:
        self.role = role
        self.stamps = Stamps(stamps)
        self.batch = Batch(Service())
        self.speedup = speedup
        self.faults = faults or Faults()
        self.queues: dict[int, asyncio.Queue[None]] = {}
        self.wake = asyncio.Event()
        self.taken = 0

    def submit(self, sequence: Sequence) -> asyncio.Queue[None]:
        """The queue gets one item for each token, at the moment when the engine has it."""
        queue: asyncio.Queue[None] = asyncio.Queue()
        self.queues[id(sequence)] = queue
        self.batch.add(sequence)
        self.stamps.arrived(id(sequence))
        self.taken += 1
        self.wake.set()
        return queue

    def drop(self, sequence: Sequence) -> None:
        self.queues.pop(id(sequence), None)
        self.stamps.ended(id(sequence))
        self.batch.drop(sequence)

    async def run(self) -> None:
        clock = asyncio.get_running_loop().time
        due = clock()
        while True:
            if not self.batch.busy:
                self.wake.clear()
                await self.wake.wait()
                due = clock()
            if self.faults.hang_at and len(self.queues) >= self.faults.hang_at:
                await asyncio.Event().wait()
            duration, got = self.batch.step()
            due += duration / self.speedup
            await asyncio.sleep(max(0.0, due - clock()))
            for sequence in got:
                self.stamps.token(id(sequence))
                with contextlib.suppress(KeyError):
                    self.queues[id(sequence)].put_nowait(None)
            if self.faults.die_after and self.taken >= self.faults.die_after:
                os._exit(9)
