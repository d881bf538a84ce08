"""Strategy: what it takes until every point of a pull request has a result, three ways, with failures."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from infx.equal import Mark
from infx.event import Run
from infx.ledger import State
from infx.point import Point
from infx.policy import source
from infx.rules import Rules
from infx.source import Candidate, Measured, Recorded, SourceFacts

REPOSITORY = "imagined/history"
MOST = 50
"""Sweeps of one state of a pull request, after which something is wrong with the failure model."""
Points = Sequence[Point]


@dataclass(frozen=True, kw_only=True)
class Model:
    """How an imagined pull request fares."""

    seed: int = 1
    share: float = 0.05
    """Of points that fail in one attempt."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """One merged change: what it planned after each event of its pull request."""

    name: str
    events: tuple[tuple[Point, ...], ...]

    @classmethod
    def imagined(cls, name: str, points: Points, model: Model) -> "Change":
        """Two pushes, and main merged once. The second push changes what one key executes in every other pull
        request, and only words in the rest; main changes a shared file."""
        dice = Random(f"{model.seed} {name}")
        keys = sorted({point.key for point in points})
        key = dice.choice(keys) if keys and dice.random() < 0.5 else None
        second = tuple(_with(point, recipe="second push") if point.key == key else point for point in points)
        return cls(
            name=name,
            events=(tuple(points), second, tuple(_with(point, shared="of main") for point in second)),
        )


def _with(point: Point, **parts: str) -> Point:
    return replace(point, fingerprint=replace(point.fingerprint, **parts))


@dataclass
class Lab:
    """Measures points of one change, and counts."""

    change: Change
    model: Model
    points: int = 0
    gpu_points: int = 0
    """GPUs times points."""
    gpu_hours: float = 0.0
    repeated: int = 0
    """Points that were measured although they had succeeded before."""
    missing: int = 0
    """Planned points without a result at the end of an event."""
    tries: Counter[object] = field(default_factory=Counter)
    succeeded: set[object] = field(default_factory=set)

    def measure(self, point: Point) -> bool:
        """Whether it succeeds. The same try of the same work ends alike in every strategy."""
        work = work_of(point)
        self.repeated += work in self.succeeded
        self.tries[work] += 1
        self.points += 1
        self.gpu_points += point.gpus
        self.gpu_hours += point.gpus * point.duration_s / 3600
        luck = Random(f"{self.model.seed} {self.change.name} {work} {self.tries[work]}").random()
        if luck >= self.model.share:
            self.succeeded.add(work)
        return luck >= self.model.share

    def close(self, points: Points) -> None:
        """An event is over: everything planned should have a result."""
        self.missing += sum(work_of(point) not in self.succeeded for point in points)


def work_of(point: Point) -> object:
    """What is executed, shared files apart, which only main touches here."""
    return Mark.of(point).work


def everything(lab: Lab, rules: Rules) -> None:
    """Every push starts a whole sweep; as long as a point lacks a result, the whole sweep is run again."""
    for points in lab.change.events:
        lacking = set(points_by_id(points))
        for _ in range(MOST):
            if not lacking:
                break
            lacking -= {point.id for point in points if lab.measure(point)}
        lab.close(points)


def failed_jobs(lab: Lab, rules: Rules) -> None:
    """Every push starts a whole sweep; failed jobs of that run are run again."""
    for points in lab.change.events:
        rest = list(points)
        for _ in range(MOST):
            rest = [point for point in rest if not lab.measure(point)]
        lab.close(points)


def resume(lab: Lab, rules: Rules) -> None:
    """Only points without an accepted result, as `resolve source` says of all runs there are."""
    runs: list[Candidate] = []
    for points in lab.change.events:
        for _ in range(MOST):
            rest = _lacking(points, runs, rules)
            if not rest:
                break
            runs.append(_swept(len(runs) + 1, rest, lab, rules))
        lab.close(points)


STRATEGIES: Mapping[str, Callable[[Lab, Rules], None]] = {
    "rerun everything": everything,
    "rerun failed jobs of the same run": failed_jobs,
    "resume-sweep": resume,
}
"""What people do → how it goes."""


def compare(changes: Sequence[Change], model: Model, rules: Rules) -> dict[str, list[Lab]]:
    """Strategy → its count of every change."""
    return {name: list(_tried(changes, model, rules, how)) for name, how in STRATEGIES.items()}


def _tried(
    changes: Sequence[Change], model: Model, rules: Rules, how: Callable[[Lab, Rules], None]
) -> Iterator[Lab]:
    for change in changes:
        lab = Lab(change=change, model=model)
        how(lab, rules)
        yield lab


def points_by_id(points: Points) -> dict[str, Point]:
    return {point.id: point for point in points}


def _lacking(points: Points, runs: Sequence[Candidate], rules: Rules) -> list[Point]:
    wanted = tuple(Mark.of(point) for point in points)
    now = {mark.id: mark.fingerprint.shared for mark in wanted}
    facts = SourceFacts(
        repository=REPOSITORY,
        default_branch="main",
        pr=1,
        head_sha="",
        wanted=wanted,
        candidates=tuple(_drifted(run, now) for run in runs),
    )
    taken = {share.wanted.id for share in source.available(facts, rules) if share.taken}
    return [point for point in points if point.id not in taken]


def _drifted(run: Candidate, now: Mapping[str, str]) -> Candidate:
    """The run as it looks once main brought other shared files."""
    points = [
        replace(one, drift=("shared file of main",))
        if now.get(one.mark.id) != one.mark.fingerprint.shared
        else one
        for one in run.points
    ]
    return replace(run, points=tuple(points))


def _swept(number: int, points: Points, lab: Lab, rules: Rules) -> Candidate:
    """One sweep, by the same counts as any other."""
    measured = tuple(
        Measured(mark=Mark.of(point), state=State.VALID if lab.measure(point) else State.INVALID, attempt=1)
        for point in points
    )
    whole = all(one.state == State.VALID for one in measured)
    run = Run(
        id=number,
        path=rules.layout.sweep_workflow,
        conclusion="success" if whole else "failure",
        head_repo=REPOSITORY,
        pr=1,
    )
    return Candidate(run=run, plan=Recorded(pr=1, head_sha="", reusable=True), points=measured)
