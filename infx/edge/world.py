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

COLOURS = {"red": 31, "green": 32, "yellow": 33, "blue": 34}
"""Numbers of the ANSI sequences that every terminal knows."""


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

    def coloured(self, text: str, colour: str) -> str:
        """`text` in a colour of COLOURS when a person looks at a terminal; elsewhere as it is."""
        if not self.out.isatty() or self.env.get("NO_COLOR") or self.env.get("TERM") == "dumb":
            return text
        return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m"

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
