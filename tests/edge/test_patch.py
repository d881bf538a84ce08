"""What a commit changes, from git objects."""

import subprocess
from pathlib import Path

import pytest

from infx.edge import patch
from infx.edge.git import Git


class Repo:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)

    def commit(self, files: dict[str, str | None]) -> str:
        for path, text in files.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.unlink(missing_ok=True)
            if text is not None:
                file.write_text(text)
        person = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        for words in (("add", "-A"), (*person, "commit", "-q", "-m", "x")):
            subprocess.run(["git", "-C", str(self.folder), *words], check=True)
        done = subprocess.run(
            ["git", "-C", str(self.folder), "rev-parse", "HEAD"], check=True, capture_output=True, text=True
        )
        return done.stdout.strip()


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


def test_both_sides_of_a_rename_are_files(repo: Repo) -> None:
    before = repo.commit({"a": "1\n2\n3\n", "b": "x\n", "c": "y\n"})
    after = repo.commit({"a": None, "z": "1\n2\n3\n4\n", "b": "x2\n"})
    found = patch.files(Git(repo.folder), before, after)
    assert [(one.path, one.status) for one in found] == [("a", "removed"), ("b", "modified"), ("z", "added")]


def test_added_lines_have_their_place_and_a_continued_line_is_one(repo: Repo) -> None:
    before = repo.commit({"s/a.sh": "one\ntwo\n", "other": "x\n"})
    after = repo.commit({"s/a.sh": "one\nsed -i \\\n  's/a/b/' \\\n  x.py\ntwo\n++ b/z\n", "other": "y\n"})
    found = patch.added(Git(repo.folder), before, after, "s", "none")
    assert [(one.place, one.text) for one in found] == [
        ("s/a.sh:2", "sed -i  's/a/b/'  x.py"),
        ("s/a.sh:6", "++ b/z"),
    ]


def test_the_digest_is_that_of_the_diff_and_not_of_the_commits(repo: Repo) -> None:
    git = Git(repo.folder)
    base = repo.commit({"a": "1\n", "b": "1\n"})
    head = repo.commit({"a": "2\n"})
    first = patch.digest(git, base, head)
    subprocess.run(["git", "-C", str(repo.folder), "checkout", "-q", "-b", "target", base], check=True)
    target = repo.commit({"b": "2\n"})
    subprocess.run(["git", "-C", str(repo.folder), "checkout", "-q", "main"], check=True)
    merge = ["git", "-C", str(repo.folder), "-c", "user.name=a", "-c", "user.email=a@x.org", "merge", "-q"]
    subprocess.run([*merge, "-m", "m", "target"], check=True)
    merged = git.resolve("HEAD")
    assert first == patch.digest(git, target, head) == patch.digest(git, target, merged)
    assert patch.digest(git, target, repo.commit({"a": "3\n"})) != first
    assert patch.digest(git, base, "0" * 40) == ""
