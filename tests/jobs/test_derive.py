import io
import json
from pathlib import Path
from typing import Any

import pytest

from infx.cli import main
from infx.edge import proc
from infx.edge.world import World
from tests.matrix.sample import RUNNERS, config, dump, engine

AMD, NVIDIA, RUNNERS_PATH = "configs/amd-master.yaml", "configs/nvidia-master.yaml", "configs/runners.yaml"
FIRST = dump([{"config-keys": ["a"], "description": ["x"], "pr-link": "y"}])


class Repository:
    """A git repository with two masters, runners and a changelog, and the command line inside it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.git("init", "--quiet", "--initial-branch", "main")
        self.write(RUNNERS_PATH, dump(RUNNERS))
        self.write(AMD, b"{}\n")
        self.write(NVIDIA, dump({"a": config(fixed=[engine(conc_list=[4, 16])])}))
        self.commit("base", FIRST)

    def git(self, *words: str) -> None:
        identity = ("-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false")
        done = proc.run(["git", "-C", str(self.root), *identity, *words])
        assert done.code == 0, done.complaint

    def write(self, path: str, data: bytes) -> None:
        (self.root / path).parent.mkdir(exist_ok=True)
        (self.root / path).write_bytes(data)

    def commit(self, tag: str, changelog: bytes) -> None:
        self.write("perf-changelog.yaml", changelog)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", tag)
        self.git("tag", tag)

    def plan(self, *words: str) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        world = World(env={}, cwd=self.root, out=out, err=err)
        code = main(["matrix", "plan", "--base", "base", *words], world)
        return code, out.getvalue(), err.getvalue()


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_plan_of_an_appended_entry(repository: Repository) -> None:
    repository.commit("head", FIRST + b"\n" + FIRST)
    code, out, err = repository.plan("--head", "head", "--trim-conc")
    found: Any = json.loads(out)
    assert (code, err) == (0, "")
    assert [row["conc"] for row in found["single_node"]["8k1k"]] == [4]
    assert [row["conc"] for row in found["evals"]] == [16]
    assert (found["changelog_metadata"]["base_ref"], found["changelog_metadata"]["head_ref"]) == (
        "base",
        "head",
    )


def test_no_throughput_is_said_loudly(repository: Repository) -> None:
    repository.commit("head", FIRST + b"\n" + FIRST + b"  all-evals: true\n")
    code, _, err = repository.plan()
    assert code == 0
    assert "0 throughput rows, 2 evals: an entry says all-evals" in err


def test_the_work_tree_is_not_looked_at(repository: Repository) -> None:
    repository.commit("head", FIRST + b"\n" + FIRST)
    repository.write(NVIDIA, b"broken: [")
    assert repository.plan("--head", "head")[0] == 0


def test_append_only_reads_the_base(repository: Repository) -> None:
    repository.write(NVIDIA, dump({"a": config(fixed=[engine(conc_list=[4, 16, 64])])}))
    repository.commit("head", FIRST + b"\n" + FIRST + b"  append-only: true\n")
    code, out, _ = repository.plan()
    assert code == 0
    assert [row["conc"] for row in json.loads(out)["single_node"]["8k1k"]] == [64]


def test_an_added_line_in_front_is_taken_from_the_diff(repository: Repository) -> None:
    repository.commit("head", FIRST + b"\n" + FIRST)
    repository.commit(
        "front", dump([{"config-keys": ["a"], "description": ["front"], "pr-link": "z"}]) + FIRST
    )
    code, out, _ = repository.plan()
    assert code == 0
    assert json.loads(out)["changelog_metadata"]["entries"][0]["description"] == ["front"]


@pytest.mark.parametrize(
    ("changelog", "code", "says"),
    [
        (FIRST, 1, "adds no changelog entry"),
        (b"- other: 1\n", 1, "was removed or edited"),
        (FIRST + b"\n- config-keys: [zz]\n  description: [x]\n  pr-link: y\n", 1, "`zz` names no config"),
        (FIRST + b"\n- config-key: [a]\n", 2, "perf-changelog.yaml:7: "),
        (FIRST + b"\n- a: [\n", 2, "not valid YAML"),
    ],
)
def test_refusals(repository: Repository, changelog: bytes, code: int, says: str) -> None:
    repository.write("note", b"so that there is always a commit")
    repository.commit("head", changelog)
    assert repository.plan()[0] == code
    assert says in repository.plan()[2]


@pytest.mark.parametrize(
    ("words", "says"),
    [(("--head", "nope"), "no commit 'nope'"), (("--changelog", "no.yaml"), "has no file no.yaml")],
)
def test_bad_input(repository: Repository, words: tuple[str, ...], says: str) -> None:
    code, _, err = repository.plan(*words)
    assert code == 2
    assert says in err
