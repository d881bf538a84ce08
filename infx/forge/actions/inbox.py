"""One thread that does things in order, so that the state it owns needs no lock."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

TICK_S = 0.25
Task = Callable[[], None]


class Inbox:
    """Tasks from any thread are done one after another; `tick` is done in between, a few times a second."""

    def __init__(self, tick: Task, failed: Callable[[BaseException], None]) -> None:
        self._tick, self._failed = tick, failed
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="forge-scheduler")
        self._idle = threading.Condition()
        self._open = 0
        self._closing = threading.Event()
        self._clock = threading.Thread(target=self._ticks, name="forge-clock", daemon=True)
        self._clock.start()

    def put(self, task: Task) -> None:
        """Do `task` soon; after `close` it is dropped. A fault goes to `failed` and stops nothing else."""
        self.hold()
        with self._idle:
            if not self._closing.is_set():
                self._worker.submit(task).add_done_callback(self._done)
                return
        self.release()

    def hold(self) -> None:
        """Not idle until `release`: something outside, such as a running job, is going to put a task."""
        with self._idle:
            self._open += 1

    def release(self) -> None:
        with self._idle:
            self._open -= 1
            self._idle.notify_all()

    def wait_idle(self, timeout_s: float) -> bool:
        """True once no task and no hold is left."""
        with self._idle:
            return self._idle.wait_for(lambda: self._open == 0, timeout_s)

    def close(self) -> None:
        """The task in progress is finished, no other is begun."""
        with self._idle:
            self._closing.set()
        self._clock.join()
        self._worker.shutdown(wait=True, cancel_futures=True)

    def _done(self, future: "Future[None]") -> None:
        self.release()
        problem = None if future.cancelled() else future.exception()
        if problem is not None:
            self._failed(problem)

    def _ticks(self) -> None:
        while not self._closing.wait(TICK_S):
            self._worker.submit(self._tick).add_done_callback(self._ticked)

    def _ticked(self, future: "Future[None]") -> None:
        problem = None if future.cancelled() else future.exception()
        if problem is not None:
            self._failed(problem)
