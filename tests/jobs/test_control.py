"""Control: what it starts once, and what it says when nobody knows whether it started."""

import io
import json
from pathlib import Path

import pytest

from infx.decision import Decision
from infx.edge.world import World
from infx.event import Title
from infx.jobs.decide import Control
from infx.verdict import Kind
from tests.builders import FULL, A, B, plan, rules, webhook
from tests.edge.server import Asked, Reply, Server
from tests.edge.test_github import R

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
    inputs = {"pr": "7", "head-sha": A, "merge-base": made.merge_base, "mode": "fork", "labels": FULL}
    assert [one.body for one in sent] == [{"ref": "main", "inputs": inputs}]


def test_a_dispatch_that_nobody_answers_is_told_instead_of_ending_the_job(
    server: Server, control: Control
) -> None:
    server.routes[DISPATCH] = Reply(502)
    answer = control.dispatch(TITLE, rules(), plan(), meant=MEANT)
    assert (answer.go, answer.kind) == (False, Kind.COULD_NOT_TELL)
    assert "no answer in 5 attempts" in answer.reason
