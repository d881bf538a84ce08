"""Lives are recorded on one forge and from another that plays GitHub, over HTTP, and play again."""

import gzip
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from github import Github

from infx.cli import main
from infx.edge.world import World as Edge
from infx.forge import replay
from infx.forge.life import form
from infx.forge.life.form import Life
from infx.forge.life.player import Player
from infx.forge.server import HOST, Server, bind
from tests.edge.server import Reply
from tests.edge.server import Server as Scripted
from tests.forge.client import REPO, Client, World

pytestmark = pytest.mark.forge


@contextmanager
def playing(life: Life) -> Iterator[str]:
    sock = bind(0)
    home = f"http://{HOST}:{sock.getsockname()[1]}"
    server = Server(Player(life, home), sock)
    yield home
    server.close()


def infx(tmp_path: Path, *argv: str, **env: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = main(argv, Edge(env=env, cwd=tmp_path, out=out, err=err))
    return code, out.getvalue(), err.getvalue()


def live(world: World, pull: int) -> None:
    """What one pull request goes through, by REST."""
    client = world.client("will")
    here = f"/repos/{REPO}/issues/{pull}"
    for method, path, body in (
        ("GET", f"{here}/comments", None),
        ("POST", f"{here}/labels", {"labels": ["sweep"]}),
        ("POST", f"{here}/comments", {"body": "thanks @olga, write to olga@users.noreply.example"}),
        ("GET", f"{here}/comments", None),
        ("GET", f"{here}/timeline?per_page=1&page=2", None),
        ("GET", f"{here}/nothing", None),
    ):
        client(method, path, body)
    world.forge.settle()


def test_a_recorded_life_gives_the_same_answers_in_the_same_order(world, pull, tmp_path):
    tape = world.forge.record()
    live(world, pull)
    life = tape.save(tmp_path / "life.jsonl.gz")
    life = form.read(tmp_path / "life.jsonl.gz")
    assert [event["payload"]["action"] for event in life.of("event")] == ["labeled", "created"]
    with playing(life) as home:
        client, here = Client(f"{home}/api/v3"), f"/repos/{REPO}/issues/{pull}"
        assert client("GET", f"{here}/comments").json == []
        assert client("POST", f"{here}/labels", {"labels": ["sweep"]}).json[0]["name"] == "sweep"
        assert client("POST", f"{here}/labels", {"labels": ["other"]}).status == 404
        for _ in range(2):
            assert client("GET", f"{here}/comments").json[0]["body"].startswith("thanks @somebody")
        page = client("GET", f"{here}/timeline?page=2&per_page=1")
        assert page.headers["link"].startswith(f"<{home}/api/v3/")
        assert client("GET", f"{here}/nothing").status == 404


def test_a_tape_names_nobody(world, pull, tmp_path):
    world.forge.user("olga")
    world.client("olga")("GET", f"/repos/{REPO}/collaborators/will/permission")
    tape = world.forge.record()
    world.client("olga")("GET", f"/repos/{REPO}/collaborators/olga/permission")
    live(world, pull)
    tape.save(tmp_path / "life")
    text = gzip.decompress((tmp_path / "life").read_bytes()).decode()
    for word in ("will", "olga", "noreply", "ghp_", world.forge.url):
        assert word not in text


def test_record_reads_a_pull_request_of_a_real_github(world, pull, tmp_path):
    world.at("will").label(pull, "sweep")
    world.at("olga").comment(pull, "by olga")
    run = world.run(pull, status="completed", conclusion="success")
    world.job(run)
    argv = ("forge", "record", "--repo", REPO, "--pull", str(pull), "--api", world.forge.api)
    code, out, _ = infx(tmp_path, *argv, "--out", "life.gz", "--json", GITHUB_TOKEN=world.tokens["rita"])
    life = form.read(tmp_path / "life.gz")
    assert (code, json.loads(out)["complete"], life.source) == (0, True, "github")
    actions = [f"{event['name']}.{event['payload']['action']}" for event in life.of("event")]
    assert sorted(actions) == [
        "issue_comment.created",
        "pull_request.labeled",
        "pull_request.opened",
        "workflow_run.completed",
        "workflow_run.requested",
    ]
    text = json.dumps(life.entries)
    assert not [
        word for word in ("will", "olga", "rita", world.forge.url, *world.tokens.values()) if word in text
    ]
    with playing(life) as home:
        with Github(base_url=f"{home}/api/v3") as github:
            seen = github.get_repo(REPO).get_pull(pull)
            comments = [comment.body for comment in seen.get_issue_comments()]
        assert [label.name for label in seen.labels] == ["sweep"]
        assert [re.sub(r"\d+", "N", text) for text in comments] == ["by person-N"]
        assert (
            Client(f"{home}/api/v3")("GET", f"/repos/{REPO}/actions/runs/{run.id}/jobs?per_page=100").status
            == 200
        )


def test_looking_again_writes_only_what_changed(world, pull, tmp_path):
    argv = ("forge", "record", "--repo", REPO, "--pull", str(pull), "--api", world.forge.api, "--out")
    infx(tmp_path, *argv, "once", GITHUB_TOKEN=world.tokens["will"])
    infx(tmp_path, *argv, "often", "--for", "0.3", "--every", "0.1", GITHUB_TOKEN=world.tokens["will"])
    once, often = form.read(tmp_path / "once"), form.read(tmp_path / "often")
    assert len(often.of("request")) <= len(once.of("request")) + 1


@pytest.mark.parametrize(
    ("more", "code", "why"),
    [
        (("--pull", "99"), 1, "cannot be read"),
        (("--repo", "acme"), 2, "--repo OWNER/NAME"),
        (("--api", "http://127.0.0.1:1"), 3, "no answer"),
    ],
)
def test_record_says_what_is_wrong_and_writes_nothing(world, pull, tmp_path, more, code, why):
    argv = (
        "forge",
        "record",
        "--repo",
        REPO,
        "--pull",
        str(pull),
        "--api",
        world.forge.api,
        "--out",
        "f",
        *more,
    )
    got, _, err = infx(tmp_path, *argv)
    assert (got, why in err) == (code, True)
    assert not (tmp_path / "f").exists()


def test_events_are_delivered_in_their_order(server: Scripted):
    events = [{"name": "push", "payload": {"n": number}} for number in range(3)]
    server.routes["POST /hook"] = Reply()
    assert replay.deliver(f"{server.url}/hook", events) == 3
    assert [one.body["n"] for one in server.asked] == [0, 1, 2]


def test_replay_prints_the_events(tmp_path):
    entries = [{"kind": "event", "name": "push", "payload": {"n": number}} for number in range(3)]
    form.write(tmp_path / "life", Life(source="forge", at="", complete=True, entries=entries))
    code, out, _ = infx(tmp_path, "forge", "replay", "life", "--json")
    assert (code, [json.loads(line)["payload"]["n"] for line in out.splitlines()]) == (0, [0, 1, 2])
