"""Which jobs of one workflow run, and how each ends: needs, conditions, matrices, fail-fast and cancels.

The implied `success()` looks at all ancestors, not only at `needs`: a job is skipped because something two
levels up was skipped (case C119). A status function in a condition of its own replaces it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from tests.simulator.parser import Parser

SUCCESS, FAILURE, CANCELLED, SKIPPED = "success", "failure", "cancelled", "skipped"
Outputs = Mapping[str, str]


class EmptyMatrix(Exception):
    """GitHub fails a run whose matrix has no cell; a condition must keep such a job from starting."""


@dataclass(frozen=True, kw_only=True)
class World:
    """What the jobs themselves would do."""

    outputs: Callable[[str, "Run"], Outputs] = lambda job, run: {}
    """Outputs of a job that ran, from what ran before it."""
    outcome: Callable[[str, Mapping[str, Any]], str] = lambda job, cell: SUCCESS
    """How one cell ends when nothing cuts it short; a job without a matrix has the one cell `{}`."""
    cancel: tuple[str, int] | None = None
    """The run is cancelled in this job once so many of its cells have ended."""


@dataclass(kw_only=True)
class Run:
    """What happened. Results by job; of a matrix also by the text of its cell."""

    results: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, Outputs] = field(default_factory=dict)
    cells: dict[str, list[tuple[Mapping[str, Any], str]]] = field(default_factory=dict)
    contexts: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Contexts that each job saw."""
    cancelled: bool = False

    @property
    def started(self) -> dict[str, list[Mapping[str, Any]]]:
        """Cells that took a runner, by job."""
        took = {job: [cell for cell, end in cells if end != CANCELLED] for job, cells in self.cells.items()}
        return {job: cells for job, cells in took.items() if cells}


def simulate(
    document: Mapping[str, Any], parser: Parser, *, world: World, contexts: Mapping[str, Any]
) -> Run:
    """Run the jobs of `document` one after the other, in an order that respects `needs`."""
    run = Run()
    jobs = document["jobs"]
    for name in _order(jobs):
        status = _status(run, _ancestors(jobs, name))
        run.contexts[name] = {**contexts, "needs": _needs(run, jobs[name])}
        if parser.true(jobs[name]["if"], run.contexts[name], status):
            _execute(name, jobs[name], run, parser=parser, world=world)
        else:
            run.results[name] = SKIPPED
    return run


def _execute(name: str, job: Mapping[str, Any], run: Run, *, parser: Parser, world: World) -> None:
    strategy = job.get("strategy", {})
    fail_fast = strategy.get("fail-fast", True)
    if isinstance(fail_fast, str):
        fail_fast = parser.fill(fail_fast, run.contexts[name])
    ended: list[tuple[Mapping[str, Any], str]] = []
    for cell in _cells(strategy.get("matrix", {}), parser, run.contexts[name]):
        stopped = world.cancel is not None and world.cancel[0] == name and world.cancel[1] <= len(ended)
        run.cancelled |= stopped
        cut_short = fail_fast and any(end == FAILURE for _, end in ended)
        ended.append((cell, CANCELLED if stopped or cut_short else world.outcome(name, cell)))
    ends = {end for _, end in ended}
    run.cells[name] = ended
    run.results[name] = next((end for end in (FAILURE, CANCELLED) if end in ends), SUCCESS)
    run.outputs[name] = world.outputs(name, run)


def _cells(
    matrix: Mapping[str, Any], parser: Parser, contexts: Mapping[str, Any]
) -> Iterator[Mapping[str, Any]]:
    axes = {
        axis: parser.fill(values, contexts) if isinstance(values, str) else values
        for axis, values in matrix.items()
    }
    if not all(axes.values()):
        raise EmptyMatrix(str(matrix))
    return (dict(zip(axes, values, strict=True)) for values in product(*axes.values()))


def _needs(run: Run, job: Mapping[str, Any]) -> dict[str, Any]:
    return {
        need: {"result": run.results[need], "outputs": run.outputs.get(need, {})} for need in _direct(job)
    }


def _direct(job: Mapping[str, Any]) -> Sequence[str]:
    needs: str | Sequence[str] = job.get("needs", [])
    return [needs] if isinstance(needs, str) else needs


def _ancestors(jobs: Mapping[str, Any], name: str) -> set[str]:
    direct = _direct(jobs[name])
    return {*direct, *(older for need in direct for older in _ancestors(jobs, need))}


def _order(jobs: Mapping[str, Any]) -> list[str]:
    done: list[str] = []
    while len(done) < len(jobs):
        done += [name for name in jobs if name not in done and set(_direct(jobs[name])) <= set(done)]
    return done


def _status(run: Run, ancestors: set[str]) -> str:
    """The status function that is true for a job with these ancestors; `none` when one was only skipped."""
    ends = {run.results[name] for name in ancestors}
    if run.cancelled:
        return CANCELLED
    if FAILURE in ends:
        return FAILURE
    return SUCCESS if ends <= {SUCCESS} else "none"
