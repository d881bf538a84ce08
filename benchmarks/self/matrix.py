"""Generator and changelog plan: whole processes against stock pure-Python PyYAML over both master files."""

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import yaml

MASTERS = ("configs/amd-master.yaml", "configs/nvidia-master.yaml")
SWEEP = ("matrix", "generate", "full-sweep", "--config-files", *MASTERS)
ROUNDS = 5
LIMITS = {
    "full sweep": 0.55,
    "one change": 1.0,
    "one append-only change": 1.0,
    "changed keys": 2.5,
    "no change": 0.8,
    "a comment": 0.8,
}
CHANGES = {"one change": "s0174", "one append-only change": "x0055"}
MEMORY_MB = 300
"""Most resident memory of a full sweep over 16 times the keys."""


def bench() -> None:
    """Print each measure in yardsticks of the same round, and how time grows with the number of keys."""
    recorded = Path(os.environ.get("INFX_ORACLE", "../shared/oracle")).resolve()
    bundle = recorded / "data-history.bundle"
    if not bundle.exists():
        print(f"skipped: no recorded states at {recorded} (set INFX_ORACLE)")
        return
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        subprocess.run(["git", "clone", "-q", str(bundle), str(data)], check=True)
        _ratios(data)
        _growth(data)


def _ratios(data: Path) -> None:
    commands = {"full sweep": SWEEP}
    for name, step in CHANGES.items():
        commands[name] = ("matrix", "plan", "--base", f"{step}-base", "--head", step)
    step = CHANGES["one change"]
    commands["changed keys"] = ("matrix", "changed", "--base", f"{step}-base", "--head", step)
    commands["no change"] = ("matrix", "changed", "--base", step, "--head", step)
    commands["a comment"] = ("matrix", "changed", "--base", step, "--head", _commented(data, step))
    ratios: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        yardstick = _seconds(lambda: _yardstick(data))
        for name, words in commands.items():
            ratios[name].append(_seconds(partial(_infx, data, *words)) / yardstick)
    for name, measured in ratios.items():
        print(f"{name}: {statistics.median(measured):.2f} yardsticks (at most {LIMITS[name]})")


def _commented(data: Path, step: str) -> str:
    """A commit on `step` that changes no value."""
    git = ("git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "-C", str(data))
    subprocess.run([*git, "checkout", "-q", step], check=True)
    path = data / MASTERS[0]
    path.write_text("# a comment\n" + path.read_text())
    subprocess.run([*git, "commit", "-q", "-a", "-m", "a comment"], check=True)
    done = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def _growth(data: Path) -> None:
    texts = {name: (data / name).read_text() for name in MASTERS}
    for times in (1, 4, 16):
        for name, text in texts.items():
            (data / name).write_text("\n".join(_renamed(text, copy) for copy in range(times)))
        seconds = statistics.median(_cpu_seconds(lambda: _infx(data, *SWEEP)) for _ in range(3))
        print(
            f"full sweep, {times}x the keys: {seconds:.2f} s, {seconds / times:.3f} s a 1x, "
            f"{_peak(data)} MB (at most {MEMORY_MB})"
        )


def _renamed(text: str, copy: int) -> str:
    """The same configs under other keys."""
    return re.sub(r"^([A-Za-z0-9][^\s:]*):", rf"\1-copy{copy}:", text, flags=re.MULTILINE) if copy else text


def _peak(data: Path) -> int:
    """Largest resident size of one full sweep, in MB."""
    child = subprocess.Popen(
        [sys.executable, "-m", "infx", *SWEEP], cwd=data, stdout=subprocess.DEVNULL, env=_env()
    )
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    return usage.ru_maxrss // 1024


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _cpu_seconds(work: Callable[[], object]) -> float:
    """Processor time of the child processes that `work` waits for: the machine may be busy."""
    before = os.times()
    work()
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def _yardstick(data: Path) -> None:
    for name in MASTERS:
        yaml.load((data / name).read_text(), Loader=yaml.SafeLoader)


def _infx(data: Path, *words: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "infx", *words], cwd=data, stdout=subprocess.DEVNULL, check=True, env=_env()
    )


def _env() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
