"""Late: an engine that is made when the first event wants it, so that a forge answers before that."""

import threading
from collections.abc import Callable, Sequence

from infx.forge.ports import Engine, Event


class Late:
    """Implements `infx.forge.ports.Engine`. Before the first event nothing can rest or end."""

    def __init__(self, make: Callable[[], Engine]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: Engine | None = None

    def _engine(self) -> Engine:
        with self._lock:
            self._made = self._made or self._make()
            return self._made

    def deliver(self, event: Event) -> Sequence[int]:
        return self._engine().deliver(event)

    def cancel(self, run_id: int) -> None:
        self._engine().cancel(run_id)

    def rerun(self, run_id: int, *, failed_only: bool, job_id: int | None = None, actor: str = "") -> None:
        self._engine().rerun(run_id, failed_only=failed_only, job_id=job_id, actor=actor)

    def approve(self, run_id: int) -> None:
        self._engine().approve(run_id)

    def runners_changed(self) -> None:
        if self._made:
            self._made.runners_changed()

    def wait_idle(self, timeout_s: float) -> bool:
        return self._made is None or self._made.wait_idle(timeout_s)

    def close(self) -> None:
        if self._made:
            self._made.close()
