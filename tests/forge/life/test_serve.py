"""`infx forge serve` with its flags, from its start to the signal that ends it."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from infx.forge.life import form
from tests.forge.client import Client


@pytest.mark.forge
def test_what_a_served_forge_lived_through_is_kept_when_it_is_told_to_end(tmp_path):
    command = [sys.executable, "-m", "infx", "forge", "serve", "--folder", str(tmp_path / "forge")]
    subprocess.run(["git", "init", "-q", str(tmp_path / "source")], check=True)
    options = ["--user", "alice=admin", "--record", str(tmp_path / "life")]
    options += ["--repo", f"o/r={tmp_path / 'source'}"]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True) as served:
        assert served.stdout
        said = dict(served.stdout.readline().strip().split(": ", 1) for _ in range(4))
        assert (Path(said["git of o/r"]) / "HEAD").is_file()
        Client(said["api"], said["token of alice"])("GET", "/user")
        assert b"Repositories" in Client(said["pages"])("GET", "/", Accept="text/html").data
        served.send_signal(signal.SIGTERM)
        assert served.wait(20) == 130
    life = form.read(tmp_path / "life")
    assert [(one["path"], one["status"]) for one in life.of("request")] == [("/user", 200)]
    assert "alice" not in str(life.entries)


@pytest.mark.forge
def test_a_served_forge_fails_as_it_was_told(tmp_path):
    """Rules and seed on the command line: the same requests meet the same faults in every start."""
    command = [sys.executable, "-m", "infx", "forge", "serve", "--user", "alice=admin", "--seed", "7"]
    faults = ["--fault", "error_before GET /user times=0 chance=0.5 status=503"]
    seen = []
    for name in ("one", "two"):
        options = ["--folder", str(tmp_path / name), *faults]
        with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True) as served:
            assert served.stdout
            said = dict(served.stdout.readline().strip().split(": ", 1) for _ in range(2))
            ask = Client(said["api"], said["token of alice"])
            seen.append([ask("GET", "/user").status for _ in range(12)])
            served.send_signal(signal.SIGTERM)
            assert served.wait(20) == 130
    assert seen[0] == seen[1]
    assert set(seen[0]) == {200, 503}


@pytest.mark.forge
@pytest.mark.parametrize("rule", ["lost", "gone GET /", "slow GET / often=1"])
def test_a_rule_that_nobody_understands_is_refused_at_once(tmp_path, rule):
    command = [sys.executable, "-m", "infx", "forge", "serve", "--folder", str(tmp_path / "forge")]
    done = subprocess.run(
        [*command, "--fault", rule], capture_output=True, text=True, check=False, timeout=30
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
