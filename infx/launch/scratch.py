"""Scratch folders of guards: each name holds a process id. A guard that was killed leaves its own."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir


def left() -> Iterator[int]:
    """Process ids of guards that are gone and have left a folder, among those of this user."""
    for path in Path(gettempdir()).glob("infx-*-*"):
        number = path.name.split("-")[1]
        if number.isdigit() and not Path("/proc", number).exists() and path.stat().st_uid == os.getuid():
            yield int(number)


def remove(guard: int) -> list[Path]:
    """Take the folders of a guard that is gone away; those that there were."""
    found = [path for path in Path(gettempdir()).glob(f"infx-{guard}-*") if path.stat().st_uid == os.getuid()]
    for path in found:
        shutil.rmtree(path, ignore_errors=True)
    return found
