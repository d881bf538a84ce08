"""`infx explain` for one event: the whole process, beside an interpreter that does nothing."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROUNDS = 11
LIMIT_S, IMPORTS_S = 0.25, 0.12
REPO = {"full_name": "acme/bench"}
EVENT = {
    "action": "labeled",
    "label": {"name": "full-sweep-enabled"},
    "pull_request": {
        "number": 7,
        "state": "open",
        "labels": [{"name": "full-sweep-enabled"}],
        "head": {"sha": "a" * 40, "ref": "topic", "repo": REPO},
        "base": {"sha": "b" * 40, "ref": "main", "repo": REPO},
    },
    "repository": REPO,
    "sender": {"login": "ada"},
}
PROGRAMS = {
    "bare interpreter": ("-c", "pass"),
    "its imports": (
        "-c",
        "import infx.cli, infx.jobs.explain, infx.edge.settings, infx.read.payload, infx.policy.gate",
    ),
    "infx explain": ("-m", "infx", "explain", "event.json"),
}


def bench() -> None:
    """Print the median seconds of each program, and what it costs over the bare interpreter."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "event.json").write_text(json.dumps(EVENT))
        taken: dict[str, list[float]] = {name: [] for name in PROGRAMS}
        for _ in range(ROUNDS):
            for name, words in PROGRAMS.items():
                taken[name].append(_seconds(Path(folder), *words))
    medians = {name: statistics.median(seconds) for name, seconds in taken.items()}
    bare = medians["bare interpreter"]
    for name, seconds in medians.items():
        print(f"{name}: {seconds:.3f} s, {seconds - bare:.3f} s over the bare one ({seconds / bare:.1f}x)")
    print(f"at most: {LIMIT_S} s for the process, {IMPORTS_S} s for imports over the bare interpreter")


def _seconds(folder: Path, *words: str) -> float:
    """One process in an environment in which compiled modules may be kept, as they are for users."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    start = time.perf_counter()
    subprocess.run([sys.executable, *words], cwd=folder, env=env, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start
