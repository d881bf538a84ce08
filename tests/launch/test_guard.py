import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infx.launch.process import GUARD, Guarded

DETACHED = "setsid sleep 60 & echo $! > pids; sleep 60 & echo $! >> pids; wait"


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def until(done: Callable[[], bool], limit_s: float = 5.0) -> bool:
    end = time.monotonic() + limit_s
    while not done() and time.monotonic() < end:
        time.sleep(0.02)
    return done()


def pids(folder: Path) -> list[int]:
    assert until(lambda: (folder / "pids").exists() and len((folder / "pids").read_text().split()) == 2)
    return [int(pid) for pid in (folder / "pids").read_text().split()]


def start(folder: Path, script: str, **options: Any) -> Guarded:
    log = folder / "engine.log"
    return Guarded(["bash", "-c", script], cwd=folder, env=dict(os.environ), log=log, **options)


@pytest.mark.parametrize(("script", "code"), [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137)])
def test_exit_code_is_the_programs(tmp_path: Path, script: str, code: int) -> None:
    program = start(tmp_path, script)
    assert until(lambda: program.code() is not None)
    assert program.stop() == code


def test_stop_ends_what_detached_itself(tmp_path: Path) -> None:
    program = start(tmp_path, DETACHED)
    children, begin = pids(tmp_path), time.monotonic()
    program.stop()
    assert all(gone(pid) for pid in children)
    assert time.monotonic() - begin < 2


def test_stop_ends_what_ignores_sigterm(tmp_path: Path) -> None:
    program = start(
        tmp_path, "trap '' TERM; echo $$ > pids; echo $$ >> pids; while :; do sleep 0.1; done", grace_s=0.2
    )
    children = pids(tmp_path)
    program.stop()
    assert all(gone(pid) for pid in children)


def test_children_left_by_a_dead_program_are_ended(tmp_path: Path) -> None:
    program = start(tmp_path, DETACHED.replace("wait", "exit 3"))
    children = pids(tmp_path)
    assert until(lambda: program.code() is not None)
    assert program.stop() == 3
    assert all(gone(pid) for pid in children)


def test_killing_the_caller_ends_the_program(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, time; from infx.launch.process import Guarded;"
        f"g = Guarded(['bash', '-c', {DETACHED!r}], cwd=pathlib.Path('.'), env=dict(os.environ),"
        " log=pathlib.Path('log')); time.sleep(60)"
    )
    root = str(GUARD.parents[2])
    caller = subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": root}
    )
    children = pids(tmp_path)
    caller.send_signal(signal.SIGKILL)
    caller.wait()
    assert until(lambda: all(gone(pid) for pid in children))


def test_scratch_files_are_removed(tmp_path: Path) -> None:
    program = start(tmp_path, "touch $TMPDIR/x; echo $TMPDIR")
    assert until(lambda: program.code() is not None)
    program.stop()
    assert program.last_line().startswith("/")
    assert not Path(program.last_line()).exists()


def test_a_missing_program_is_named(tmp_path: Path) -> None:
    program = Guarded(["/no/such/engine"], cwd=tmp_path, env={}, log=tmp_path / "log")
    assert until(lambda: program.code() is not None)
    assert (program.stop(), program.last_line()) == (
        127,
        "cannot start /no/such/engine: No such file or directory",
    )
