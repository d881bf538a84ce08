"""An engine that starts nothing and keeps what it was told."""

from collections.abc import Sequence

from infx.forge.ports import Event


class Recorder:
    """Implements `infx.forge.ports.Engine`."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.calls: list[tuple[object, ...]] = []

    def deliver(self, event: Event) -> Sequence[int]:
        self.events.append(event)
        return ()

    def cancel(self, run_id: int) -> None:
        self.calls.append(("cancel", run_id))

    def rerun(self, run_id: int, *, failed_only: bool, job_id: int | None = None, actor: str = "") -> None:
        self.calls.append(("rerun", run_id, failed_only, job_id, actor))

    def approve(self, run_id: int) -> None:
        self.calls.append(("approve", run_id))

    def runners_changed(self) -> None:
        self.calls.append(("runners_changed",))

    def wait_idle(self, timeout_s: float) -> bool:
        return True

    def close(self) -> None:
        self.calls.append(("close",))

    @property
    def kinds(self) -> list[str]:
        """`pull_request.labeled`, `push`, … in order."""
        return [
            f"{one.name}.{one.payload['action']}" if "action" in one.payload else one.name
            for one in self.events
        ]
