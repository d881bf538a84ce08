import io
from pathlib import Path

import pytest

from infx.edge.git import Git
from infx.edge.remote import needed, pulls
from infx.edge.world import World
from infx.errors import BadInput
from tests.repo import CHANGELOG, Repo, entry


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


def test_who_needs_an_address_takes_that_of_the_newest_entry(repo: Repo) -> None:
    git, here = Git(repo.root), world(repo.root)
    links = CHANGELOG.replace("o/r", "old/r") + entry("m1*", 9)
    assert needed(git, here, changelog=links.encode()) == "https://github.com/o/r/pull"
    for nothing in ("", entry("m1*").replace("https:", "javascript:")):
        with pytest.raises(BadInput, match="GITHUB_REPOSITORY"):
            needed(git, here, changelog=nothing.encode())
