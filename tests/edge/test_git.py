"""Objects of a remote are fetched once, when they are asked for."""

import subprocess
from pathlib import Path

import pytest

from infx.edge.git import Git
from infx.errors import CouldNotTell
from tests.repo import Repo


@pytest.fixture
def far(tmp_path: Path) -> Repo:
    (tmp_path / "far").mkdir()
    return Repo(tmp_path / "far")


@pytest.fixture
def here(far: Repo) -> Git:
    near = far.root.parent / "near"
    subprocess.run(["git", "clone", "-q", far.root, near], check=True)
    return Git(near)


def test_the_tip_of_a_branch_is_asked_of_the_remote_and_its_objects_come(far: Repo, here: Git) -> None:
    tip = far.commit({"new": "x"})
    assert not here.has(tip)
    assert here.tip("topic") == tip
    assert here.has(tip)
    assert here.tip("nowhere") == ""


def test_a_commit_that_is_here_is_not_fetched_and_one_that_nobody_has_is_no_answer(here: Git) -> None:
    here.bring(here.resolve("HEAD"), "refs/heads/nowhere")
    with pytest.raises(CouldNotTell):
        here.bring("1" * 40)


def test_the_tip_of_a_branch_is_not_that_of_one_that_ends_like_it(far: Repo, here: Git) -> None:
    main, other = far.git("rev-parse", "main"), far.commit({"README.md": "theirs"})
    far.git("branch", "a/refs/heads/main")
    assert far.git("ls-remote", ".", "refs/heads/main").split()[0] == other
    assert (here.tip("main"), here.tip("a/refs/heads/main")) == (main, other)
    assert here.message(other) == "change\n\n"
    assert here.tip("nothing") == ""


def test_what_is_fetched_is_no_option(here: Git, tmp_path: Path) -> None:
    with pytest.raises(CouldNotTell):
        here.fetch(f"--upload-pack=touch {tmp_path}/run; git-upload-pack")
    assert not (tmp_path / "run").exists()


def test_what_failed_is_named_by_its_command_not_by_an_option(here: Git) -> None:
    with pytest.raises(CouldNotTell, match="git stash: "):
        here("-c", "user.name=a", "-c", "user.email=b", "stash", "nothing-like-it")
