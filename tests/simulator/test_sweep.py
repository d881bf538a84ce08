"""Which jobs of the real sweep.yml run in each life of a run."""

import json
from functools import cache

import pytest

from infx.forge.actions.parser import Parser
from infx.matrix import split
from tests.builders import FULL, A, B, point
from tests.simulator.cases import EVENTS, LIVES
from tests.simulator.events import RUNS, Happening, dispatch, known, pull, starts
from tests.simulator.files import documents
from tests.simulator.life import CANCELLED, SHARDS, SKIPPED, SUCCESS, Lived

pytestmark = pytest.mark.node
CASES = {**EVENTS, **LIVES}
every_case = pytest.mark.parametrize("name", CASES)


@cache
def lived(name: str, parser: Parser) -> Lived:
    return Lived(CASES[name], parser)


@every_case
def test_jobs_that_run(name: str, parser: Parser) -> None:
    run = lived(name, parser)
    assert run.decision.kind == CASES[name].kind
    ran = {job: result for job, result in run.results.items() if result != SKIPPED}
    assert ran == {**CASES[name].jobs, "collect": SUCCESS}
    assert sum(cell.node.id in ("canary", *SHARDS) for cell in run.started) == CASES[name].gpu


@every_case
def test_C85_collect_runs_and_is_told_how_every_job_ended(name: str, parser: Parser) -> None:
    run = lived(name, parser)
    collect = next(step for step in documents()["sweep"]["jobs"]["collect"]["steps"] if "run" in step)
    told = parser.fill(collect["env"], run.seen["collect"])
    others = {job: result for job, result in run.results.items() if job != "collect"}
    assert dict(pair.split("=") for pair in told["INFX_RESULTS"].split()) == others
    unsaid = run.results["plan"] == CANCELLED
    assert (told["INFX_GO"] or "") == ("" if unsaid else str(run.decision.go).lower())


@pytest.mark.parametrize("name", EVENTS)
def test_github_starts_the_sweep_for_each_of_these_events(name: str) -> None:
    assert starts(CASES[name].happening)["sweep"] == RUNS


@pytest.mark.parametrize(
    ("happening", "expected"),
    [
        (pull("labeled", "a", "b", changed="b"), f"#7 labeled {A} {B} [b] {{a,b}}"),
        (pull("synchronize"), f"#7 synchronize {A} {B} [] {{}}"),
        (dispatch(FULL), f"#7 fork {A} {B} [] {{{FULL}}}"),
    ],
)
def test_the_run_says_what_started_it(happening: Happening, expected: str, parser: Parser) -> None:
    assert parser.fill(documents()["sweep"]["run-name"], known(happening)) == expected


@pytest.mark.parametrize("job", ["canary", "s0"])
def test_a_cell_gets_its_point_and_whether_it_is_a_canary(job: str, parser: Parser) -> None:
    cell = split.cells([point(1)])[0]
    seen = {"github": {"job": job}, "matrix": {"cell": cell}}
    given = parser.fill(documents()["sweep"]["jobs"][job]["steps"][3]["with"], seen)
    assert (json.loads(given["cell"]), given["canary"]) == (cell, job == "canary")
