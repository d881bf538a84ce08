"""Processes: one door that keeps both streams and names the command in every error."""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from infx.errors import CouldNotTell


@dataclass(frozen=True, kw_only=True)
class Done:
    """A process that ended: its exit code and both streams as bytes."""

    argv: tuple[str, ...]
    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        return self.out.decode("utf-8", "replace")

    @property
    def complaint(self) -> str:
        """First line of standard error that says `fatal:` or `error:`, else its last one."""
        lines = [line.strip() for line in self.err.decode("utf-8", "replace").splitlines() if line.strip()]
        told = [line for line in lines if line.startswith(("fatal:", "error:"))]
        return (told[:1] or lines[-1:] or [f"exit {self.code}"])[0]


def run(
    argv: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    timeout_s: float = 60,
) -> Done:
    """Run `argv` to its end. CouldNotTell when it cannot start or takes longer than `timeout_s` seconds."""
    try:
        done = subprocess.run(
            list(argv), cwd=cwd, env=env, input=stdin, capture_output=True, timeout=timeout_s, check=False
        )
    except FileNotFoundError as error:
        raise CouldNotTell(f"{argv[0]} is not installed", todo=f"install {argv[0]}") from error
    except subprocess.TimeoutExpired as error:
        raise CouldNotTell(
            f"{' '.join(argv[:3])} took longer than {timeout_s:g} s", todo="try again"
        ) from error
    return Done(argv=tuple(argv), code=done.returncode, out=done.stdout, err=done.stderr)
