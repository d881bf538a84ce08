"""From an event to stored runs: the right commit, file, rights and names."""

import json
from typing import Any

import pytest

from infx.errors import BadInput, Refused
from infx.forge.ports import Event
from tests.forge_actions.conftest import Bench
from tests.forge_actions.memory import NAME

pytestmark = pytest.mark.node
NOBODY = "jobs: {a: {runs-on: nobody, steps: [{run: 'true'}]}}\n"


def files(**on: str) -> dict[str, str]:
    return {
        f".github/workflows/{name}.yml": f"name: {name}\non: {text}\n{NOBODY}" for name, text in on.items()
    }


def pull(bench: Bench, **more: Any) -> Event:
    """A pull request whose head changed the workflow files."""
    main = bench.tree.commit(files(control="pull_request_target", sweep="pull_request"))
    head = bench.tree.commit(
        files(sweep="pull_request", extra="pull_request"), branch="topic", message="head"
    )
    payload = {
        "action": "opened",
        "number": 7,
        "pull_request": {
            "number": 7,
            "title": "A title",
            "head": {"sha": head, "ref": "topic"},
            "base": {"ref": "main", "sha": main},
        },
    }
    fixed = {"actor": "alice", "ref": "refs/pull/7/merge", "sha": head}
    return Event(**{"repository": NAME, "name": "pull_request", "payload": payload, **fixed, **more})


def test_pull_request_uses_the_files_of_the_merge_commit(bench: Bench) -> None:
    event = pull(bench)
    runs = [bench.store.run(number) for number in bench.engine.deliver(event)]
    assert [run.name for run in runs] == ["extra", "sweep", "control"]
    assert {(run.ref, run.sha, run.head_branch, run.title) for run in runs[:2]} == {
        ("refs/pull/7/merge", event.sha, "topic", "A title")
    }
    assert runs[0].pull_requests == (7,)


def test_conflict_leaves_pull_request_target_on_the_default_branch(bench: Bench) -> None:
    event = pull(bench, fork=True, conflict=True)
    [number] = bench.engine.deliver(event)
    run = bench.store.run(number)
    assert (run.name, run.ref, run.fork) == ("control", "refs/heads/main", False)
    assert run.sha == event.payload["pull_request"]["base"]["sha"]
    assert run.head_sha == event.sha


def test_fork_waits_for_approval(bench: Bench) -> None:
    numbers = bench.engine.deliver(pull(bench, fork=True, needs_approval=True))
    found = [bench.store.run(number).conclusion for number in numbers]
    assert found == ["action_required", "action_required", None]
    assert bench.engine.wait_idle(5)
    assert {job.run for job in bench.store.jobs_.values()} == {numbers[2]}
    bench.engine.approve(numbers[0])
    assert bench.engine.wait_idle(5)
    assert {job.run for job in bench.store.jobs_.values()} == {numbers[0], numbers[2]}
    with pytest.raises(Refused, match="does not wait"):
        bench.engine.approve(numbers[0])


@pytest.mark.act
def test_fork_gets_no_secrets_variables_or_rights(bench: Bench) -> None:
    text = "echo 's=<${{ secrets.KEY }}> v=<${{ vars.PLACE }}>'"
    job = f'{{runs-on: ubuntu-latest, permissions: write-all, steps: [{{name: s, run: "{text}"}}]}}'
    event = pull(bench, fork=True)
    head = bench.tree.commit(
        {".github/workflows/sweep.yml": f"on: pull_request\njobs: {{a: {job}}}"}, branch="topic"
    )
    numbers = bench.engine.deliver(Event(**{**vars(event), "sha": head}))
    assert bench.engine.wait_idle(20)
    assert "s=<> v=<>" in bench.store.log(numbers[1], "a")
    assert set(bench.store.tokens.popitem()[1].values()) == {"read"}
    assert bench.store.run(numbers[1]).pull_requests == ()


def test_skip_word_in_the_head_commit(bench: Bench) -> None:
    event = pull(bench)
    head = bench.tree.commit({}, branch="topic", message="x [skip ci]")
    payload = {
        **event.payload,
        "pull_request": {**event.payload["pull_request"], "head": {"sha": head, "ref": "t"}},
    }
    [control] = bench.engine.deliver(Event(**{**vars(event), "payload": payload}))
    assert bench.store.run(control).name == "control"


def test_dispatch(bench: Bench) -> None:
    inputs = "{n: {type: number, default: 3}, deep: {type: boolean}, k: {required: true}}"
    on = f"{{workflow_dispatch: {{inputs: {inputs}}}}}\nrun-name: ${{{{ toJSON(inputs) }}}}"
    sha = bench.tree.commit(files(one=on, two="workflow_dispatch"))

    def send(**inputs: str) -> Event:
        payload = {"workflow": ".github/workflows/one.yml", "inputs": inputs}
        return Event(
            repository=NAME,
            name="workflow_dispatch",
            payload=payload,
            actor="a",
            ref="refs/heads/main",
            sha=sha,
        )

    [number] = bench.engine.deliver(send(k="v", deep="true"))
    assert bench.store.run(number).workflow == ".github/workflows/one.yml"
    assert json.loads(bench.store.run(number).title) == {"n": 3, "deep": True, "k": "v"}
    for wrong, complaint in (({}, "Required input 'k'"), ({"k": "v", "z": "1"}, "Unexpected inputs")):
        with pytest.raises(BadInput, match=complaint):
            bench.engine.deliver(send(**wrong))


def test_workflow_run_chain_ends(bench: Bench) -> None:
    bench.tree.commit(files(loop="workflow_run"))
    known = -1
    for expected in (1, 1, 1, 0):
        run = {"id": known, "name": "loop", "event": "workflow_run" if known > 0 else "push"}
        event = Event(
            repository=NAME,
            name="workflow_run",
            payload={"action": "completed", "workflow_run": run},
            actor="a",
            ref="",
            sha="",
        )
        started = bench.engine.deliver(event)
        assert len(started) == expected
        known = started[0] if started else known


def test_unreadable_file_shows_as_a_failed_push_only(bench: Bench) -> None:
    number = bench.begin_of("on: [push\n")
    assert bench.store.run(number).conclusion == "startup_failure"
    assert bench.store.run(number).name == ".github/workflows/w.yml"
    event = Event(repository=NAME, name="issue_comment", payload={}, actor="a", ref="", sha="")
    assert bench.engine.deliver(event) == []


def test_nested_and_foreign_files_are_no_workflows(bench: Bench) -> None:
    bench.tree.commit({".github/workflows/deep/a.yml": "on: push\n", ".github/workflows/readme.md": "x"})
    number = bench.begin_of(f"on: push\n{NOBODY}")
    assert [run.id for run in bench.store.runs.values()] == [number]
