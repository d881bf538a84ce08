"""A one-off: what is asked of GitHub, what the plan job makes of it, and when nothing is started."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from infx.cli import main
from infx.draft import one_off
from infx.edge import settings
from infx.edge.git import Git
from infx.edge.world import World
from infx.errors import BadInput
from infx.jobs import dispatch
from infx.read import payload
from tests.runtime import checkout

pytestmark = pytest.mark.process
KEY = "demo-bf16-local-sim"


class FakeGitHub:
    """Takes dispatches, and remembers them."""

    repository = "acme/bench"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, dict[str, str]]] = []

    def runs(self, path: str, **filters: Any) -> list[Any]:
        return []

    def default_branch(self) -> str:
        return "main"

    def dispatch(self, path: str, ref: str, *, inputs: dict[str, str], find: Any) -> None:
        assert find() is None
        self.asked.append((path, ref, inputs))


@pytest.fixture
def github(monkeypatch: pytest.MonkeyPatch) -> FakeGitHub:
    made = FakeGitHub()
    monkeypatch.setattr(dispatch, "connect", lambda env: made)
    return made


def run(folder: Path, *words: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    code = main(["sweep", "dispatch", *words], World(env={}, cwd=folder, out=out, err=err))
    return code, out.getvalue(), err.getvalue()


def test_what_is_dispatched_is_planned_again_by_the_plan_job(tmp_path: Path, github: FakeGitHub) -> None:
    head = checkout(tmp_path)
    code, said, _ = run(tmp_path, KEY, "--conc", "4", "64")
    assert (code, said.startswith("dispatched 2 points")) == (0, True)
    ((path, ref, inputs),) = github.asked
    assert (path, ref) == (".github/workflows/sweep.yml", "main")
    title = payload.read({"inputs": inputs}, where="event.json").title
    assert title
    assert (title.action, title.head_sha, title.key, title.conc) == ("one-off", head, KEY, (4, 64))
    assert title.mark == inputs["mark"] != ""
    plan = one_off(Git(tmp_path), title, settings.load(tmp_path))
    assert [point.title for point in plan.points] == ["C4", "C64"]
    assert (plan.reusable, plan.pr, plan.head_sha, plan.keys[0].canary) == (
        False,
        None,
        head,
        plan.points[0].id,
    )


def test_a_dry_run_starts_nothing(tmp_path: Path, github: FakeGitHub) -> None:
    checkout(tmp_path)
    code, said, _ = run(tmp_path, KEY, "--conc", "4", "--dry-run", "--json")
    answer = json.loads(said)
    assert (code, answer["kind"], answer["details"]["points"]) == (0, "dry-run", [f"{KEY} C4"])
    assert github.asked == []


@pytest.mark.parametrize(
    ("policy", "words", "says"),
    [
        ("paused: the cluster moves\n", [KEY, "--conc", "4"], "the cluster moves"),
        ("max-gpu-hours: {plan: 0.001}\n", [KEY, "--conc", "4"], "max-gpu-hours"),
    ],
)
def test_what_may_not_start_is_refused(
    tmp_path: Path, github: FakeGitHub, policy: str, words: list[str], says: str
) -> None:
    checkout(tmp_path)
    path = tmp_path / "configs" / "policy.yaml"
    path.write_text(path.read_text() + policy)
    code, _, told = run(tmp_path, *words)
    assert code == 1
    assert says in told
    assert github.asked == []


@pytest.mark.parametrize(
    ("words", "says"), [(["nope", "--conc", "4"], "nope"), ([KEY, "--conc", "5"], "concurrency 5")]
)
def test_what_names_nothing_is_bad_input(
    tmp_path: Path, github: FakeGitHub, words: list[str], says: str
) -> None:
    checkout(tmp_path)
    code, _, told = run(tmp_path, *words)
    assert (code, says in told) == (2, True)
    assert github.asked == []


@pytest.mark.parametrize("inputs", [{"key": "a b"}, {"key": "$(x)"}, {"conc": "4 8"}, {"conc": "x"}])
def test_hostile_inputs_are_refused(inputs: dict[str, str]) -> None:
    common = {"mode": "one-off", "head-sha": "a" * 40, "merge-base": "b" * 40}
    with pytest.raises(BadInput):
        payload.read({"inputs": {**common, **inputs}}, where="event.json")
