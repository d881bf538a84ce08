"""World: everything outside that a job may touch, handed in by the command line and replaced in tests."""

import os
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO


@dataclass(frozen=True, kw_only=True)
class World:
    """Environment, clock, streams and working folder as values. Edges are opened from it where needed."""

    env: Mapping[str, str]
    cwd: Path
    out: TextIO
    """Answers: rows, JSON, text that was asked for."""
    err: TextIO
    """Everything said to people on the way."""
    now: Callable[[], float] = field(default=time.time)
    """Unix seconds, UTC."""

    @classmethod
    def real(cls) -> "World":
        return cls(env=os.environ, cwd=Path.cwd(), out=_lenient(sys.stdout), err=_lenient(sys.stderr))

    def say(self, text: str) -> None:
        """One line on standard output."""
        self.out.write(text + "\n")

    def note(self, text: str) -> None:
        """One line on standard error. That nobody can read it changes no answer."""
        with suppress(OSError):
            self.err.write(text + "\n")
            self.err.flush()


def _lenient(stream: TextIO | None) -> TextIO:
    """A stream that shows what its encoding has no letter for, and takes everything when it is closed."""
    if stream is None:
        return Path(os.devnull).open("w")
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream
