"""SPEC sections 2 and 6, second half: which jobs of the real sweep.yml run in each life of a run."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.simulator.cases import DISPATCH, EVENTS, LIVES, PRIMARY, SHARDS, Case, Decided, pull
from tests.simulator.events import RUNS, Happening, starts
from tests.simulator.graph import CANCELLED, SKIPPED, SUCCESS, Run, World, simulate
from tests.simulator.parser import Parser, documents

CASES = {**EVENTS, **LIVES}
every_case = pytest.mark.parametrize("name", CASES)


def decide(case: Case) -> Decided:
    """The hook for the real decision about `case.happening`."""
    return case.decided


def release(case: Case) -> Sequence[Sequence[str]]:
    """The hook for the real fanout over the records that `case.ends` leaves."""
    return case.released


def cells(points: Sequence[str]) -> str:
    return json.dumps(
        [{"id": point, "runner": "cluster:x", "name": point, "artifact": f"bmk_{point}"} for point in points]
    )


def world(case: Case) -> World:
    decided, shards = decide(case), release(case)
    outputs = {
        "plan": {
            "go": str(decided.go).lower(),
            "canary": cells(decided.canary),
            "fail-fast": str(decided.fail_fast).lower(),
            "head-sha": "aaa1",
        },
        "fanout": {shard: cells(points) for shard, points in zip(SHARDS, [*shards, *[[]] * 8], strict=False)},
    }

    def outcome(job: str, cell: Mapping[str, Any]) -> str:
        if job == "plan":
            return decided.ends
        return case.ends.get(cell["cell"]["id"] if cell else job, SUCCESS)

    return World(
        outputs=lambda job, run: outputs.get(job, {}) if run.results[job] != CANCELLED else {},
        outcome=outcome,
        cancel=case.cancel,
    )


def contexts(happening: Happening) -> dict[str, Any]:
    return {"github": happening.github(), "inputs": dict(happening.inputs)}


def live(name: str, parser: Parser) -> Run:
    case = CASES[name]
    return simulate(documents()["sweep"], parser, world=world(case), contexts=contexts(case.happening))


@every_case
def test_jobs_that_run(name: str, parser: Parser) -> None:
    run = live(name, parser)
    ran = {job: result for job, result in run.results.items() if result != SKIPPED}
    assert ran == {**CASES[name].then.jobs, "collect": SUCCESS}
    assert sum(len(run.started.get(job, [])) for job in ("canary", *SHARDS)) == CASES[name].then.gpu


@every_case
def test_C85_collect_runs_and_is_told_how_every_job_ended(name: str, parser: Parser) -> None:
    run = live(name, parser)
    collect = next(step for step in documents()["sweep"]["jobs"]["collect"]["steps"] if "run" in step)
    told = parser.fill(collect["env"]["INFX_RESULTS"], run.contexts["collect"])
    others = {job: result for job, result in run.results.items() if job != "collect"}
    assert dict(pair.split("=") for pair in told.split()) == others
    go = parser.fill(collect["env"]["INFX_GO"], run.contexts["collect"])
    assert (go or "") == ("" if run.results["plan"] == CANCELLED else str(CASES[name].decided.go).lower())


@pytest.mark.parametrize("name", EVENTS)
def test_github_starts_the_sweep_for_each_of_these_events(name: str) -> None:
    assert starts(documents(), CASES[name].happening)["sweep"] == RUNS


@pytest.mark.parametrize(
    ("happening", "expected"),
    [
        (pull("labeled", "a", "b", changed="b"), "#7 labeled aaa1 bbb2 [b] {a,b}"),
        (pull("synchronize"), "#7 synchronize aaa1 bbb2 [] {}"),
        (DISPATCH, f"#7 fork aaa1 bbb2 [] {{{PRIMARY}}}"),
    ],
)
def test_the_run_says_what_started_it(happening: Happening, expected: str, parser: Parser) -> None:
    assert parser.fill(documents()["sweep"]["run-name"], contexts(happening)) == expected


@pytest.mark.parametrize("job", ["canary", "s0"])
def test_a_cell_gets_its_point_and_whether_it_is_a_canary(job: str, parser: Parser) -> None:
    point = documents()["sweep"]["jobs"][job]["steps"][3]["with"]
    cell = json.loads(cells(["k1-C1"]))[0]
    seen = {"github": {"job": job}, "matrix": {"cell": cell}}
    assert json.loads(parser.fill(point["cell"], seen)) == cell
    assert parser.fill(point["canary"], seen) is (job == "canary")
