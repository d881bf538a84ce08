"""Streams that are full, closed or of another encoding change no exit number, and no traceback is seen."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from infx.edge.world import World

FULL = Path("/dev/full")
ROOT = Path(__file__).parent.parent.parent


def infx(line: str, **env: str) -> subprocess.CompletedProcess[str]:
    """The shell's `line`, in which `infx` is this one."""
    line = line.replace("infx", f"{sys.executable} -m infx", 1)
    found = {**os.environ, "PYTHONPATH": str(ROOT), **env}
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=found, check=False)


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("infx schema kinds >/dev/full", 3, "infx: No space left on device; make room, and try again\n"),
        ("infx matrix schema >/dev/full", 3, "infx: No space left on device; make room, and try again\n"),
        ("infx schema kinds >&-", 0, ""),
        ("infx explain /nope 2>/dev/full", 2, ""),
        ("infx explain /nope 2>&-", 2, ""),
        ("infx matrix schema | head -c 1; exit ${PIPESTATUS[0]}", 0, ""),
    ],
)
@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
def test_a_stream_that_takes_nothing(line: str, code: int, said: str) -> None:
    done = infx(line)
    assert (done.returncode, done.stderr) == (code, said)


def test_a_terminal_without_the_letters_shows_their_numbers() -> None:
    done = infx("infx job report --help", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u2026" in done.stdout


INTERRUPTED = """
import runpy, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "infx.cli": raise KeyboardInterrupt
sys.meta_path.insert(0, Finder())
runpy.run_module("infx", run_name="__main__")
"""


def test_an_interrupt_while_libraries_load_is_quiet() -> None:
    argv, env = [sys.executable, "-c", INTERRUPTED], {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(argv, capture_output=True, text=True, env=env, check=False)
    assert (done.returncode, done.stderr) == (130, "")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("out", "env", "coloured"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
    ],
)
def test_only_a_person_at_a_terminal_sees_colours(
    out: io.StringIO, env: dict[str, str], coloured: bool
) -> None:
    world = World(env=env, cwd=Path(), out=out, err=io.StringIO())
    assert (world.coloured("x", "red") != "x") is coloured
