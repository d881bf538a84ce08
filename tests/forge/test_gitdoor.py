"""Plain git at the door: a job's token bites on a push over the file path too."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.forge.client import World

pytestmark = pytest.mark.forge

FILES = {"code": {"a.txt": "a\n"}, "workflow": {".github/workflows/new.yml": "on: push\njobs: {}\n"}}


def run(env: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT")}
    known = ("-c", "user.name=bot", "-c", "user.email=bot@example.org")
    command = ["git", *known, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**clean, **env})


def push(world: World, folder: Path, files: dict[str, str], **env: str) -> subprocess.CompletedProcess[str]:
    """Clone, commit the files, push to `new`, in the environment of a job."""
    run(env, "clone", "-q", str(world.at("will").at.bare.root), str(folder))
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    here = ("-C", str(folder))
    run(env, *here, "add", "-A")
    run(env, *here, "commit", "-qm", "by hand")
    return run(env, *here, "push", "-q", "origin", "HEAD:refs/heads/new")


@pytest.mark.parametrize(
    ("contents", "what", "said"),
    [
        ("write", "code", ""),
        ("read", "code", "Resource not accessible by integration"),
        ("write", "workflow", "refusing to allow a GitHub App to create or update workflow"),
    ],
)
def test_pushes_of_jobs(world, tmp_path, contents, what, said):
    done = push(world, tmp_path / "clone", FILES[what], **world.job_env(contents))
    assert said in done.stderr
    assert (done.returncode == 0) == (said == "")
    assert bool(world.at("will").at.bare.ref("refs/heads/new")) == (said == "")


def test_a_job_whose_token_ended_pushes_nothing(world, tmp_path):
    env = {"GITHUB_ACTIONS": "true", "GITHUB_RUN_ID": "7", "RUNNER_NAME": "gone"}
    assert push(world, tmp_path / "clone", FILES["code"], **env).returncode != 0


def test_people_push_what_they_like(world, tmp_path):
    assert push(world, tmp_path / "clone", FILES["workflow"], FORGE_ACTOR="will").returncode == 0
    assert world.recorder.kinds == ["push"]
