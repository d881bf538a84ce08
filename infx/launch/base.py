"""The protocol of drivers: prepare, start, wait ready, run client, stop, collect, clean up.

Each stage has a time limit (`Limits`) and writes to a log beside the results. What all drivers share is here;
a driver says how the engine is started, looked at and ended.
"""

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from infx.cluster import Limits
from infx.edge import files
from infx.launch.brake import Brake
from infx.launch.process import Guarded
from infx.reason import Reason, Stopped

Note = Callable[[str], None]
PROGRESS_S = 5.0
"""Seconds between two progress lines while a client runs."""
LOG_LIMIT = 16 * 1024 * 1024
"""Bytes of one log that go into an artifact."""


@dataclass(frozen=True, kw_only=True)
class Launch:
    """What a driver starts."""

    root: Path
    """Checkout; working folder of the engine script."""
    script: str
    """Path of the script inside the checkout."""
    env: Mapping[str, str]
    """Environment of the engine, PORT left out."""
    out: Path
    """Folder of the point's results and logs."""
    port: int
    """Wanted port; 0 takes a free one."""
    limits: Limits


class Driver(ABC):
    """One engine, from nothing to nothing. `stop` and `clean_up` may be called at any stage, and twice."""

    def __init__(self, launch: Launch, brake: Brake, note: Note) -> None:
        self.launch, self.brake, self.note = launch, brake, note
        self.log = launch.out / "engine.log"

    @abstractmethod
    def prepare(self) -> None:
        """Check what the engine needs. Stopped with the reason when something is missing."""

    @abstractmethod
    def start(self) -> None:
        """Start the engine; returns at once."""

    @property
    @abstractmethod
    def url(self) -> str:
        """Address of the engine's HTTP interface."""

    @abstractmethod
    def exit_code(self) -> int | None:
        """Exit code of the engine, None while it runs."""

    @abstractmethod
    def last_words(self) -> str:
        """Last line that the engine wrote."""

    @abstractmethod
    def stop(self) -> None:
        """End the engine and everything it started."""

    def obituary(self, code: int, when: str) -> str:
        words = self.last_words()
        return f"exit {code} {when}" + (f": {words}" if words else "")

    def collect(self) -> None:
        """Bring logs into the results folder, bounded: of a longer one the end is kept."""
        for log in self.launch.out.glob("*.log"):
            if log.stat().st_size > LOG_LIMIT:
                with log.open("rb") as file:
                    file.seek(-LOG_LIMIT, os.SEEK_END)
                    files.write_bytes(log, file.read())

    @abstractmethod
    def clean_up(self) -> None:
        """Leave nothing behind on the machine."""

    def wait_ready(self, probe: Callable[[], bool]) -> None:
        """Until `probe` saw a real token. Stopped when the engine ends first or the limit is over."""
        begin = time.monotonic()

        def settled() -> bool:
            return self.exit_code() is not None or probe()

        if not self.brake.wait(settled, limit_s=self.launch.limits.ready):
            raise Stopped(Reason.ENGINE_NOT_READY, f"no token within {self.launch.limits.ready:g} s")
        if (code := self.exit_code()) is not None:
            raise Stopped(Reason.ENGINE_DIED_LOADING, self.obituary(code, "before it was ready"))
        self.note(f"engine ready after {time.monotonic() - begin:.1f} s")

    def run_client(
        self, argv: Sequence[str], *, env: Mapping[str, str], log: Path, progress: Callable[[], str]
    ) -> None:
        """Run a client to its end. Stopped when it fails, the engine ends, or the limit is over."""
        client = Guarded(argv, cwd=self.launch.out, env=env, log=log, grace_s=self.launch.limits.grace)
        said, begin = time.monotonic(), time.monotonic()

        def settled() -> bool:
            nonlocal said
            if time.monotonic() - said >= PROGRESS_S:
                said = time.monotonic()
                self.note(f"{progress()} after {said - begin:.0f} s")
            return client.code() is not None or self.exit_code() is not None

        try:
            in_time = self.brake.wait(settled, limit_s=self.launch.limits.client)
            dead = self.exit_code()
        finally:
            code = client.stop()
        if dead is not None:
            raise Stopped(Reason.ENGINE_DIED, self.obituary(dead, "while serving"))
        if not in_time:
            raise Stopped(Reason.TIME_LIMIT, f"the client took longer than {self.launch.limits.client:g} s")
        if code != 0:
            raise Stopped(Reason.CLIENT_FAILED, f"exit {code}: {client.last_line()}")
