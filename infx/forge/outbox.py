"""Outbox: webhooks leave one by one in the order in which they happened, and never from inside a write."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for

from infx.errors import BadInput
from infx.forge import faults
from infx.forge.faults import Faults, Rule
from infx.forge.ports import Event

Started = Future[Sequence[int]]


class Outbox:
    """A single thread hands events to the engine. A fault of the engine shows at the next `drain`."""

    def __init__(self, deliver: Callable[[Event], Sequence[int]], rules: Faults | None = None) -> None:
        self._deliver, self._rules = deliver, rules or Faults()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="forge-outbox")
        self._lock = threading.RLock()
        self._open: list[Started] = []
        self._held: list[tuple[Event, Started]] = []
        """Reordered deliveries that wait for the one after them."""
        self._timers: list[threading.Timer] = []
        self._closed = False

    def send(self, event: Event) -> Started:
        """The future holds the ids of the runs that the event started."""
        rules = {rule.kind: rule for rule in self._rules.delivery(event)} if self._rules.rules else {}
        with self._lock:
            self._open = [one for one in self._open if not one.done() or one.exception()]
            future = self._leave(event, rules)
            if "reordered" not in rules:
                self._release()
        return future

    def _leave(self, event: Event, rules: dict[str, Rule]) -> Started:
        if "skewed" in rules:
            event = faults.skewed(event, rules["skewed"].seconds)
        if "dropped" in rules:
            return nothing()
        if "late" in rules or "reordered" in rules:
            return self._hold(event, rules)
        future = self._submit(event)
        if "duplicate" in rules:
            self._submit(event)
        return future

    def _submit(self, event: Event) -> Started:
        future = self._thread.submit(self._deliver, event)
        self._open.append(future)
        return future

    def _hold(self, event: Event, rules: dict[str, Rule]) -> Started:
        """Deliver later: after a time, or already after the next delivery when it is `reordered`."""
        promised: Started = Future()
        self._open.append(promised)
        entry, rule = (event, promised), rules.get("late") or rules["reordered"]
        if "late" in rules:
            timer = threading.Timer(rule.seconds, self._go, [entry])
        else:
            self._held.append(entry)
            timer = threading.Timer(rule.seconds, self._release)
        timer.daemon = True
        self._timers = [*(one for one in self._timers if one.is_alive()), timer]
        timer.start()
        return promised

    def _release(self) -> None:
        with self._lock:
            held, self._held = self._held, []
        for entry in held:
            self._go(entry)

    def _go(self, entry: tuple[Event, Started]) -> None:
        event, promised = entry
        with self._lock:
            if not self._closed:
                future = self._thread.submit(self._deliver, event)
                future.add_done_callback(lambda done: hand_on(done, promised))

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
        """What is still held is dropped."""
        with self._lock:
            self._closed = True
        for timer in self._timers:
            timer.cancel()
        self._thread.shutdown(wait=True, cancel_futures=True)


def nothing() -> Started:
    """The outcome of an event that starts no run."""
    done: Started = Future()
    done.set_result(())
    return done


def hand_on(done: Started, promised: Started) -> None:
    """What became of the delivery becomes of the promise."""
    if done.cancelled():
        promised.cancel()
    elif done.exception():
        promised.set_exception(done.exception())
    else:
        promised.set_result(done.result())
