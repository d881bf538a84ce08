"""Power of one cell: a sampler beside it, and what it saw as a Trace."""

import sys
import time
from collections.abc import Mapping
from pathlib import Path

from infx.bench import sampler
from infx.edge import files
from infx.errors import BadInput
from infx.launch.leftovers import MARK
from infx.launch.process import Guarded
from infx.power import Trace
from infx.read import power

CSV, PACKAGE = "power.csv", "power.json"
"""Samples, and the window and verdict made of them."""
PERIOD_S = 0.1
"""The GPUs refresh their counters ten times a second; faster repeats values."""
TAIL_S = 0.35
"""Seconds that sampling goes on after the client, so that a sample closes the window."""


class Sampler:
    """A program of its own, so that a busy cell does not delay it; started before the engine."""

    def __init__(self, out: Path, env: Mapping[str, str]) -> None:
        self.path = out / CSV
        mark = f"{MARK}={env.get(MARK, '')}"
        argv = [sys.executable, sampler.__file__, str(self.path), str(PERIOD_S), mark]
        self.program = Guarded(argv, cwd=out, env=env, log=out / "power.log")

    def stop(self) -> Trace:
        """End it; every sample that it took."""
        time.sleep(TAIL_S)
        self.program.stop()
        try:
            return power.trace(files.read_text(self.path))
        except BadInput as error:
            return Trace(boot="", gpus={}, problem=error.sentence)


def boot() -> str:
    """Boot id of this host, on which the client runs; `""` when it cannot be read."""
    return sampler.BOOT.read_text().strip() if sampler.BOOT.exists() else ""
