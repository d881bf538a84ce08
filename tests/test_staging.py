"""Staging in another repository: asked, answered, and a failure that undoes nothing."""

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infx import staging
from infx.edge import store
from infx.edge.world import World
from infx.errors import BadInput
from infx.jobs.comment import Clerk
from infx.read.place import At
from tests.edge.server import Asked, Reply, Server
from tests.repo import Repo
from tests.sweeping import RULES, Life

OTHER = "acme/pages"


@pytest.fixture
def life(tmp_path: Path) -> Life:
    made = Life(Repo(tmp_path))
    made.push()
    made.hub.roles["mia"] = "write"
    made.sweep(500, made.plan.points)
    return made


def use(life: Life, server: Server, *, words: str = "/use 500", **env: str) -> str:
    """The reply to a command; without words the event of the first one comes again."""
    known = {"GITHUB_API_URL": server.url, "GITHUB_REPOSITORY": "acme/bench", **env}
    world = World(env={"GITHUB_RUN_ID": "9"}, cwd=life.repo.root, out=io.StringIO(), err=io.StringIO())
    desk = replace(life.desk, rules=replace(RULES, stage_to=OTHER), env=known)
    event = life.hub.say("mia", words) if words else life.hub.stored[0]
    assert Clerk(world=world, desk=desk, event=event, editor="").work() == 0
    return life.hub.stored[-1].body


def called_back(life: Life, monkeypatch: pytest.MonkeyPatch, **inputs: Any) -> None:
    """The other repository dispatches the comment workflow."""
    monkeypatch.setattr(staging, "connect", lambda env: life.hub)
    monkeypatch.setattr(staging, "desk_of", lambda *_: life.desk)
    world = World(env={}, cwd=life.repo.root, out=io.StringIO(), err=io.StringIO())
    staging.answered(At({"pr": "7", "comment": "1", **inputs}, "inputs"), world)


def test_the_other_repository_is_told_and_answers(
    life: Life, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.routes[f"POST /repos/{OTHER}/dispatches"] = Reply(204)
    assert "@mia staging run 500…" in use(life, server, INFX_STAGE_TOKEN="t")
    (asked,) = server.asked
    told = asked.body["client_payload"]
    assert (asked.body["event_type"], told["files"]) == (staging.EVENT, [store.preview(500)])
    assert len(told) <= 10
    called_back(life, monkeypatch, state="staged")
    assert "@mia staged run 500." in life.hub.stored[-1].body
    assert life.store.read(store.staging(7))["1"] == {"state": "done", "runs": [500]}


def test_a_failure_there_is_told_in_the_same_reply(
    life: Life, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.routes[f"POST /repos/{OTHER}/dispatches"] = Reply(204)
    use(life, server, INFX_STAGE_TOKEN="t")
    called_back(life, monkeypatch, state="failed", reason="no `disk`\n@all")
    assert "@mia run 500 is not staged: `no 'disk' @all`" in life.hub.stored[-1].body
    assert [record.go for record in life.desk.records] == [True]


def test_an_answer_that_comes_before_the_reply_is_shown_in_it(
    life: Life, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The callback waits for nobody, so it may find only `staging…`."""

    def at_once(asked: Asked) -> Reply:
        called_back(life, monkeypatch, state="failed", reason="full")
        return Reply(204)

    server.routes[f"POST /repos/{OTHER}/dispatches"] = at_once
    assert "@mia run 500 is not staged: `full`" in use(life, server, INFX_STAGE_TOKEN="t")


@pytest.mark.parametrize("reason", ["", " \n", "waiting", "done"])
def test_a_failure_without_a_reason_is_no_success(
    life: Life, server: Server, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.routes[f"POST /repos/{OTHER}/dispatches"] = Reply(204)
    use(life, server, INFX_STAGE_TOKEN="t")
    called_back(life, monkeypatch, state="failed", reason=reason)
    assert "@mia run 500 is not staged: `it failed, and no reason was given`" in life.hub.stored[-1].body


@pytest.mark.parametrize("pr", ["", "x", "-7", "\uff17", "7" * 30, "7.0"])
def test_a_callback_about_no_number_is_bad_input(
    life: Life, pr: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadInput, match="expected a number"):
        called_back(life, monkeypatch, state="staged", pr=pr)


def test_a_callback_that_nobody_waits_for_is_refused(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="comment 1 staged nothing"):
        called_back(life, monkeypatch, state="staged")


@pytest.mark.parametrize(
    ("env", "reply", "says"),
    [
        ({}, Reply(204), "INFX_STAGE_TOKEN is empty"),
        ({"INFX_STAGE_TOKEN": "t"}, Reply(404, {"message": "Not Found"}), "GitHub answered 404"),
    ],
)
def test_reuse_stands_when_staging_fails(
    life: Life, server: Server, env: dict[str, str], reply: Reply, says: str
) -> None:
    server.routes[f"POST /repos/{OTHER}/dispatches"] = reply
    text = use(life, server, **env)
    assert ("warning: run 500 is not staged" in text, says in text) == (True, True)
    assert [(record.go, record.kind) for record in life.desk.records] == [(True, "covers")]
    assert says in life.store.read(store.staging(7))["1"]["state"]


LOST = {"INFX_STAGE_TOKEN": "t"}


def test_a_lost_answer_leaves_it_open_and_the_callback_closes_it(
    life: Life, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other repository was told, and only nobody heard of it."""
    server.routes[f"POST /repos/{OTHER}/dispatches"] = Reply(502)
    assert "@mia staging run 500…" in use(life, server, **LOST)
    called_back(life, monkeypatch, state="staged")
    assert "@mia staged run 500." in life.hub.stored[-1].body
    use(life, server, words="/infx help", **LOST)
    assert len(server.asked) == 1


@pytest.mark.parametrize("again", [0, 1], ids=["same-event", "next-command"])
def test_after_a_lost_answer_the_next_look_asks_again_once(life: Life, server: Server, again: int) -> None:
    server.routes[f"POST /repos/{OTHER}/dispatches"] = Reply(502)
    use(life, server, **LOST)
    server.routes[f"POST /repos/{OTHER}/dispatches"] = Reply(204)
    for _ in range(2):
        use(life, server, words="/infx help" if again else "", **LOST)
    first, second = (one.body["client_payload"] for one in server.asked)
    assert first == second
    assert "@mia staging run 500…" in life.hub.stored[1].body


def test_a_definite_no_to_the_second_request_mends_the_reply(life: Life, server: Server) -> None:
    server.routes[f"POST /repos/{OTHER}/dispatches"] = Reply(502)
    use(life, server, **LOST)
    server.routes[f"POST /repos/{OTHER}/dispatches"] = Reply(404, {"message": "Not Found"})
    use(life, server, words="", **LOST)
    assert "@mia run 500 is not staged: `GitHub answered 404 Not Found`" in life.hub.stored[1].body
    use(life, server, words="", **LOST)
    assert len(server.asked) == 2


def test_a_run_that_is_staged_alone_is_as_open(life: Life, server: Server) -> None:
    server.routes[f"POST /repos/{OTHER}/dispatches"] = Reply(502)
    assert "@mia staging run 500…" in use(life, server, words="/stage-results 500", **LOST)
    assert [(record.go, record.kind) for record in life.desk.records] == [(True, "staged")]


def test_the_record_is_an_artifact_of_its_run(life: Life, server: Server) -> None:
    use(life, server)
    kept = json.loads((life.repo.root / "infx-out/authorisation/authorisation.json").read_text())["records"]
    assert kept == life.store.read(store.authorisations(7))
