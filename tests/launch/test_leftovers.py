import os
import subprocess
import time
from pathlib import Path

from infx.launch import leftovers
from infx.launch.process import Guarded


def test_only_marked_programs_of_the_cell_are_ended(tmp_path: Path) -> None:
    def start(mark: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(["sleep", "60"], env={**os.environ, leftovers.MARK: mark})

    mine, other = start(str(tmp_path / "out" / "bmk_a")), start(str(tmp_path / "outer"))
    try:
        assert leftovers.marked(tmp_path / "out") == [mine.pid]
        # Reaping is the parent's work, so a zombie may be seen once more.
        mine.terminate()
        mine.wait()
        assert leftovers.end(tmp_path / "out", grace_s=0.1) == 0
        assert other.poll() is None
    finally:
        for process in (mine, other):
            process.kill()
            process.wait()


def test_end_says_how_many(tmp_path: Path) -> None:
    script = f"{leftovers.MARK}={tmp_path} setsid sleep 60 > /dev/null 2>&1 &"
    subprocess.run(["bash", "-c", script], check=True)
    while not leftovers.marked(tmp_path):
        time.sleep(0.02)
    assert leftovers.end(tmp_path, grace_s=0.5) == 1
    assert leftovers.marked(tmp_path) == []


def test_a_guard_that_is_ended_leaves_no_scratch(tmp_path: Path) -> None:
    env = {"PATH": os.environ["PATH"], leftovers.MARK: str(tmp_path / "out")}
    program = Guarded(["bash", "-c", "echo $TMPDIR; sleep 60"], cwd=tmp_path, env=env, log=tmp_path / "log")
    while not (folder := program.last_line()):
        time.sleep(0.02)
    assert Path(folder).exists()
    assert leftovers.end(tmp_path / "out", grace_s=0) > 1
    assert program.stop() < 0
    assert not Path(folder).exists()
