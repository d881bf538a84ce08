"""A person's mistake is one sentence with its place; exit numbers are those of docs/commands.md."""

import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infx.cli import main
from infx.edge.world import World
from tests.payloads import named, payload
from tests.repo import CHANGELOG, MASTER, Repo, entry

BASE = ("--base", "main")
GENERATE = ("matrix", "generate", "full-sweep", "--config-files", "configs/nvidia-master.yaml")
CHANGES = {
    "plan": ("plan", *BASE),
    "matrix changed": ("matrix", "changed", *BASE),
    "matrix plan": ("matrix", "plan", *BASE),
    "changelog check": ("changelog", "check", *BASE),
    "changelog fix": ("changelog", "fix", *BASE),
    "changelog new": ("changelog", "new", "--description", "x", *BASE),
}
"""Commands that compare two commits."""
CONFIGS = [name for name in CHANGES if name != "changelog fix"]
"""Those of them that read configs."""


def files(root: Path) -> dict[str, bytes]:
    inside = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path): path.read_bytes() for path in inside}


def refused(root: Path, *argv: str, **env: str) -> tuple[int, str]:
    """Exit number and the one line about what is wrong; nothing was printed or written besides."""
    before = files(root)
    out, err = io.StringIO(), io.StringIO()
    world = World(env={"GITHUB_REPOSITORY": "o/r", **env}, cwd=root, out=out, err=err)
    code = main(argv, world)
    said = [line for line in err.getvalue().splitlines() if " comparing " not in line]
    assert (out.getvalue(), files(root), len(said)) == ("", before, 1), said
    assert said[0].startswith("infx: ")
    return code, said[0]


def no_configs(repo: Repo) -> None:
    repo.git("rm", "-rq", "configs")
    repo.git("commit", "-qm", "x")


def broken_head(repo: Repo) -> None:
    repo.commit({"configs/nvidia-master.yaml": "a: [\n"})


def broken_base(repo: Repo) -> None:
    repo.git("checkout", "-q", "main")
    repo.commit({"configs/nvidia-master.yaml": "a: [\n"})
    repo.git("checkout", "-q", "-B", "topic")
    more = entry("m1-fp8-h200-sglang")
    repo.commit({"configs/nvidia-master.yaml": MASTER, "perf-changelog.yaml": CHANGELOG + more})


def no_branch(repo: Repo) -> None:
    repo.git("branch", "-qD", "main")


NO_YAML = "configs/nvidia-master.yaml:2:1: not valid YAML"
SPOILT: list[tuple[Callable[[Repo], None], str, list[str]]] = [
    (no_configs, "configs/", CONFIGS),
    (broken_head, NO_YAML, CONFIGS),
    (broken_base, NO_YAML, [name for name in CONFIGS if name != "matrix plan"]),
    (no_branch, "there is no commit 'main' here; fetch it", list(CHANGES)),
]


@pytest.mark.parametrize(
    ("spoil", "says", "name"),
    [
        pytest.param(spoil, says, name, id=f"{spoil.__name__}-{name}")
        for spoil, says, names in SPOILT
        for name in names
    ],
)
def test_a_repository_that_cannot_be_read(
    repo: Repo, spoil: Callable[[Repo], None], says: str, name: str
) -> None:
    spoil(repo)
    code, line = refused(repo.root, *CHANGES[name])
    assert (code, says in line) == (2, True), line


@pytest.mark.parametrize("spoil", [no_configs, broken_head])
def test_rows_of_configs_that_cannot_be_read(repo: Repo, spoil: Callable[[Repo], None]) -> None:
    spoil(repo)
    code, line = refused(repo.root, *GENERATE)
    assert (code, "configs/nvidia-master.yaml" in line) == (2, True)


@pytest.mark.parametrize("name", [*CHANGES, "changelog resolve"])
def test_a_folder_without_a_repository(tmp_path: Path, name: str) -> None:
    (tmp_path / "perf-changelog.yaml").write_text(CHANGELOG)
    code, line = refused(tmp_path, *CHANGES.get(name, name.split()))
    assert (code, "not a git repository" in line) == (2, True), line


@pytest.mark.parametrize("name", [name for name in CHANGES if name != "matrix plan"])
def test_a_shallow_clone_says_how_to_deepen_it(
    repo: Repo, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    repo.commit({"x": "1"})
    repo.git("checkout", "-q", "main")
    repo.commit({"y": "1"})
    clone = tmp_path_factory.mktemp("shallow") / "clone"
    words = ["git", "clone", "-q", "--depth=1", "--no-single-branch", "--branch=topic"]
    subprocess.run([*words, f"file://{repo.root}", str(clone)], check=True)
    argv = ["origin/main" if word == "main" else word for word in CHANGES[name]]
    code, line = refused(clone, *argv)
    assert (code, "git fetch --unshallow" in line) == (2, True), line


def test_resolving_without_a_conflict(repo: Repo) -> None:
    code, line = refused(repo.root, "changelog", "resolve")
    assert (code, "perf-changelog.yaml" in line) == (2, True)


PAYLOADS: list[tuple[str, Any, str]] = [
    ("not json", "{", ":1:2: not JSON"),
    ("empty", "", ":1:1: not JSON"),
    ("deep", "[" * 100_000, "JSON nested too deeply"),
    ("list", [], "expected a mapping"),
    ("null head", payload(head=None), "`pull_request.head`"),
    ("no pull request", {"action": "labeled", "pull_request": None}, "`pull_request`"),
    ("number as text", payload(number="seven"), "`pull_request.number`"),
    ("label without name", payload(labels=[{"name": None}]), "`pull_request.labels[0].name`"),
    ("big and broken", payload(head=None, body="\u00e9" * 5_000_000), "`pull_request.head`"),
]
EVENTS = {
    "explain": ("explain", "event.json"),
    "decide": ("job", "decide"),
    "control": ("job", "decide", "--apply"),
}


@pytest.mark.parametrize("name", EVENTS)
@pytest.mark.parametrize(("value", "says"), [pytest.param(*row[1:], id=row[0]) for row in PAYLOADS])
def test_a_payload_that_is_none(tmp_path: Path, name: str, value: Any, says: str) -> None:
    path = tmp_path / "event.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    env = {"GITHUB_EVENT_PATH": str(path), "GITHUB_EVENT_NAME": "pull_request", "GITHUB_TOKEN": "t"}
    code, line = refused(tmp_path, *EVENTS[name], **env)
    assert (code, says in line) == (2, True), line


@pytest.mark.parametrize("value", [payload(label="x", labels=named("x")), {"workflow_run": None}, []])
def test_a_report_of_another_event(tmp_path: Path, value: Any) -> None:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(value))
    env = {"GITHUB_EVENT_PATH": str(path), "GITHUB_EVENT_NAME": "workflow_run", "GITHUB_TOKEN": "t"}
    assert refused(tmp_path, "job", "report", **env)[0] == 2


@pytest.mark.parametrize("words", [("decide",), ("decide", "--apply"), ("report",)])
@pytest.mark.parametrize("env", [{}, {"GITHUB_EVENT_PATH": "/no/such/file"}])
def test_a_step_outside_a_workflow(tmp_path: Path, words: tuple[str, ...], env: dict[str, str]) -> None:
    code, line = refused(tmp_path, "job", *words, **env)
    assert (code, "GITHUB_EVENT_PATH" in line or "/no/such/file" in line) == (2, True)


POINT = ("point", "--id", "0" * 16)


@pytest.mark.parametrize("words", [("fanout",), ("collect",), POINT])
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "plan.json:1:2: not JSON"),
        ("[]", "plan.json: not of the expected shape"),
        ("{}", "plan.json: not of the expected shape"),
        ('{"format": NaN}', "plan.json: NaN is not a JSON number"),
    ],
)
def test_a_plan_that_is_none(tmp_path: Path, words: tuple[str, ...], text: str, says: str) -> None:
    (tmp_path / "infx-in" / "plan").mkdir(parents=True)
    (tmp_path / "infx-in" / "plan" / "plan.json").write_text(text)
    code, line = refused(tmp_path, "job", *words)
    assert (code, says in line) == (2, True), line


@pytest.mark.parametrize("words", [("fanout",), ("collect",), POINT])
def test_no_plan_at_all(tmp_path: Path, words: tuple[str, ...]) -> None:
    code, line = refused(tmp_path, "job", *words)
    assert (code, "plan" in line) == (2, True)


@pytest.mark.parametrize(
    ("name", "value"),
    [("GITHUB_RUN_ID", "x"), ("GITHUB_RUN_ATTEMPT", "9" * 40), ("GITHUB_API_URL", "nonsense")],
)
def test_an_environment_that_no_workflow_has(tmp_path: Path, name: str, value: str) -> None:
    event = tmp_path / "event.json"
    event.write_text(json.dumps(payload()))
    env = {"GITHUB_EVENT_PATH": str(event), "GITHUB_TOKEN": "t", name: value}
    code, line = refused(tmp_path, "job", "decide", **env)
    assert (code, name in line) == (2, True), line
