"""Outbox: webhooks leave one by one in the order in which they happened, and never from inside a write."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for

from infx.errors import BadInput
from infx.forge.ports import Event

Started = Future[Sequence[int]]


class Outbox:
    """A single thread hands events to the engine. A fault of the engine shows at the next `drain`."""

    def __init__(self, deliver: Callable[[Event], Sequence[int]]) -> None:
        self._deliver = deliver
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="forge-outbox")
        self._lock = threading.Lock()
        self._open: list[Started] = []

    def send(self, event: Event) -> Started:
        """The future holds the ids of the runs that the event started."""
        with self._lock:
            future = self._thread.submit(self._deliver, event)
            self._open = [one for one in self._open if not one.done() or one.exception()]
            self._open.append(future)
        return future

    def drain(self, timeout_s: float) -> bool:
        """True once every event sent before this call was taken by the engine; raises the engine's fault.

        BadInput is none: it is the answer to a dispatch, and its sender has it already.
        """
        with self._lock:
            mine, self._open = self._open, []
        done, late = wait_for(mine, timeout=timeout_s)
        with self._lock:
            self._open += late
        for one in done:
            fault = one.exception()
            if fault and not isinstance(fault, BadInput):
                raise fault
        return not late

    @property
    def empty(self) -> bool:
        with self._lock:
            return all(one.done() for one in self._open)

    def close(self) -> None:
        self._thread.shutdown(wait=True, cancel_futures=True)
