"""`infx sweep simulate` on a history of our own, and on a recorded one."""

import io
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from infx.cli import main
from infx.edge.world import World
from tests.repo import CHANGELOG, MASTER, Repo, entry
from tests.sweeping import M1


def simulate(folder: Path, *words: str, **env: str) -> tuple[int, str, str]:
    world = World(env={"INFX_ORACLE": "", **env}, cwd=folder, out=io.StringIO(), err=io.StringIO())
    code = main(["sweep", "simulate", *words], world)
    assert isinstance(world.out, io.StringIO)
    assert isinstance(world.err, io.StringIO)
    return code, world.out.getvalue(), world.err.getvalue()


@pytest.fixture
def recorded(tmp_path: Path, repo: Repo) -> Path:
    """One change that may stand, and one that today's rules refuse."""
    folder = tmp_path / "recorded"
    folder.mkdir()
    repo.git("tag", "s0001-base", "main")
    repo.commit({"configs/nvidia-master.yaml": MASTER, "perf-changelog.yaml": CHANGELOG + entry(M1)})
    repo.git("tag", "s0001")
    repo.git("tag", "s0002-base")
    repo.commit({"configs/nvidia-master.yaml": "m1: ["})
    repo.git("tag", "s0002")
    repo.git("bundle", "create", "-q", str(folder / "data-history.bundle"), "--tags")
    steps = [{"step": name, "family": "history"} for name in ("s0001", "s0002")]
    lines = [*steps, {"step": "m0001", "family": "small"}]
    (folder / "index.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def test_a_recorded_history_is_replayed(recorded: Path, repo: Repo) -> None:
    code, out, err = simulate(repo.root, "--json", "--fail-share", "0", INFX_ORACLE=str(recorded))
    answer: dict[str, Any] = json.loads(out)
    assert (code, answer["merged"]) == (0, 1)
    assert answer["strategies"]["rerun everything"]["points"] == 6
    assert {name: answer["strategies"]["resume-sweep"][name] for name in ("repeated", "missing")} == {
        "repeated": 0,
        "missing": 0,
    }
    assert "1 change of 2 would be refused" in err


def test_without_one_every_config_key_stands_for_a_change(repo: Repo) -> None:
    code, out, err = simulate(repo.root)
    assert code == 0
    assert "infx: INFX_ORACLE names no recorded history, so every config key" in err
    assert "resume-sweep: 0 accepted points ran twice, 0 missing" in out
    assert simulate(repo.root)[1] == out
    assert simulate(repo.root, "--seed", "2", "--fail-share", "0.5")[1] != out


@pytest.mark.parametrize(
    ("words", "says"), [(("--fail-share", "1"), "below 1"), (("--history", "nowhere"), "no recorded history")]
)
def test_bad_input_is_one_sentence(repo: Repo, words: tuple[str, ...], says: str) -> None:
    code, out, err = simulate(repo.root, *words)
    assert (code, out, says in err) == (2, "", True)


def test_a_broken_bundle_is_named(recorded: Path, repo: Repo) -> None:
    (recorded / "data-history.bundle").write_bytes(b"junk")
    code, _, err = simulate(repo.root, "--history", str(recorded))
    assert (code, "not a git bundle" in err) == (2, True)
    assert subprocess.run(["git", "-C", str(repo.root), "status"], check=False).returncode == 0
