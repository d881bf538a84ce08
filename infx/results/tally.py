"""The ledger of one run, from the records in its artifacts. Jobs may explain an absence, never a value."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime

from infx import published
from infx.event import JobView
from infx.ledger import Entry, Ledger, State
from infx.plan import Plan
from infx.point import Point
from infx.reason import MEANING, Reason
from infx.record import Outcome, Record
from infx.results import validity
from infx.several import taken_apart


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What is known of the run besides its records."""

    run_id: int
    attempt: int
    finished: bool = True
    """False while cells may still start."""
    cancelled: bool = False
    """Somebody or something cancelled the run."""
    blocked: Mapping[str, str] = field(default_factory=dict)
    """Config key → why its canary released nothing; empty while nobody has decided."""
    jobs: Mapping[str, JobView] = field(default_factory=dict)
    """Point id → its job; empty when GitHub was not asked."""
    unreadable: Mapping[str, str] = field(default_factory=dict)
    """Point id → why its artifact could not be read."""
    lost: Mapping[str, str] = field(default_factory=dict)
    """Point id → why its artifact could not be fetched or unpacked."""


QUEUE_LIMIT_S = 24 * 3600
"""Longest wait for a self-hosted runner (docs.github.com: Usage limits for self-hosted runners)."""

CANARY = "canary "
"""What the sweep workflow puts before the cell's name in the name of a canary job."""

STATE_OF = {
    Outcome.FAILURE: State.INVALID,
    Outcome.INVALID: State.INVALID,
    Outcome.TIMEOUT: State.INVALID,
    Outcome.CANCELLED: State.MISSING,
    Outcome.NOT_STARTED: State.NOT_STARTED,
}
VALUED = {Outcome.SUCCESS, Outcome.INVALID}
"""Outcomes with a value. The newest one wins; a later attempt that came to none takes no value away."""
MEASURED = {*VALUED, Outcome.FAILURE, Outcome.TIMEOUT}
"""Outcomes that tell of the point, and not only of its job."""
_EMPTY = {outcome for outcome in Outcome if outcome not in VALUED}
NO_VALUE = frozenset(
    {
        *_EMPTY,
        *(reason for reason, (outcome, _) in MEANING.items() if outcome in _EMPTY),
        *(Reason.NO_ARTIFACT, Reason.FAIL_FAST, Reason.CANARY_FAILED, Reason.QUEUE_EXPIRED, Reason.NOT_YET),
    }
)
"""Reasons of an attempt that measured nothing."""


def jobs_of(names: Mapping[str, str], jobs: Iterable[JobView]) -> dict[str, JobView]:
    """Point id → its job. `names` is point id → cell name; a name that two points share tells nothing."""
    named = {job.name.removeprefix(CANARY): job for job in jobs}
    shared = Counter(names.values())
    return {point: named[name] for point, name in names.items() if name in named and shared[name] == 1}


def ledger(plan: Plan, records: Iterable[Record], facts: Facts) -> Ledger:
    """State of every point of `plan`, in plan order. Records of points outside the plan count for nothing."""
    found = _by_point(records)
    failed = {point for point, copies in found.items() if any(_failed(record) for record in copies)}
    cut = _cut(plan, failed)
    entries = []
    for point in plan.points:
        if point.id in found:
            entry = _present(point, found[point.id], plan.head_sha, facts=facts, cut=point.id in cut)
        else:
            entry = _absent(point, plan, facts, cut=point.id in cut)
        entries.append(entry)
    return Ledger(
        run_id=facts.run_id,
        attempt=facts.attempt,
        head_sha=plan.head_sha,
        plan_digest=plan.digest,
        entries=tuple(entries),
    )


def newest(records: Iterable[Record]) -> dict[str, Record]:
    """Point id → the record that counts for it."""
    return {point: max(_measured(copies), key=_age) for point, copies in _by_point(records).items()}


def explained(known: Ledger, plan: Plan, facts: Facts) -> Ledger:
    """The same ledger with what jobs add: why a point left nothing, or that it is tried again."""
    cut = _cut(plan, {entry.point for entry in known.entries if entry.state == State.INVALID})
    entries = []
    for entry in known.entries:
        job = facts.jobs.get(entry.point)
        guessed = entry.attempt is None and entry.reason in (Reason.FAIL_FAST, Reason.NO_ARTIFACT)
        again = entry.state != State.VALID and job is not None and job.status != "completed"
        told = again or (guessed and job is not None)
        point = plan.by_id[entry.point]
        entries.append(_absent(point, plan, facts, cut=point.id in cut) if told else entry)
    return replace(known, entries=tuple(entries))


def carried(new: Ledger, old: Ledger) -> Ledger:
    """`new` with the values that `old`, the ledger of an earlier attempt, holds of points that came to no
    value since: an upload replaces that of the attempt before."""
    if (old.run_id, old.plan_digest) != (new.run_id, new.plan_digest):
        return new
    before = {entry.point: entry for entry in old.entries if entry.state == State.VALID and entry.result}
    entries = tuple(_carried(entry, before.get(entry.point)) for entry in new.entries)
    return replace(new, entries=entries)


def _carried(entry: Entry, before: Entry | None) -> Entry:
    if before is None or entry.state == State.VALID or entry.reason not in NO_VALUE:
        return entry
    return replace(before, notes=(*before.notes, f"since then {entry.text}"))


def _by_point(records: Iterable[Record]) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        found[record.point].append(record)
    return found


def _failed(record: Record) -> bool:
    return record.outcome in MEASURED and record.outcome != Outcome.SUCCESS


def _cut(plan: Plan, failed: Set[str]) -> Set[str]:
    """Points that fail-fast may have cut short: it acts inside one matrix, and canaries have their own."""
    if not plan.fail_fast:
        return frozenset()
    canaries = {key.canary for key in plan.keys if key.canary}
    others = set(plan.by_id) - canaries
    return (canaries if failed & canaries else set()) | (others if failed & others else set())


def _present(point: Point, copies: Sequence[Record], sha: str, *, facts: Facts, cut: bool) -> Entry:
    """Entry of a point that left at least one record: the newest attempt counts."""
    pool = _measured(copies)
    newest = max(pool, key=_age)
    rivals = [record for record in pool if record != newest and _no_order(record, newest)]
    state, reason = _judged(point, newest, sha, facts.run_id)
    notes = list(newest.notes)
    if rivals:
        state, reason = State.INVALID, Reason.AMBIGUOUS
        notes.append("values: " + ", ".join(_value(record) for record in (newest, *rivals)))
    elif len(copies) > 1:
        notes.append(f"{len(copies) - 1} superseded")
    if state == State.MISSING and cut:
        state, reason = State.NOT_STARTED, Reason.FAIL_FAST
    return _entry(point, state, reason, record=newest, notes=notes)


def _measured(copies: Sequence[Record]) -> Sequence[Record]:
    """Copies with a value when the newest of them is a success, else those that tell of the point, or all."""
    values = [record for record in copies if record.outcome in VALUED]
    if values and max(values, key=_age).outcome == Outcome.SUCCESS:
        return values
    return [record for record in copies if record.outcome in MEASURED] or copies


def _age(record: Record) -> tuple[int, float]:
    return (record.attempt, record.ended)


def _no_order(one: Record, newest: Record) -> bool:
    """Nothing proves that `one` is older: same attempt, and an equal or absent time."""
    return one.attempt == newest.attempt and (one.ended == newest.ended or one.ended <= 0)


def _value(record: Record) -> str:
    """The number a person would compare two copies by."""
    figure = published.score if record.identity.get("mode") == "eval" else published.throughput
    numbers = [figure(row) for row in taken_apart(record.result or {})]
    return ", ".join(f"{number:.4f}" for number in numbers if number is not None) or str(record.outcome)


def _judged(point: Point, record: Record, sha: str, run_id: int) -> tuple[State, str]:
    """State and reason of one record, after the checks that make it this point's record."""
    if record.run_id != run_id:
        return State.INVALID, Reason.STALE
    if fault := validity.record_fault(record, point, sha):
        return State.INVALID, fault.reason
    if record.outcome != Outcome.SUCCESS:
        return STATE_OF[record.outcome], record.reason or str(record.outcome)
    if record.reason == Reason.POWER:
        return State.MISSING, Reason.POWER
    if not record.result:
        return State.INVALID, Reason.NO_RESULT
    odd = validity.row_fault(record.result, point)
    return (State.INVALID, odd.reason) if odd else (State.VALID, "")


def _absent(point: Point, plan: Plan, facts: Facts, *, cut: bool) -> Entry:
    """Entry of a point without a readable record."""
    if point.id in facts.lost:
        return _entry(point, State.MISSING, Reason.UNREADABLE, notes=(facts.lost[point.id],))
    if point.id in facts.unreadable:
        return _entry(point, State.INVALID, Reason.UNREADABLE, notes=(facts.unreadable[point.id],))
    job = facts.jobs.get(point.id)
    if job is not None:
        return _entry(point, *_by_job(job, cut=cut))
    if facts.cancelled:
        return _entry(point, State.NOT_STARTED, Reason.CANCELLED)
    if point.key in facts.blocked and point.id not in {key.canary for key in plan.keys}:
        return _entry(point, State.NOT_STARTED, Reason.CANARY_FAILED, notes=(facts.blocked[point.key],))
    if cut:
        return _entry(point, State.NOT_STARTED, Reason.FAIL_FAST)
    if not facts.finished:
        return _entry(point, State.NOT_STARTED, Reason.NOT_YET)
    return _entry(point, State.MISSING, Reason.NO_ARTIFACT)


def _by_job(job: JobView, *, cut: bool) -> tuple[State, str]:
    """Why a point that has a job has no record. Never `valid`, whatever colour the job has."""
    if job.status == "in_progress":
        return State.RUNNING, ""
    if job.status != "completed":
        return State.NOT_STARTED, Reason.WAITING
    if not job.runner and _seconds(job) >= QUEUE_LIMIT_S:
        return State.NOT_STARTED, Reason.QUEUE_EXPIRED
    if not job.runner or job.conclusion == "skipped":
        return State.NOT_STARTED, Reason.FAIL_FAST if cut else Reason.CANCELLED
    return State.MISSING, Reason.NO_ARTIFACT


def _seconds(job: JobView) -> float:
    """From queue to end: GitHub gives a job that never ran its creation as its start."""
    if not job.started_at or not job.completed_at:
        return 0
    return (datetime.fromisoformat(job.completed_at) - datetime.fromisoformat(job.started_at)).total_seconds()


def _entry(
    point: Point, state: State, reason: str, *, record: Record | None = None, notes: Sequence[str] = ()
) -> Entry:
    bare = Entry(
        point=point.id,
        key=point.key,
        title=point.title,
        mode=point.mode,
        state=state,
        reason=str(reason),
        notes=tuple(notes),
    )
    if record is None:
        return bare
    result = record.result if state == State.VALID else None
    return replace(bare, attempt=record.attempt, node=record.node, sha=record.sha, result=result)
