"""Union: one ledger over several runs. Each planned point is taken from its newest usable copy."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from infx.equal import Mark, Match, stands
from infx.ledger import State
from infx.source import Candidate, Kind, Measured

NOT_MEASURED = "not-measured"


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What a copy may be and still count."""

    drift: bool = True
    """Shared files that only the target changed are no obstacle."""
    changed: bool = False
    """A person accepted points that were changed since."""
    excluded: frozenset[str] = frozenset()
    """Nodes whose results do not count."""


@dataclass(frozen=True, kw_only=True)
class Copy:
    """One run's result of one planned point: its provenance, and why it does not count."""

    run: int
    measured: Measured
    match: Match
    state: State
    reason: str = ""

    @property
    def text(self) -> str:
        """`run 500: invalid(server-crash)`."""
        return (
            f"run {self.run}: {self.state}({self.reason})" if self.reason else f"run {self.run}: {self.state}"
        )


@dataclass(frozen=True, kw_only=True)
class Share:
    """One planned point over all runs."""

    wanted: Mark
    taken: Copy | None
    """The copy that counts; None when there is none."""
    others: tuple[Copy, ...] = ()
    """Newest first: superseded values, and copies that cannot count."""

    @property
    def reason(self) -> str:
        """Why the point has no accepted result; `""` when it has."""
        if self.taken:
            return ""
        return (self.others[0].reason or str(self.others[0].state)) if self.others else NOT_MEASURED


Held = tuple[Candidate, Measured]
Index = Mapping[tuple[object, ...], Sequence[Held]]


def unite(wanted: Sequence[Mark], runs: Sequence[Candidate], terms: Terms) -> tuple[Share, ...]:
    """What `runs` hold of each wanted point. Their order does not matter, nor a run named twice."""
    single = {run.run.id: run for run in sorted(runs, key=lambda run: (run.run.id, run.run.attempt))}
    held = [(run, measured) for run in single.values() for measured in run.points]
    index = {**_equal(held), **_changed(wanted, held)}
    return tuple(_share(mark, index, terms) for mark in wanted)


def _equal(held: Sequence[Held]) -> Index:
    """Everything measured, by the work that was done."""
    found: dict[tuple[object, ...], list[Held]] = defaultdict(list)
    for one in held:
        found[one[1].mark.work].append(one)
    return found


def _changed(wanted: Sequence[Mark], held: Sequence[Held]) -> Index:
    """What was measured in the place of a planned point that nobody measured as it is now. A place that two
    such points share tells nothing: another topology at the same concurrency is another point."""
    done = {measured.mark.work for _, measured in held}
    planned = {mark.work for mark in wanted}
    open_places = Counter(mark.place for mark in wanted if mark.work not in done)
    old = [one for one in held if one[1].mark.work not in planned and open_places[one[1].mark.place] == 1]
    per_run = Counter((run.run.id, measured.mark.place) for run, measured in old)
    found: dict[tuple[object, ...], list[Held]] = defaultdict(list)
    for run, measured in old:
        if per_run[run.run.id, measured.mark.place] == 1:
            found[measured.mark.place].append((run, measured))
    return found


def _share(wanted: Mark, index: Index, terms: Terms) -> Share:
    held = index.get(wanted.work) or index.get(wanted.place, ())
    copies = [_copy(wanted, one, terms) for one in held]
    if len(copies) > 1:
        copies.sort(key=lambda copy: _age(copy, wanted), reverse=True)
    taken = next((copy for copy in copies if copy.state == State.VALID), None)
    others = [
        _superseded(copy) if copy.state == State.VALID else copy for copy in copies if copy is not taken
    ]
    return Share(wanted=wanted, taken=taken, others=tuple(others))


def _copy(wanted: Mark, held: Held, terms: Terms) -> Copy:
    run, measured = held
    # Without a recorded plan nothing proves what was shared then, so there every changed file counts.
    drift = bool(measured.drift) and not measured.own and run.plan is not None
    match = stands(measured.mark, wanted, drift=drift)
    state, reason = _judged(measured, match, terms)
    return Copy(run=run.run.id, measured=measured, match=match, state=state, reason=reason)


def _judged(measured: Measured, match: Match, terms: Terms) -> tuple[State, str]:
    """State of one copy under these terms: only a valid one counts."""
    if measured.state != State.VALID:
        return measured.state, measured.reason
    if match == Match.CHANGED and not terms.changed:
        return State.MISSING, Kind.CHANGED
    if match == Match.BASE_DRIFT and not (terms.drift or terms.changed):
        return State.MISSING, Kind.DRIFT
    if not measured.held:
        return State.MISSING, Kind.EXPIRED
    if measured.node in terms.excluded:
        return State.MISSING, Kind.EXCLUDED
    return State.VALID, ""


def _age(copy: Copy, wanted: Mark) -> tuple[object, ...]:
    """Newest last. An equal copy beats a changed one; of one run, the point of the same name comes first."""
    equal = copy.match != Match.CHANGED
    mark = copy.measured.mark
    return (equal, copy.measured.at, copy.run, copy.measured.attempt, mark.id == wanted.id, mark.id)


def _superseded(copy: Copy) -> Copy:
    return replace(copy, state=State.SUPERSEDED)


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """How many planned points have an accepted result."""

    points: int
    of_points: int
    evals: int
    of_evals: int

    @property
    def text(self) -> str:
        """`9 of 9 points, 1 of 1 evals`; a kind that is not planned is left out."""
        points = f"{self.points} of {self.of_points} points" if self.of_points else ""
        evals = f"{self.evals} of {self.of_evals} evals" if self.of_evals else ""
        return ", ".join(filter(None, (points, evals)))

    @property
    def partial(self) -> str:
        """`5 of 9`, `0 of 1 evals`, `5 of 9, 0 of 1 evals`: only what is not complete."""
        points = f"{self.points} of {self.of_points}" if self.points < self.of_points else ""
        evals = f"{self.evals} of {self.of_evals} evals" if self.evals < self.of_evals else ""
        return ", ".join(filter(None, (points, evals)))

    def as_json(self) -> dict[str, dict[str, int]]:
        return {
            "points": {"have": self.points, "of": self.of_points},
            "evals": {"have": self.evals, "of": self.of_evals},
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Mapping[str, int]]) -> "Coverage":
        points, evals = value["points"], value["evals"]
        return cls(points=points["have"], of_points=points["of"], evals=evals["have"], of_evals=evals["of"])

    @property
    def some(self) -> bool:
        """Something is there, but not everything."""
        return 0 < self.points + self.evals < self.of_points + self.of_evals


def coverage(shares: Sequence[Share]) -> Coverage:
    evals = [share for share in shares if share.wanted.eval]
    points = [share for share in shares if not share.wanted.eval]
    return Coverage(
        points=sum(share.taken is not None for share in points),
        of_points=len(points),
        evals=sum(share.taken is not None for share in evals),
        of_evals=len(evals),
    )


def runs_text(runs: Sequence[int]) -> str:
    """`run 1`, `runs 1 and 2`, `runs 1, 2 and 3`."""
    *others, last = map(str, runs)
    return f"runs {', '.join(others)} and {last}" if others else f"run {last}"


def runs_of(shares: Sequence[Share]) -> tuple[int, ...]:
    """Runs that a point is taken from, oldest first."""
    return tuple(sorted({share.taken.run for share in shares if share.taken}))
