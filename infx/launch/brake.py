"""Brake: the one place that says why work must end now. Every waiting loop looks at it."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from infx.reason import Reason, Stopped

TICK_S = 0.05
"""How often waiting loops look."""


class Brake:
    """Pulled by a signal, or by a deadline that runs from its making."""

    def __init__(
        self, *, deadline_s: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.clock = clock
        self.deadline_s = deadline_s
        self.until = None if deadline_s is None else clock() + deadline_s
        self.signal = ""

    def pull(self, name: str) -> None:
        self.signal = name

    @contextmanager
    def resting(self) -> Iterator[None]:
        """The deadline does not run inside the block, such as while a job waits for nodes."""
        until, begin = self.until, self.clock()
        self.until = None
        try:
            yield
        finally:
            self.until = None if until is None else until + self.clock() - begin

    def check(self) -> None:
        """Stopped when the cell was cancelled or its deadline is over."""
        if self.signal:
            raise Stopped(Reason.CANCELLED, f"the job was cancelled ({self.signal})")
        if self.until is not None and self.clock() >= self.until:
            raise Stopped(Reason.CANARY_TIMEOUT, f"the canary reached its deadline of {self.deadline_s:g} s")

    def wait(self, done: Callable[[], bool], *, limit_s: float) -> bool:
        """True as soon as `done()`; False after `limit_s` seconds. Stopped as in `check`."""
        end = self.clock() + limit_s
        while not done():
            self.check()
            if self.clock() >= end:
                return False
            time.sleep(TICK_S)
        return True


@contextmanager
def signals(brake: Brake) -> Iterator[None]:
    """SIGINT, SIGTERM and SIGHUP pull the brake instead of ending the process in mid-write."""

    def pull(number: int, _: FrameType | None) -> None:
        brake.pull(signal.Signals(number).name)

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, pull) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def until(done: Callable[[], bool], limit_s: float) -> bool:
    """Whether `done` came true within `limit_s` seconds. Unlike the brake's wait, nothing ends it early."""
    end = time.monotonic() + limit_s
    while not done():
        if time.monotonic() >= end:
            return False
        time.sleep(TICK_S)
    return True
