"""A sweep that is dispatched starts once, whatever becomes of the answer."""

from dataclasses import replace

import pytest

from infx.errors import CouldNotTell
from infx.event import Title
from infx.read import title
from infx.sweeps import Sweeps
from tests.builders import FULL, A, B
from tests.edge.server import Asked, Reply, Server
from tests.edge.test_github import R, raw_run

SWEEP = ".github/workflows/sweep.yml"
WANTED = Title(pr=7, action="resume", head_sha=A, base_sha=B, labels=frozenset({FULL}))


def dispatching(server: Server) -> list[str]:
    """A repository in which a dispatch becomes a run; heads that were dispatched."""
    runs = [raw_run(1, title.write(WANTED), event="workflow_dispatch")]
    sent: list[str] = []

    def dispatch(asked: Asked) -> Reply:
        inputs = asked.body["inputs"]
        sent.append(inputs["head-sha"])
        made = replace(WANTED, head_sha=inputs["head-sha"], mark=inputs["mark"])
        runs.append(raw_run(1 + len(sent), title.write(made), event="workflow_dispatch"))
        return Reply(204)

    server.routes[f"POST {R}/actions/workflows/sweep.yml/dispatches"] = dispatch
    server.pages(f"{R}/actions/workflows/sweep.yml/runs", runs, key="workflow_runs")
    return sent


def sweeps(server: Server) -> Sweeps:
    made = Sweeps(server.github(), SWEEP)
    made.listed[7] = tuple(made.github.runs(SWEEP))
    return made


def test_a_lost_answer_is_looked_for_and_not_sent_twice(server: Server) -> None:
    sent = dispatching(server)
    one = sweeps(server)
    server.faults = [Reply(502, None, {"x-written": "1"})]
    one.dispatch(WANTED, "main")
    assert sent == [A]


def test_what_was_not_written_is_sent_again(server: Server) -> None:
    sent = dispatching(server)
    one = sweeps(server)
    server.faults = [Reply(502, None)]
    one.dispatch(WANTED, "main")
    assert sent == [A]


def test_a_sweep_of_the_same_head_that_somebody_else_dispatched_is_not_taken_for_it(server: Server) -> None:
    """Its run appears between the lost answer and the look: only the mark tells them apart."""
    sent = dispatching(server)
    one = sweeps(server)
    other = raw_run(90, title.write(replace(WANTED, mark="ab")), event="workflow_dispatch")
    server.pages(f"{R}/actions/workflows/sweep.yml/runs", [other], key="workflow_runs")
    server.faults = [Reply(502, None)]
    one.dispatch(WANTED, "main")
    assert sent == [A]


def test_two_dispatches_have_two_marks(server: Server) -> None:
    dispatching(server)
    for _ in range(2):
        sweeps(server).dispatch(WANTED, "main")
    marks = {asked.body["inputs"]["mark"] for asked in server.asked if asked.verb == "POST"}
    assert len(marks) == 2


def test_a_run_of_another_head_is_not_taken_for_it(server: Server) -> None:
    sent = dispatching(server)
    one = sweeps(server)
    server.faults = [Reply(502, None)]
    one.dispatch(replace(WANTED, head_sha="c" * 40), "main")
    assert sent == ["c" * 40]


def test_silence_is_could_not_tell(server: Server) -> None:
    dispatching(server)
    one = sweeps(server)
    server.faults = [Reply(502, None)] * 20
    with pytest.raises(CouldNotTell):
        one.dispatch(WANTED, "main")
