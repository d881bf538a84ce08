from dataclasses import replace
from pathlib import Path

import pytest

from infx.edge.checkout import Paths, added_entries, catalog_at
from infx.edge.git import Git
from infx.errors import BadInput
from tests.jobs.test_derive import FIRST, Repository

PATHS = Paths(masters=("configs/nvidia-master.yaml",), runners="configs/runners.yaml")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_blobs_of_several_commits_at_once(repository: Repository) -> None:
    repository.commit("head", FIRST + b"\n" + FIRST)
    git = Git(repository.root)
    log = "perf-changelog.yaml"
    found = git.blobs([("base", log), ("head", "no such file"), ("head", "configs"), ("head", log)])
    assert found == [FIRST, None, None, FIRST + b"\n" + FIRST]


def test_a_path_with_a_line_break_is_refused(repository: Repository) -> None:
    with pytest.raises(BadInput, match="line break"):
        Git(repository.root).blobs([("base", "a\nb")])


def test_catalog_of_a_commit(repository: Repository) -> None:
    assert list(catalog_at(Git(repository.root), "base", paths=PATHS).configs) == ["a"]


def test_a_missing_master_is_named(repository: Repository) -> None:
    with pytest.raises(BadInput, match=r"no file configs/x\.yaml"):
        catalog_at(Git(repository.root), "base", paths=replace(PATHS, masters=("configs/x.yaml",)))


def test_lines_of_messages_are_those_of_the_file(repository: Repository) -> None:
    repository.commit("head", FIRST + b"\n" + FIRST.replace(b"pr-link", b"pr-lnk"))
    with pytest.raises(BadInput) as caught:
        added_entries(Git(repository.root), "perf-changelog.yaml", base="base", head="head")
    line = FIRST.count(b"\n") * 2 + 1
    assert caught.value.where.startswith(f"perf-changelog.yaml:{line}")
