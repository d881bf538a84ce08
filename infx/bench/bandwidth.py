"""The copy bandwidth of this machine's GPU, measured by a script with the engine's own Python."""

import math
from collections.abc import Mapping
from pathlib import Path

from infx.edge import files
from infx.errors import CouldNotTell
from infx.launch.process import Guarded

NAME = "bandwidth.json"
LIMIT_S = 120.0


def measure(script: Path, out: Path, *, env: Mapping[str, str]) -> float:
    """Bytes read and written per second. CouldNotTell when the script fails or takes too long."""
    log = out / "bandwidth.log"
    program = Guarded(["python3", str(script), str(out / NAME)], cwd=out, env=env, log=log)
    code = program.wait(LIMIT_S)
    if code != 0:
        what = "took too long" if code is None else f"ended with {code}: {program.last_line()}"
        raise CouldNotTell(f"the bandwidth script {what}", where=str(log), todo="leave out --bound")
    rate = float(files.read_json(out / NAME)["copy_bytes_per_s"])
    if not math.isfinite(rate) or rate <= 0:
        raise CouldNotTell(f"the copy bandwidth is {rate}", where=str(log), todo="leave out --bound")
    return rate
