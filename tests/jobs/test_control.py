"""Control: what it starts once, and what it says when nobody knows whether it started."""

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from infx.control import Control
from infx.decision import Decision
from infx.draft import Draft
from infx.edge.git import Git
from infx.edge.world import World
from infx.event import Title
from infx.verdict import Kind
from tests.builders import FULL, A, B, plan, rules, webhook
from tests.edge.server import Asked, Reply, Server
from tests.edge.test_github import R
from tests.repo import MASTER, Repo

MEANT = Decision(decision="event", go=True, kind=Kind.DISPATCH, reason="the label starts it")
TITLE = Title(pr=7, action="labeled", head_sha=A, base_sha=B, label=FULL, labels=frozenset({FULL}))
DISPATCH = f"POST {R}/actions/workflows/sweep.yml/dispatches"


@pytest.fixture
def control(server: Server, tmp_path: Path) -> Control:
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"repository": {"default_branch": "main"}}))
    env = {"GITHUB_REPOSITORY": "acme/bench", "GITHUB_TOKEN": "t", "GITHUB_EVENT_PATH": str(event)}
    world = World(env=env, cwd=tmp_path, out=io.StringIO(), err=io.StringIO())
    made = Control(world, webhook("labeled", FULL))
    made.github = server.github()
    server.pages(f"{R}/actions/workflows/sweep.yml/runs", [], key="workflow_runs")
    return made


def test_a_fork_is_swept_from_the_default_branch(server: Server, control: Control) -> None:
    sent: list[Asked] = []

    def dispatch(asked: Asked) -> Reply:
        sent.append(asked)
        return Reply(204)

    server.routes[DISPATCH] = dispatch
    made = plan()
    assert control.dispatch(TITLE, rules(), made, meant=MEANT) == MEANT
    (body,) = (one.body for one in sent)
    assert len(body["inputs"].pop("mark")) == 16
    inputs = {"pr": "7", "head-sha": A, "merge-base": made.merge_base, "mode": "fork", "labels": FULL}
    assert body == {"ref": "main", "inputs": inputs | {"key": "", "conc": ""}}


def test_a_dispatch_that_nobody_answers_is_told_instead_of_ending_the_job(
    server: Server, control: Control
) -> None:
    server.routes[DISPATCH] = Reply(502)
    answer = control.dispatch(TITLE, rules(), plan(), meant=MEANT)
    assert (answer.go, answer.kind) == (False, Kind.COULD_NOT_TELL)
    assert "no answer in 5 attempts" in answer.reason


def pushed(world: World, git: Repo, before: str) -> Control:
    """A push of the branch at hand onto `before`."""
    event = {"repository": {"default_branch": "main"}, "before": before}
    (world.cwd / "push.json").write_text(json.dumps(event))
    env = {**world.env, "GITHUB_EVENT_PATH": str(world.cwd / "push.json")}
    made = Control(replace(world, env=env), webhook("synchronize"))
    made.git = Git(git.root)
    return made


def test_a_push_is_compared_with_the_head_before(control: Control, tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    repo = Repo(tmp_path / "repo")
    before = repo.git("rev-parse", "HEAD")
    head = repo.commit({"configs/nvidia-master.yaml": MASTER.replace("[4, 8]", "[8, 16]")})
    title = replace(TITLE, head_sha=head)
    preview = cast(Draft, object())
    found = pushed(control.world, repo, before).moved(preview, title, rules())
    assert found is not None
    assert [(one.key, one.added, one.removed) for one in found] == [("m1-fp8-h200-sglang", ("C16",), ("C4",))]
    for nobody in ("1" * 40, "", "--all"):
        assert pushed(control.world, repo, nobody).moved(preview, title, rules()) is None
