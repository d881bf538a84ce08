"""Programs of a cell that outlived it, found by the mark that each of them carries in its environment."""

import contextlib
import os
import signal
import time
from pathlib import Path

from infx.launch import scratch

MARK = "INFX_CELL"
"""Environment variable of everything that a cell starts; its value is the cell's results folder."""


def marked(out: Path) -> list[int]:
    """Process ids whose cell writes below `out`; only processes of the same user can be seen."""
    wanted = f"{MARK}={out}".encode()
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        try:
            environment = (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if any(entry == wanted or entry.startswith(wanted + b"/") for entry in environment):
            found.append(int(folder.name))
    return found


def end(out: Path, *, grace_s: float) -> int:
    """End what is left below `out`: asked first, made after `grace_s` seconds. How many there were."""
    seen: set[int] = set()
    deadline = time.monotonic() + grace_s
    while alive := marked(out):
        hard = time.monotonic() >= deadline
        for pid in alive:
            if hard or pid not in seen:
                seen.add(pid)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL if hard else signal.SIGTERM)
        if time.monotonic() >= deadline + 60:
            # Stuck in the kernel, usually on a dead file system; nobody can end such a process.
            break
        time.sleep(0.05)
    for pid in seen:
        scratch.remove(pid)
    return len(seen)
