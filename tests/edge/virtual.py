"""Virtual time: threads take turns by the clock, so that a race comes out at once and always the same."""

import heapq
import threading
from collections.abc import Callable


class Virtual:
    """Only one thread runs at a time: the one whose sleep ends first."""

    def __init__(self) -> None:
        self.now = 0.0
        """Seconds."""
        self._waiting: list[tuple[float, int, threading.Event]] = []
        self._count, self._idle = 0, threading.Event()

    def run(self, *work: Callable[[], object]) -> None:
        """Begin all at time 0, and return once all have ended."""
        threads = [threading.Thread(target=self._live, args=(one,), daemon=True) for one in work]
        for thread in threads:
            thread.start()
            self._pass()
        while self._waiting:
            self.now, _, event = heapq.heappop(self._waiting)
            event.set()
            self._pass()
        for thread in threads:
            thread.join()

    def sleep(self, seconds: float) -> None:
        event = threading.Event()
        self._count += 1
        heapq.heappush(self._waiting, (self.now + seconds, self._count, event))
        self._idle.set()
        event.wait()

    def clock(self) -> float:
        return self.now

    def _live(self, work: Callable[[], object]) -> None:
        try:
            self.sleep(0)
            work()
        finally:
            self._idle.set()

    def _pass(self) -> None:
        """Until the thread whose turn it is sleeps or ends."""
        self._idle.wait()
        self._idle.clear()
