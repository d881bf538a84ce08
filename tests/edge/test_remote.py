import io
from pathlib import Path

import pytest

from infx.edge.git import Git
from infx.edge.remote import pulls
from infx.edge.world import World
from tests.repo import Repo


def world(root: Path, **env: str) -> World:
    return World(env=env, cwd=root, out=io.StringIO(), err=io.StringIO())


@pytest.mark.parametrize(
    ("origin", "address"),
    [
        ("https://github.com/o/r.git", "https://github.com/o/r/pull"),
        ("https://github.com/o/r", "https://github.com/o/r/pull"),
        ("git@github.com:o/r.git", "https://github.com/o/r/pull"),
        ("ssh://git@github.com:22/o/r/", "https://github.com/o/r/pull"),
        ("/srv/r.git", ""),
    ],
)
def test_the_origin_says_where_pull_requests_are(repo: Repo, origin: str, address: str) -> None:
    repo.git("remote", "add", "origin", origin)
    assert pulls(Git(repo.root), world(repo.root)) == address


def test_the_environment_wins_and_nothing_is_guessed(repo: Repo) -> None:
    assert pulls(Git(repo.root), world(repo.root, GITHUB_REPOSITORY="a/b")) == "https://github.com/a/b/pull"
    assert pulls(Git(repo.root), world(repo.root)) == ""
