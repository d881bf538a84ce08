"""One attempt of one run: its jobs, their cells, and what becomes ready when something ends.

A job waits (no cells) → is expanded (cells queued) → its cells run → all cells ended: it has a result.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from infx.errors import BadInput
from infx.forge.actions import graph, matrix
from infx.forge.actions.parser import Parser
from infx.forge.ports import Job, Run

QUEUED, RUNNING, ENDED = "queued", "running", "ended"
DEFAULT_TIMEOUT_MIN = 360
"""`timeout-minutes` of a job that names none (docs: Workflow syntax)."""


@dataclass(kw_only=True, eq=False)
class Cell:
    """One job instance: what one runner takes."""

    node: "Node"
    index: int
    total: int
    name: str
    labels: tuple[str, ...] = ()
    combination: Mapping[str, Any] = field(default_factory=dict)
    strategy: Mapping[str, Any] = field(default_factory=dict)
    timeout_s: float = DEFAULT_TIMEOUT_MIN * 60
    forgiven: bool = False
    """`continue-on-error`."""
    state: str = QUEUED
    conclusion: str = ""
    outputs: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    """Why it ended without having run."""
    job: Job | None = None
    reused: Job | None = None
    """The job of an older attempt whose result this cell took over."""
    since: float = 0
    """When it was queued, then when it started, on the forge's clock."""

    def end(self, conclusion: str, note: str = "") -> None:
        self.state, self.conclusion, self.note = ENDED, conclusion, note

    @property
    def result(self) -> str:
        """What the job graph sees of it."""
        return graph.SUCCESS if self.forgiven and self.conclusion == graph.FAILURE else self.conclusion


@dataclass(kw_only=True, eq=False)
class Node:
    """One job of the workflow file."""

    id: str
    spec: Mapping[str, Any]
    cells: list[Cell] = field(default_factory=list)
    result: str = ""
    outputs: dict[str, str] = field(default_factory=dict)

    @property
    def needs(self) -> list[str]:
        needs = self.spec.get("needs") or []
        return [str(needs)] if isinstance(needs, str) else [str(need) for need in needs]


class Attempt:
    """State of one attempt. Not safe for threads: one thread owns it."""

    def __init__(
        self, run: Run, document: Mapping[str, Any], parser: Parser, *, contexts: Mapping[str, Any]
    ) -> None:
        self.run = run
        self.document = document
        self.contexts = contexts
        self.cancelled = False
        self._parser = parser
        self.nodes = {name: Node(id=name, spec=spec) for name, spec in document["jobs"].items()}
        self._needs = {name: node.needs for name, node in self.nodes.items()}
        self._kept: dict[tuple[str, int], Cell] = {}

    @property
    def cells(self) -> Iterator[Cell]:
        for node in self.nodes.values():
            yield from node.cells

    @property
    def results(self) -> dict[str, str]:
        return {name: node.result for name, node in self.nodes.items() if node.result}

    @property
    def conclusion(self) -> str:
        """Of the whole run; empty while a job is missing."""
        results = self.results
        if len(results) < len(self.nodes):
            return ""
        return graph.conclusion(list(results.values()), cancelled=self.cancelled)

    def keep(self, older: "Attempt", again: Callable[[Cell], bool]) -> None:
        """Take over from an older attempt all but the cells to do `again` and what waits for them."""
        redone = {node.id for node in older.nodes.values() if any(again(cell) for cell in node.cells)}
        downstream = graph.descendants(self._needs, redone)
        for name, node in older.nodes.items():
            partly = name in redone and not graph.ancestors(self._needs, name) & redone
            for cell in node.cells:
                if name not in downstream or (partly and not again(cell)):
                    self._kept[name, cell.index] = cell

    def settle(self) -> list[Cell]:
        """Expand every job that is ready, until nothing moves; the new cells, some of them ended at once."""
        new: list[Cell] = []
        while ready := graph.ready(self._needs, self.results):
            made = [cell for name in ready if not self.nodes[name].cells for cell in self._expand(name)]
            self._sum_up()
            new += made
            if not any(cell.state == ENDED for cell in made):
                break
        return new

    def _sum_up(self) -> None:
        for node in self.nodes.values():
            if node.cells and not node.result and all(cell.state == ENDED for cell in node.cells):
                node.result = graph.joined([cell.result for cell in node.cells])

    def finish(self, cell: Cell, conclusion: str, outputs: Mapping[str, str]) -> list[Cell]:
        """A cell ended; the cells of the same matrix that fail-fast now ends too."""
        cell.end(conclusion)
        cell.outputs = outputs
        cell.node.outputs.update({name: value for name, value in outputs.items() if value})
        self._sum_up()
        if cell.result != graph.FAILURE or not cell.strategy.get("fail-fast"):
            return []
        return [other for other in cell.node.cells if other.state != ENDED]

    def cancel(self) -> list[Cell]:
        """The cells to end now. A job whose condition holds even so, such as `always()`, goes on."""
        self.cancelled = True
        active = [node for node in self.nodes.values() if node.cells and not node.result]
        doomed = [node for node in active if not self._goes_on(node)]
        return [cell for node in doomed for cell in node.cells if cell.state != ENDED]

    def at_limit(self, cell: Cell) -> bool:
        """True when `max-parallel` cells of its matrix run already."""
        limit = cell.strategy.get("max-parallel") or cell.total
        return sum(other.state == RUNNING for other in cell.node.cells) >= limit

    def known(self, node: Node) -> dict[str, Any]:
        """Contexts of a job before its matrix is known."""
        above = {name: self.nodes[name] for name in node.needs}
        needs = {name: {"result": one.result, "outputs": dict(one.outputs)} for name, one in above.items()}
        return {**self.contexts, "needs": needs}

    def _status(self, node: Node) -> str:
        return graph.status(self._needs, self.results, node.id, cancelled=self.cancelled)

    def _wanted(self, node: Node) -> bool:
        condition = str(node.spec.get("if") or "success()")
        return self._parser.true(condition, self.known(node), self._status(node))

    def _goes_on(self, node: Node) -> bool:
        try:
            return self._wanted(node)
        except BadInput:
            # It could be told while nothing was cancelled; now it cannot.
            return False

    def _expand(self, name: str) -> list[Cell]:
        node = self.nodes[name]
        first = self._kept.get((name, 0))
        try:
            if (first is not None and first.conclusion == graph.SKIPPED) or not self._wanted(node):
                node.cells = [self._ended(node, graph.SKIPPED)]
            else:
                node.cells = self._queued(node)
        except BadInput as problem:
            node.cells = [self._ended(node, graph.FAILURE, problem.sentence)]
        return node.cells

    def _ended(self, node: Node, conclusion: str, note: str = "") -> Cell:
        cell = Cell(node=node, index=0, total=1, name=str(node.spec.get("name") or node.id))
        cell.end(conclusion, note)
        return cell

    def _queued(self, node: Node) -> list[Cell]:
        for key in ("uses", "container", "services"):
            if key in node.spec:
                raise BadInput(f"`{key}` of a job is not run by the embedded GitHub", where=f"job {node.id}")
        known = self.known(node)
        strategy = dict(self._parser.fill(node.spec.get("strategy") or {}, known))
        if isinstance(strategy.get("matrix"), str):
            raise BadInput("the matrix is text, not a mapping", where=f"job {node.id}", todo="use fromJSON()")
        combinations = matrix.expand(strategy["matrix"]) if "matrix" in strategy else [{}]
        shared = {
            "fail-fast": str(strategy.get("fail-fast", True)).lower() == "true",
            "max-parallel": int(strategy.get("max-parallel") or len(combinations)),
            "job-total": len(combinations),
        }
        cells = []
        for index, combination in enumerate(combinations):
            own = {**known, "matrix": combination, "strategy": {**shared, "job-index": index}}
            cells.append(self._cell(node, own))
        return cells

    def _cell(self, node: Node, own: Mapping[str, Any]) -> Cell:
        wanted = {
            key: node.spec.get(key) for key in ("name", "runs-on", "timeout-minutes", "continue-on-error")
        }
        filled = self._parser.fill(wanted, own)
        name = str(filled["name"] or node.id)
        if "${{" not in str(node.spec.get("name")):
            name = matrix.title(name, own["matrix"])
        cell = Cell(
            node=node,
            index=own["strategy"]["job-index"],
            total=own["strategy"]["job-total"],
            name=name,
            labels=_labels(filled["runs-on"], node.id),
            combination=own["matrix"],
            strategy=own["strategy"],
            timeout_s=float(filled["timeout-minutes"] or DEFAULT_TIMEOUT_MIN) * 60,
            forgiven=str(filled["continue-on-error"]).lower() == "true",
        )
        self._reuse(cell)
        return cell

    def _reuse(self, cell: Cell) -> None:
        kept = self._kept.get((cell.node.id, cell.index))
        if kept is not None:
            cell.end(kept.conclusion)
            cell.outputs = kept.outputs
            cell.node.outputs.update(kept.outputs)
            cell.reused = kept.job


def _labels(value: Any, job: str) -> tuple[str, ...]:
    """`runs-on` as a list of labels; a runner group is not told from the labels beside it."""
    if isinstance(value, Mapping):
        value = value.get("labels")
    labels = [value] if isinstance(value, str) else value
    if not isinstance(labels, list) or not labels or not all(isinstance(label, str) for label in labels):
        raise BadInput(f"runs-on is {value!r}", where=f"job {job}", todo="name at least one runner label")
    return tuple(labels)
