import subprocess

import pytest

from tests.repo import CHANGELOG, Repo, entry

MAIN, MINE = entry("m2*", 2), entry("m1-fp8-h200-sglang")


def conflict(repo: Repo, *words: str) -> None:
    repo.commit({"perf-changelog.yaml": CHANGELOG + MINE})
    repo.git("checkout", "-q", "main")
    repo.commit({"perf-changelog.yaml": CHANGELOG + MAIN})
    repo.git("checkout", "-q", "topic")
    with pytest.raises(subprocess.CalledProcessError):
        repo.git(*words)


@pytest.mark.parametrize("words", [("merge", "main"), ("rebase", "main")])
def test_the_target_comes_first_in_a_merge_and_in_a_rebase(repo: Repo, words: tuple[str, ...]) -> None:
    conflict(repo, *words)
    assert repo.infx("changelog", "resolve")[0] == 0
    assert repo.read("perf-changelog.yaml") == CHANGELOG + MAIN + MINE


def test_the_target_side_can_be_named(repo: Repo) -> None:
    conflict(repo, "merge", "main")
    assert repo.infx("changelog", "resolve", "--target", "ours")[0] == 0
    assert repo.read("perf-changelog.yaml") == CHANGELOG + MINE + MAIN


def test_without_a_conflict_nothing_is_written(repo: Repo) -> None:
    code, _, err = repo.infx("changelog", "resolve")
    assert code == 2
    assert "no conflict" in err
