"""Guarded: a started program with its log, ended together with everything it started."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

GUARD = Path(__file__).with_name("guard.py")
GRACE_S = 1.0
"""Seconds between SIGTERM and SIGKILL; clean-up of a local engine stays under 2 s."""


class Guarded:
    """One program under the guard. Its standard output and error go to `log`."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        log: Path,
        grace_s: float = GRACE_S,
    ) -> None:
        with log.open("ab") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(GUARD), str(grace_s), "--", *argv],
                cwd=cwd,
                env=dict(env),
                stdin=subprocess.PIPE,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.log = log
        self.grace_s = grace_s

    def code(self) -> int | None:
        """Exit code once everything has ended, else None."""
        return self.process.poll()

    def wait(self, limit_s: float) -> int | None:
        """Exit code; None when it was ended because it took longer."""
        try:
            return self.process.wait(timeout=limit_s)
        except subprocess.TimeoutExpired:
            self.stop()
            return None

    def stop(self) -> int:
        """End the program and its descendants; exit code."""
        if self.process.stdin:
            self.process.stdin.close()
        try:
            return self.process.wait(timeout=self.grace_s + 10)
        except subprocess.TimeoutExpired:
            # Only a process stuck in the kernel gets here; nothing more can be done from user space.
            self.process.kill()
            return self.process.wait()

    def last_line(self) -> str:
        """Last non-empty line of the log, at most 300 characters, for one-sentence messages."""
        with self.log.open("rb") as file:
            file.seek(max(0, self.log.stat().st_size - 4096))
            lines = file.read().decode("utf-8", "replace").split("\n")
        return next((line.strip()[:300] for line in reversed(lines) if line.strip()), "")
