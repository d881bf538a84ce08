"""A group without its tool is one line, and an error where everything is required."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("require", "code"), [("", pytest.ExitCode.OK), ("all", pytest.ExitCode.USAGE_ERROR)]
)
def test_a_group_that_cannot_run_says_so_once(tmp_path: Path, require: str, code: int) -> None:
    env = {**os.environ, "INFX_ORACLE": str(tmp_path), "INFX_REQUIRE": require}
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-m",
        "oracle",
        "tests/oracle/test_recorded.py",
    ]
    done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert (done.stdout + done.stderr).count("group oracle, 1 tests: no recorded sweeps in") == 1
