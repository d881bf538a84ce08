"""The store of record, on real git: nothing is lost, nothing is there twice."""

import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from infx.edge import proc
from infx.edge.git import Git
from infx.edge.store import Store, access, authorisations, preview, published
from infx.errors import BadInput, CouldNotTell

FILE = authorisations(7)
BRANCH = "infx-results"


class Crash(Exception):
    """The job was killed here."""


class Watched(Git):
    """Git that calls `before` in front of every command, with its number and words, and `after` behind it."""

    def __init__(
        self, root: Path, before: Callable[..., None], after: Callable[..., None] = lambda *_: None
    ) -> None:
        super().__init__(root)
        self.before, self.after, self.count = before, after, 0

    def attempt(self, *words: str, stdin: bytes = b"", timeout_s: float = 60) -> proc.Done:
        self.count += 1
        self.before(self.count, words)
        done = super().attempt(*words, stdin=stdin, timeout_s=timeout_s)
        self.after(self.count, words)
        return done


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    git("init", "-q", "--bare", str(tmp_path / "origin.git"))
    return tmp_path / "origin.git"


def git(*words: str) -> str:
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True).stdout


def clone(origin: Path, name: str) -> Path:
    there = origin.parent / name
    if not there.exists():
        git("clone", "-q", str(origin), str(there))
    return there


def store(origin: Path, name: str = "one", made: Git | None = None, **fields: Any) -> Store:
    use = made or Git(clone(origin, name))
    return Store(git=use, branch=BRANCH, pause=lambda seconds: None, now=lambda: 1_790_000_000.0, **fields)


def test_what_is_written_is_read_by_everybody(origin: Path) -> None:
    assert store(origin).read(FILE) == {}
    done = store(origin).put({FILE: {"1": {"runs": [500], "who": "mia ½"}}}, why="authorise")
    assert (done.added, done.same) == (1, 0)
    assert store(origin, "two").read(FILE) == {"1": {"runs": [500], "who": "mia ½"}}


def test_the_same_record_again_changes_nothing(origin: Path) -> None:
    first = store(origin).put({FILE: {"1": {"a": 1}}}, why="x")
    again = store(origin, "two").put({FILE: {"1": {"a": 1}}}, why="x")
    assert (again.commit, again.added, again.same) == (first.commit, 0, 1)


def test_a_changed_record_is_appended_and_the_old_one_stays_in_history(origin: Path) -> None:
    for number in (1, 2):
        store(origin).put({FILE: {"1": {"a": number}}}, why="x")
    assert store(origin).read(FILE) == {"1": {"a": 2}}
    assert store(origin).history(FILE) == [("1", {"a": 1}), ("1", {"a": 2})]


def test_several_files_change_in_one_commit_and_the_others_stay(origin: Path) -> None:
    store(origin).put({FILE: {"1": {}}}, why="x")
    files = {preview(500): {"p": {"v": 1}}, published("ab" * 20): {"p": {"v": 2}}}
    done = store(origin).put(files, why="y")
    assert git("-C", str(origin), "log", "--format=%s", BRANCH).split() == ["y", "x"]
    listed = git("-C", str(origin), "ls-tree", "-r", "--name-only", done.commit).split()
    assert listed == ["authorisations/7.jsonl", "preview/500.jsonl", f"published/{'ab' * 20}.jsonl"]
    assert store(origin, "two").read(preview(500)) == {"p": {"v": 1}}


def test_a_clone_is_left_without_traces(origin: Path) -> None:
    store(origin).put({FILE: {"1": {}}}, why="x")
    assert git("-C", str(clone(origin, "one")), "for-each-ref", "refs/infx", "refs/heads") == ""
    assert git("-C", str(clone(origin, "one")), "status", "--short") == ""


def test_a_lost_race_is_run_again_on_what_the_winner_wrote(origin: Path) -> None:
    rivals = iter(range(3))

    def rival(_: int, words: tuple[str, ...]) -> None:
        if words[0] == "push" and (number := next(rivals, None)) is not None:
            store(origin, "rival").put({FILE: {f"r{number}": {"n": number}}}, why="rival")

    done = store(origin, made=Watched(clone(origin, "one"), rival)).put({FILE: {"mine": {}}}, why="mine")
    assert done.added == 1
    assert list(store(origin, "two").read(FILE)) == ["r0", "r1", "r2", "mine"]


def test_a_race_that_is_never_won_is_said_so(origin: Path) -> None:
    def rival(number: int, words: tuple[str, ...]) -> None:
        if words[0] == "push":
            store(origin, "rival").put({FILE: {f"r{number}": {}}}, why="rival")

    with pytest.raises(CouldNotTell, match="could not write the store"):
        store(origin, made=Watched(clone(origin, "one"), rival)).put({FILE: {"mine": {}}}, why="mine")
    assert "mine" not in store(origin, "two").read(FILE)


def test_two_writers_at_once_lose_and_double_nothing(origin: Path) -> None:
    failed: list[Exception] = []

    def write(name: str) -> None:
        try:
            for number in range(6):
                records = {f"{name}{number}": {"n": number}, "shared": {"n": 0}}
                Store(git=Git(clone(origin, name)), branch=BRANCH).put({FILE: records}, why=name)
        except Exception as error:  # noqa: BLE001  # a thread hands its error over
            failed.append(error)

    writers = [threading.Thread(target=write, args=(name,)) for name in "ab"]
    for writer in writers:
        clone(origin, "ab"[writers.index(writer)])
        writer.start()
    for writer in writers:
        writer.join()
    assert failed == []
    keys = [key for key, _ in store(origin, "two").history(FILE)]
    assert sorted(keys) == sorted(["shared", *(f"{name}{n}" for name in "ab" for n in range(6))])


def crashes(origin: Path, where: str) -> Iterator[int]:
    """Write a record of its own, killed in front of or behind every git command in turn."""
    for step in range(1, 100):

        def kill(number: int, _: tuple[str, ...], step: int = step) -> None:
            if number == step:
                raise Crash

        watched = Watched(clone(origin, "one"), *((kill,) if where == "before" else (lambda *_: None, kill)))
        try:
            store(origin, made=watched).put({FILE: {str(step): {"n": step}}}, why="x")
        except Crash:
            yield step
        else:
            return


@pytest.mark.parametrize("where", ["before", "after"])
def test_a_crash_at_any_step_loses_and_doubles_nothing(origin: Path, where: str) -> None:
    store(origin).put({FILE: {"0": {"n": 0}}}, why="x")
    steps = 0
    for step in crashes(origin, where):
        store(origin).put({FILE: {str(step): {"n": step}}}, why="again")
        steps += 1
    keys = [int(key) for key, _ in store(origin, "two").history(FILE)]
    assert steps >= 6
    assert keys == list(range(steps + 2))


def test_a_broken_line_is_named(origin: Path) -> None:
    there = clone(origin, "one")
    (there / "authorisations").mkdir()
    (there / FILE).write_text('{"key": "1", "value": {}}\n{"key": 2\n')
    who = ("-c", "user.name=n", "-c", "user.email=e@x")
    git("-C", str(there), "checkout", "-q", "-b", BRANCH)
    git("-C", str(there), "add", "-A")
    git("-C", str(there), *who, "commit", "-q", "-m", "by hand")
    git("-C", str(there), "push", "-q", "origin", BRANCH)
    with pytest.raises(BadInput, match=r"authorisations/7\.jsonl:2"):
        store(origin, "two").read(FILE)


def test_a_clone_without_a_remote_is_bad_input_and_one_that_does_not_answer_could_not_tell(
    tmp_path: Path,
) -> None:
    git("init", "-q", str(tmp_path))
    store = Store(git=Git(tmp_path), branch=BRANCH)
    with pytest.raises(BadInput, match="has no remote origin"):
        store.read(FILE)
    git("-C", str(tmp_path), "remote", "add", "origin", str(tmp_path / "gone"))
    with pytest.raises(CouldNotTell):
        store.read(FILE)


def test_a_file_stays_inside_its_folder() -> None:
    with pytest.raises(BadInput):
        published("../x")


def test_a_token_is_only_in_the_environment(tmp_path: Path) -> None:
    env = access("s3cret", "https://github.com")
    git("init", "-q", str(tmp_path))
    told = Git(tmp_path, env={**env, "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)})
    header = told("config", "http.https://github.com/.extraheader").decode()
    assert header.startswith("AUTHORIZATION: basic ")
    assert "s3cret" not in str(env)
