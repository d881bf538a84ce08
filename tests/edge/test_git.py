"""What git is asked for is exactly what was meant, whatever branches and plans are called."""

from pathlib import Path

import pytest

from infx.edge.git import Git
from infx.errors import CouldNotTell
from tests.repo import Repo


@pytest.fixture
def clone(tmp_path: Path) -> tuple[Repo, Git]:
    (tmp_path / "origin").mkdir()
    repo = Repo(tmp_path / "origin")
    repo.git("clone", "-q", ".", "../clone")
    return repo, Git(tmp_path / "clone")


def test_the_tip_of_a_branch_is_not_that_of_one_that_ends_like_it(clone: tuple[Repo, Git]) -> None:
    repo, git = clone
    main, other = repo.git("rev-parse", "main"), repo.commit({"README.md": "theirs"})
    repo.git("branch", "a/refs/heads/main")
    assert repo.git("ls-remote", ".", "refs/heads/main").split()[0] == other
    assert (git.tip("refs/heads/main"), git.tip("refs/heads/a/refs/heads/main")) == (main, other)
    assert git.message(other) == "change\n\n"
    assert git.tip("refs/heads/nothing") == ""


def test_what_is_fetched_is_no_option(clone: tuple[Repo, Git], tmp_path: Path) -> None:
    with pytest.raises(CouldNotTell):
        clone[1].fetch(f"--upload-pack=touch {tmp_path}/run; git-upload-pack")
    assert not (tmp_path / "run").exists()
