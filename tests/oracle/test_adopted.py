"""A repository of the community adopts infx: its changes get preview, verdict and recorded plan."""

import io
import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from infx.cli import main
from infx.edge import proc, settings
from infx.edge.git import Git
from infx.edge.world import World
from infx.matrix.script import expansions, recipe_of
from infx.policy.changelog import Kind
from tests.oracle.recorded import BUNDLE, STEPS, bag, cases
from tests.repo import Repo

pytestmark = pytest.mark.oracle
ROOT = "e2e"
REPLAYED = 20
LINK = re.compile(r"github\.com/([\w.-]+/[\w.-]+)/pull/(\d+)\s*$")
ROWS = ("single_node", "multi_node", "evals", "multinode_evals", "agentic_evals", "multinode_agentic_evals")


def recorded(step: str) -> dict[str, Any]:
    return next(case for case in cases(step) if case["kind"] == "changelog" and not case["flags"])


ACCEPTED = [step for step in STEPS if step.startswith("s") and recorded(step)["status"] == 0][-REPLAYED:]


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Git:
    root = tmp_path_factory.mktemp("adopted") / "data"
    done = proc.run(["git", "clone", "--quiet", "--no-checkout", str(BUNDLE), str(root)])
    assert done.code == 0, done.complaint
    return Git(root)


def rows(output: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for name in ROWS:
        part = output[name]
        yield from (row for group in (part.values() if isinstance(part, dict) else [part]) for row in group)


class Adopted(Repo):
    """The state before a step, moved under a folder, after `infx init`; then the step itself."""

    def __init__(self, root: Path, data: Git, step: str) -> None:
        self.root, self.data, self.output = root, data, recorded(step)["output"]
        link = LINK.search(self.output["changelog_metadata"]["entries"][-1]["pr-link"])
        assert link
        self.repository, self.number = link[1], link[2]
        self.git("init", "-q", "-b", "main")
        self._unpack(f"{step}-base")
        assert self.infx("init", "--no-example")[0] == 0
        self.write({settings.POLICY: self.read(settings.POLICY) + "max-entries: 50\n"})
        self.write({f"{ROOT}/{path}": "" for path in self._scripts()})
        self.commit({})
        self.git("tag", f"{step}-base")
        self._unpack(step)
        self.commit({})
        self.git("tag", step)

    def infx(self, *argv: str) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        world = World(env={"GITHUB_REPOSITORY": self.repository}, cwd=self.root, out=out, err=err)
        return main(argv, world), out.getvalue(), err.getvalue()

    def _unpack(self, tag: str) -> None:
        """Files of a recorded state below ROOT."""
        (self.root / ROOT).mkdir(exist_ok=True)
        for path in self.data.tree(tag):
            (self.root / ROOT / path).unlink(missing_ok=True)
        archive = self.data("archive", tag)
        subprocess.run(["tar", "-x", "-C", str(self.root / ROOT)], input=archive, check=True)

    def _scripts(self) -> set[str]:
        """Each script that a row resolves to; recipe files are part of the recorded states."""
        (pattern,) = settings.parse("").script_patterns
        plain = [row for row in rows(self.output) if recipe_of(row) is None]
        return {next(iter(expansions(pattern, row))) for row in plain}


@pytest.mark.parametrize("step", ACCEPTED)
def test_a_change_of_an_adopted_repository(tmp_path: Path, data: Git, step: str) -> None:
    repo = Adopted(tmp_path, data, step)
    span = ("--base", f"{step}-base", "--head", step)
    code, out, err = repo.infx("matrix", "plan", *span)
    assert code == 0, err
    assert bag(json.loads(out)) == bag(repo.output)
    code, out, err = repo.infx("changelog", "check", *span, "--pr", repo.number, "--json")
    verdict = json.loads(out)
    assert code == (0 if verdict["go"] else 1), err
    assert verdict["kind"] in {kind.value for kind in Kind}
    code, out, err = repo.infx("plan", *span, "--label", "full-sweep-enabled", "--offline", "--json")
    assert code in (0, 1), err
    preview = json.loads(out)["details"]
    evals = sum(bool(row.get("eval-only")) for row in rows(repo.output))
    assert (preview["throughput"], preview["evals"]) == (len(list(rows(repo.output))) - evals, evals)


def test_adoption_changes_no_file_of_the_repository(tmp_path: Path, data: Git) -> None:
    step = ACCEPTED[-1]
    repo = Adopted(tmp_path, data, step)
    for path, blob in data.tree(f"{step}-base").items():
        assert repo.git("rev-parse", f"{step}-base:{ROOT}/{path}") == blob
