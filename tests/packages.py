"""Debian packages that groups of tests need: installed when the tests may, named when they may not."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

PLACES = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
"""Daemons are not on everybody's path."""


def program(name: str) -> str:
    """Path of a program; empty when it is not installed."""
    return shutil.which(name, path=PLACES) or ""


@cache
def _install(packages: tuple[str, ...]) -> str:
    """Why they cannot be installed; empty when they are now."""
    if os.getuid() != 0 or not shutil.which("apt-get"):
        return "only root may install them, with apt-get"
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with (Path(tempfile.gettempdir()) / "infx-packages.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the workers of one test run ask at once
        for words in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
            done = subprocess.run(
                ["apt-get", "--quiet=2", *words], env=env, capture_output=True, text=True, check=False
            )
            if done.returncode:
                return (done.stderr.strip().splitlines() or ["apt-get failed"])[-1]
    return ""


def missing(programs: Mapping[str, str]) -> str:
    """What is still missing of `programs` (program → package) once all was tried, on one line."""
    absent = {name: package for name, package in programs.items() if not program(name)}
    if not absent:
        return ""
    why = _install(tuple(sorted(set(absent.values()))))
    if why:
        return f"no {', '.join(absent)} (Debian's {', '.join(sorted(set(absent.values())))}): {why}"
    return "" if all(program(name) for name in absent) else f"no {', '.join(absent)} after installing them"


def rooted() -> str:
    """Empty for root with a machine of its own, else what is missing."""
    return "" if os.getuid() == 0 and Path("/proc/self/environ").exists() else "it needs root"
