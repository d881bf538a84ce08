"""Entries along the first-parent line of the target branch."""

from pathlib import Path

import pytest

from infx.edge.git import Git
from infx.edge.landed import NOTHING, audited, commits, landings, start
from infx.errors import BadInput
from infx.landing import Landing, Push
from tests.repo import CHANGELOG, Repo, entry

LOG = "perf-changelog.yaml"
M1, M2 = "m1-fp8-h200-sglang", "m2-fp8-h200-sglang"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path)
    made.git("checkout", "-q", "main")
    return made


def found(repo: Repo, since: str, until: str = "main") -> list[Landing]:
    return landings(Git(repo.root), LOG, since=since, until=until)


def append(repo: Repo, text: str) -> str:
    return repo.commit({LOG: repo.read(LOG) + text})


def test_a_squash_is_its_own_landing(repo: Repo) -> None:
    before = repo.git("rev-parse", "main")
    tip = append(repo, entry(M1))
    [got] = found(repo, before)
    assert (got.commit, got.pr("https://github.com/o/r/pull")) == (tip, 7)
    assert got.entry is not None
    assert got.entry.config_keys == (M1,)


def test_a_merge_lands_with_its_merge_commit(repo: Repo) -> None:
    before = repo.git("rev-parse", "main")
    repo.git("checkout", "-q", "topic")
    append(repo, entry(M1))
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "topic", "-m", "merge")
    assert [one.commit for one in found(repo, before)] == [repo.git("rev-parse", "main")]


def test_a_push_of_several_commits_tells_each_entry_with_its_own(repo: Repo) -> None:
    before = repo.git("rev-parse", "main")
    first = append(repo, entry(M1))
    repo.commit({"README.md": "x"})
    second = append(repo, entry(M2, 8))
    got = found(repo, before)
    assert [(one.commit, one.link[-1]) for one in got] == [(first, "7"), (second, "8")]


def test_an_unreadable_entry_is_told_and_its_neighbour_is_read(repo: Repo) -> None:
    before = repo.git("rev-parse", "main")
    append(repo, entry(M1, more="  colour: blue\n") + entry(M2, 8))
    bad, good = found(repo, before)
    assert (bad.entry, "colour" in bad.fault, bad.link[-1]) == (None, True, "7")
    assert good.entry is not None


def test_a_corrected_link_and_a_removed_entry_are_no_landings(repo: Repo) -> None:
    append(repo, entry(M1))
    before = repo.git("rev-parse", "main")
    repo.commit({LOG: repo.read(LOG).replace("pull/7", "pull/9")})
    repo.commit({LOG: CHANGELOG})
    assert found(repo, before) == []


def test_a_rewritten_history_lands_nothing_twice(repo: Repo) -> None:
    append(repo, entry(M1))
    before = repo.git("rev-parse", "main")
    repo.git("commit", "-q", "--amend", "-m", "other words")
    tip = append(repo, entry(M2, 8))
    assert [one.commit for one in found(repo, before)] == [tip]


def test_the_first_commit_lands_what_it_holds(repo: Repo) -> None:
    root = repo.git("rev-list", "--max-parents=0", "main")
    assert [(one.commit, one.link[-1]) for one in found(repo, "", root)] == [(root, "1")]


def test_a_push_begins_where_the_branch_was(repo: Repo) -> None:
    git, before = Git(repo.root), repo.git("rev-parse", "main")
    tip = append(repo, entry(M1))
    assert start(git, Push(before=before, after=tip)) == before
    assert start(git, Push(before=NOTHING, after=tip)) == before
    assert start(git, Push(before="f" * 40, after=tip)) == before
    assert start(git, Push(before=NOTHING, after=before)) == ""


def test_commits_that_touch_what_is_measured(repo: Repo) -> None:
    before = repo.git("rev-parse", "main")
    repo.commit({"README.md": "x"})
    script = repo.commit({"benchmarks/lib.sh": "echo new\n"})
    assert commits(Git(repo.root), "benchmarks", LOG, since=before, until="main") == [script]


def behind(repo: Repo, link: str) -> list[str]:
    return [one.commit for one in audited(Git(repo.root), LOG, after=link, until="main")]


def test_the_audit_begins_behind_the_entry_that_policy_names(repo: Repo) -> None:
    pulls = "https://github.com/o/r/pull"
    root = repo.git("rev-parse", "main")
    first = append(repo, entry(M1))
    second = append(repo, entry(M2, 8))
    assert behind(repo, f"{pulls}/1") == [first, second]
    assert behind(repo, f"{pulls}/7") == [second]
    assert behind(repo, f"{pulls}/8") == []
    assert behind(repo, "") == [root, first, second]
    with pytest.raises(BadInput, match="no entry's pr-link"):
        behind(repo, f"{pulls}/99")


def test_a_corrected_link_stays_the_landing_that_it_was_and_a_removed_entry_is_none(repo: Repo) -> None:
    first = append(repo, entry(M1))
    append(repo, entry(M2, 8))
    repo.commit({LOG: (CHANGELOG + entry(M1)).replace("pull/7", "pull/9")})
    assert behind(repo, "https://github.com/o/r/pull/1") == [first]
