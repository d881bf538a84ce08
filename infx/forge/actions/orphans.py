"""Processes that a job left behind, found by a mark in their environment, as GitHub's runner does."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

NAME = "INFX_FORGE_JOB"
"""Environment variable that every process of a job inherits."""
ROUNDS = 20


def marked(mark: str) -> Iterator[int]:
    """Ids of living processes that carry `mark`."""
    wanted = f"{NAME}={mark}".encode()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                yield int(folder.name)
        except OSError:
            # It ended just now, or belongs to somebody else.
            continue


def end(mark: str) -> int:
    """Kill them until none is left; how many there were. A dying process may still start another."""
    ended: set[int] = set()
    for _ in range(ROUNDS):
        alive = list(marked(mark))
        if not alive:
            break
        for process in alive:
            ended.add(process)
            _kill(process)
        time.sleep(0.01)
    return len(ended)


def _kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return
