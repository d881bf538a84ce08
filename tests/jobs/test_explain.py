"""`infx explain`: any payload, offline, quick, and never a bug."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from infx.cli import main
from infx.edge.world import World
from infx.event import Title
from infx.facts import Facts
from infx.policy import gate
from infx.read import facts as documents
from infx.read import payload as payloads
from infx.read import title
from tests import sources
from tests.builders import FAIL_FAST, FULL, A, B, event, rules
from tests.edge.server import Reply, Server
from tests.edge.test_facts import gathered
from tests.edge.test_github import R, raw_run
from tests.payloads import SERVERS, named, payload, published

ROOT = Path(__file__).parent.parent.parent


def explain(folder: Path, value: Any, *options: str, topic: str = "") -> tuple[int, str, str]:
    """Exit number and both streams of `infx explain` on a document."""
    text = value if isinstance(value, str) else json.dumps(value)
    (folder / "doc.json").write_text(text)
    world = World(env={}, cwd=folder, out=io.StringIO(), err=io.StringIO())
    code = main(["explain", *filter(None, [topic]), "doc.json", *options], world)
    assert isinstance(world.out, io.StringIO)
    assert isinstance(world.err, io.StringIO)
    return code, world.out.getvalue(), world.err.getvalue()


@pytest.mark.node
def test_a_payload_of_every_event_gets_a_decision(tmp_path: Path) -> None:
    for name, example in dict(published()).items():
        code, out, err = explain(tmp_path, example, "--json")
        assert code == 0, (name, err)
        assert json.loads(out)["decision"] == "event"


@pytest.mark.node
@pytest.mark.parametrize("server", SERVERS)
def test_every_published_payload_is_decided(server: str) -> None:
    for name, example in published(server):
        hook = payloads.read(example, where=name)
        assert gate.decide(Facts(webhook=hook), rules()).decision == "event"


@pytest.mark.node
def test_there_are_as_many_examples_as_were_looked_at() -> None:
    assert len(published()) == 329


def test_the_answer_has_the_published_shape(tmp_path: Path) -> None:
    code, out, _ = explain(tmp_path, payload(label=FULL, labels=named(FULL)), "--json")
    answer = json.loads(out)
    assert list(answer) == ["decision", "go", "kind", "reason", "details", "group", "cancels"]
    assert (code, answer["go"], answer["kind"], answer["cancels"]) == (0, True, "start", [])


def test_the_text_says_kind_and_reason_first(tmp_path: Path) -> None:
    code, out, _ = explain(tmp_path, payload(label=FULL, labels=named(FULL, FAIL_FAST)))
    assert code == 1
    assert out.startswith(f'clash: "{FULL}" and "{FAIL_FAST}" contradict each other')


def test_the_same_decision_comes_from_the_facts(tmp_path: Path) -> None:
    facts = event("labeled", FULL, (FULL,))
    _, out, _ = explain(tmp_path, documents.write(facts), "--json", topic="event")
    assert json.loads(out) == json.loads(json.dumps(gate.decide(facts, rules()).as_json()))


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ("no json", "doc.json:1:1"),
        ("[" * 100_000, "doc.json"),
        ("[]", "doc.json"),
        (payload(head=None), "pull_request.head"),
        ({"facts": "event", "webhook": None}, "webhook"),
    ],
)
def test_bad_input_is_one_sentence_with_its_place(value: Any, place: str, tmp_path: Path) -> None:
    code, out, err = explain(tmp_path, value)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert place in err


def test_a_comment_of_five_megabytes_is_not_in_the_way(tmp_path: Path) -> None:
    comment = {"id": 1, "body": "é" * 5_000_000, "user": {"login": "eve"}}
    code, out, _ = explain(tmp_path, {"action": "created", "issue": {}, "comment": comment})
    assert (code, len(out) < 1000) == (0, True)


def test_labels_of_any_script_are_fine(tmp_path: Path) -> None:
    odd = "\u202e\ud83d\x00é\n"
    code, out, _ = explain(tmp_path, json.dumps(payload(label=odd, labels=named(odd, FULL))))
    assert (code, out.startswith("ignored: ")) == (0, True)
    assert out.encode("utf-8").decode().replace("\n", "").isprintable()


def test_the_policy_beside_it_counts(tmp_path: Path) -> None:
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "policy.yaml").write_text("paused: rack is down\n")
    code, out, _ = explain(tmp_path, payload(label=FULL, labels=named(FULL)))
    assert (code, "rack is down" in out) == (1, True)


@pytest.mark.parametrize(
    "words", [["explain", "sorce", "x"], ["explain", "event", "a", "b"], ["schema", "odd"]]
)
def test_unknown_words_are_bad_usage(words: list[str], tmp_path: Path) -> None:
    world = World(env={}, cwd=tmp_path, out=io.StringIO(), err=io.StringIO())
    assert main(words, world) == 2


def test_no_client_or_schema_library_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "e.json").write_text(json.dumps(payload(label=FULL, labels=named(FULL))))
    program = (
        "import sys; from infx.cli import main; from infx.edge.world import World;"
        "code = main(['explain', sys.argv[1]], World.real());"
        "heavy = {'github', 'httpx', 'pydantic', 'jsonschema', 'jsonschema_rs', 'tenacity', 'requests'};"
        "sys.exit(code or ' '.join(heavy & set(sys.modules)) or None)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "e.json")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_facts_can_be_looked_up_saved_and_decided_again(tmp_path: Path, server: Server) -> None:
    gathered(server, payload("synchronize", labels=named(FULL)))
    env = {"GITHUB_REPOSITORY": "acme/bench", "GITHUB_TOKEN": "t", "GITHUB_API_URL": server.url}
    world = World(env=env, cwd=tmp_path, out=io.StringIO(), err=io.StringIO())
    assert main(["explain", "--pr", "7", "--json", "--save-facts", "facts.json"], world) == 0
    assert isinstance(world.out, io.StringIO)
    saved = json.loads((tmp_path / "facts.json").read_text())
    assert explain(tmp_path, saved, "--json", topic="event")[1] == world.out.getvalue()


def test_a_failure_is_looked_up_in_the_newest_sweep_that_failed(tmp_path: Path, server: Server) -> None:
    """A cell before `collect`, which only says that a point is missing."""
    gathered(server, payload("synchronize", labels=named(FULL)))
    meant = title.write(Title(pr=7, action="resume", head_sha=A, base_sha=B, labels=frozenset({FULL})))
    runs = [
        raw_run(9, meant, event="workflow_dispatch", status="completed", conclusion="success"),
        raw_run(5, meant, event="workflow_dispatch", status="completed", conclusion="failure"),
    ]
    server.pages(f"{R}/actions/workflows/sweep.yml/runs", runs, key="workflow_runs")
    server.pages(f"{R}/actions/runs/9/jobs", [], key="jobs")
    took = {"started_at": "2026-07-01T12:00:00Z", "completed_at": "2026-07-01T12:00:09Z"}
    steps = [{"name": "Run actions/checkout", "conclusion": "failure", "number": 1, **took}]
    bad = {"status": "completed", "conclusion": "failure", "runner_name": "h200_3", "labels": ["h200"]}
    jobs = [{"id": 1, "name": "collect", **bad}, {"id": 2, "name": "k C4", **bad, "steps": steps}]
    server.pages(f"{R}/actions/runs/5/jobs", jobs, key="jobs")
    server.routes[f"GET {R}/actions/jobs/2/logs"] = Reply(200, b"EACCES: permission denied, rmdir 'x'")
    server.pages(f"{R}/check-runs/2/annotations", [])
    env = {"GITHUB_REPOSITORY": "acme/bench", "GITHUB_TOKEN": "t", "GITHUB_API_URL": server.url}
    world = World(env=env, cwd=ROOT, out=io.StringIO(), err=io.StringIO())
    assert main(["explain", "failure", "--pr", "7", "--json"], world) == 1
    assert isinstance(world.out, io.StringIO)
    answer = json.loads(world.out.getvalue())
    assert (answer["decision"], answer["kind"]) == ("failure", "runner-poisoned")


@pytest.mark.parametrize("gone", ["GITHUB_REPOSITORY", "GITHUB_TOKEN"])
def test_a_missing_variable_is_named(gone: str, tmp_path: Path) -> None:
    env = {"GITHUB_REPOSITORY": "acme/bench", "GITHUB_TOKEN": "t"} | {gone: ""}
    world = World(env=env, cwd=tmp_path, out=io.StringIO(), err=io.StringIO())
    assert main(["explain", "--pr", "7"], world) == 2
    assert isinstance(world.err, io.StringIO)
    assert gone in world.err.getvalue()


def test_a_source_is_explained_with_every_run_and_its_rule(tmp_path: Path) -> None:
    facts = sources.facts(sources.candidate(500), sources.candidate(501, []), asked=[sources.use(500, 501)])
    code, out, _ = explain(tmp_path, documents.write(facts), "--json", topic="source")
    answer = json.loads(out)
    assert (code, answer["decision"], answer["go"], answer["kind"]) == (0, "source", True, "covers")
    assert answer["refused"] == [{"run": 501, "rule": "empty", "reason": "it measured nothing"}]
    _, text, _ = explain(tmp_path, documents.write(facts), topic="source")
    assert text.splitlines()[-2:] == ["  run 501: empty: it measured nothing", "  run 500: counts"]


def test_every_candidate_has_its_line(tmp_path: Path) -> None:
    older, newer = sources.candidate(500, plan=None), sources.candidate(501)
    facts = sources.facts(older, newer, sources.candidate(502, []), asked=[sources.use(500, 501, 503)])
    _, text, _ = explain(tmp_path, documents.write(facts), topic="source")
    assert text.splitlines()[-4:] == [
        "  run 503: no-such-run: no such run in this repository",
        "  run 502: not-named: the command names other runs",
        "  run 501: counts",
        "  run 500: is not needed: a newer run holds the same points, without a recorded plan (legacy)",
    ]


@pytest.mark.parametrize(("trouble", "code"), [("GitHub answers 502", 3), ("", 1)])
def test_the_exit_number_of_a_source_tells_no_from_could_not_tell(
    trouble: str, code: int, tmp_path: Path
) -> None:
    document = documents.write(sources.facts(trouble=trouble))
    assert explain(tmp_path, document, topic="source")[0] == code
