"""One life of a run of sweep.yml: infx decides and releases, the forge's rules say which jobs run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from infx.decision import Decision
from infx.facts import Facts
from infx.forge.actions.attempt import ENDED, QUEUED, Attempt, Cell
from infx.forge.actions.parser import Parser
from infx.jobs import decide, fanout
from infx.matrix import split
from infx.matrix.release import release
from infx.plan import Plan
from infx.point import Point
from infx.policy import gate
from infx.read import payload
from infx.record import Outcome, Record
from infx.verdict import exit_number
from tests.builders import A, plan, point, record, rules
from tests.simulator.events import Happening, known, run
from tests.simulator.files import documents

SUCCESS, FAILURE, CANCELLED, SKIPPED = "success", "failure", "cancelled", "skipped"
SHARDS = [f"s{number}" for number in range(split.SHARDS)]
LEFT = {SUCCESS: Outcome.SUCCESS, FAILURE: Outcome.FAILURE}
"""How a canary ended → what its record says; one that was cut short leaves none here."""


@dataclass(frozen=True, kw_only=True)
class Life:
    """What happened, what was looked up, how cells and jobs end, and what must come of it."""

    happening: Happening
    facts: Mapping[str, Any] = field(default_factory=dict)
    points: Sequence[Point] = (point(1, key="k1"), point(4, key="k1"), point(8, key="k1"))
    shard: int = split.CELLS
    """Cells of one shard."""
    ends: Mapping[str, str] = field(default_factory=dict)
    """Cells (`k1-C4`) and hosted jobs that do not succeed."""
    cancel: tuple[str, int] | None = None
    """The run is cancelled in this job once so many of its cells have ended."""
    kind: str
    """Of the decision."""
    jobs: Mapping[str, str]
    """Results of the jobs that are not skipped; collect, which never is, is left out."""
    gpu: int
    """Cells that take a runner of the pool."""

    def decision(self) -> Decision:
        """What `infx job decide` answers in the run."""
        hook = payload.read(self.happening.payload, where="event", name=self.happening.event)
        looked_up = {"run_id": 5, "message": self.happening.message, **self.facts}
        return gate.decide(Facts(webhook=hook, **looked_up), rules())

    def plan(self) -> Plan:
        """The plan that the labels of the run ask for."""
        primaries = rules().labels.primaries
        names = [*self.happening.labels, *(self.happening.inputs or {}).get("labels", "").split(",")]
        [primary] = [name for name in names if name in primaries]
        does = primaries[primary]
        return plan(*self.points, canary=does.canary, head_sha=A, primary=primary, fail_fast=does.fail_fast)

    @property
    def attempt(self) -> int:
        return int(self.facts.get("attempt", 1))


class Lived:
    """The run, from its first job to its last."""

    def __init__(self, life: Life, parser: Parser) -> None:
        self.life = life
        self.decision = life.decision()
        self.plan = life.plan() if self.decision.go else None
        self.started: list[Cell] = []
        self.seen: dict[str, dict[str, Any]] = {}
        """Contexts that each job saw."""
        self.attempt = Attempt(
            run(life.happening, attempt=life.attempt),
            documents()["sweep"],
            parser,
            contexts=known(life.happening, attempt=life.attempt),
        )
        self._live()

    @property
    def results(self) -> Mapping[str, str]:
        return self.attempt.results

    def _live(self) -> None:
        """Cells run one after the other, in the order of the file."""
        while True:
            self.attempt.settle()
            queued = next((cell for cell in self.attempt.cells if cell.state == QUEUED), None)
            if queued is None:
                return
            if not self._cancelled(queued):
                self._run(queued)

    def _cancelled(self, cell: Cell) -> bool:
        """True when the run is cancelled before this cell begins."""
        ended = sum(other.state == ENDED for other in cell.node.cells)
        if self.attempt.cancelled or self.life.cancel != (cell.node.id, ended):
            return False
        self._end(self.attempt.cancel())
        return True

    def _run(self, cell: Cell) -> None:
        self.started.append(cell)
        self.seen[cell.node.id] = self.attempt.known(cell.node)
        ended = self._outcome(cell)
        self._end(self.attempt.finish(cell, ended, self._outputs(cell.node.id)))

    def _end(self, cells: Sequence[Cell]) -> None:
        for cell in cells:
            self.attempt.finish(cell, CANCELLED, {})

    def _outcome(self, cell: Cell) -> str:
        if cell.node.id == "plan":
            return FAILURE if exit_number(self.decision) else SUCCESS
        return self.life.ends.get(self._name(cell) or cell.node.id, SUCCESS)

    def _name(self, cell: Cell) -> str:
        """`k1-C4` of a matrix cell."""
        if self.plan is None or not cell.combination:
            return ""
        one = self.plan.by_id[cell.combination["cell"]["id"]]
        return f"{one.key}-C{one.concurrencies[0]}"

    def _outputs(self, job: str) -> Mapping[str, str]:
        if job == "plan":
            return decide.outputs(self.plan)
        if job == "fanout" and self.plan is not None:
            points = release(self.plan, self._records()).points
            return fanout.outputs(split.chunks(points, self.life.shard))
        return {}

    def _records(self) -> dict[str, Record]:
        assert self.plan is not None
        left = {}
        for cell in self.attempt.nodes["canary"].cells:
            if cell.combination and cell.conclusion in LEFT:
                of = self.plan.by_id[cell.combination["cell"]["id"]]
                left[of.id] = record(of, LEFT[cell.conclusion], sha=A)
        return left
