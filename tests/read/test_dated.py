"""Changelog entries are dated by the commit that added them."""

import subprocess
from pathlib import Path

from infx.edge.git import Git
from infx.press import marks
from infx.read.dated import dated


def test_each_entry_has_the_time_of_its_own_commit(tmp_path: Path) -> None:
    path = tmp_path / "perf-changelog.yaml"
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@x"]
    subprocess.run([*git, "init", "-q"], check=True)
    for number, when in ((1, "1790000000"), (2, "1790086400")):
        with path.open("a") as file:
            blank = "\n" if number > 1 else ""
            file.write(
                f'{blank}- config-keys:\n    - key-{number}\n  description:\n    - "Change {number}"\n'
            )
            file.write(f"  pr-link: https://github.com/o/r/pull/{number}\n")
        date = f"{when} +0000"
        subprocess.run([*git, "add", "."], check=True)
        env = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date, "PATH": "/usr/bin:/bin"}
        subprocess.run([*git, "commit", "-qm", str(number)], check=True, env=env)
    found = marks(Git(tmp_path), "perf-changelog.yaml")
    assert [(one.at, one.text, one.keys) for one in found] == [
        (1_790_000_000.0, "Change 1", ("key-1",)),
        (1_790_086_400.0, "Change 2", ("key-2",)),
    ]
    assert found[1].link == "https://github.com/o/r/pull/2"


def test_without_a_changelog_there_are_no_marks(tmp_path: Path) -> None:
    assert marks(Git(tmp_path), "perf-changelog.yaml") == []


def test_lines_and_entries_that_do_not_fit_have_no_dates() -> None:
    assert dated("", where="perf-changelog.yaml") == []
