"""Collected: what the records of one run amount to: ledger, published rows and page."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from infx import press
from infx.edge import artifacts, files, gha
from infx.errors import BadInput
from infx.ledger import Ledger, State
from infx.matrix.points import kind
from infx.matrix.release import release
from infx.plan import Plan
from infx.point import EVAL, THROUGHPUT, Point
from infx.reason import Reason
from infx.record import Record, Try
from infx.results import power, stats, tally
from infx.rules import Power
from infx.several import EACH


@dataclass(frozen=True, kw_only=True)
class Collected:
    """What the artifacts of one run hold."""

    plan: Plan
    records: list[Record]
    problems: list[artifacts.Problem]
    earlier: list[Try]
    """Attempts that an earlier collection of the run listed."""


def gathered(plan: Plan, folder: Path, limits: Power) -> Collected:
    """Every record below `folder`, its energy judged again from the samples beside it."""
    records, problems = artifacts.records(folder)
    made = []
    for record in records:
        point = plan.by_id.get(record.point)
        made.append(record if point is None else _energy(record, point, folder, limits))
    try:
        earlier = artifacts.tries(folder)
    except BadInput as error:
        earlier = []
        problems.append(artifacts.Problem(artifact=artifacts.STATS, what=error.what))
    return Collected(plan=plan, records=made, problems=problems, earlier=earlier)


def _energy(record: Record, point: Point, folder: Path, limits: Power) -> Record:
    """The record with energy only where its samples bear it out; without energy it is worth nothing where the
    policy requires it, whatever became of it: not measured, withheld, or left out by who measured."""
    result = record.result or {}
    if EACH in result:
        # Samples belong to one window, so a list of concurrencies has none that could bear anything out.
        record = power.without(record)
    elif "power_valid" in result:
        package = artifacts.power_of(folder, point.artifact(kind(point)), gpus=point.gpus)
        record = power.audited(record, package, limits)
    wanted = result and point.mode == THROUGHPUT and limits.requires(point.key)
    if wanted and not (record.result or {}).get("power_valid"):
        return replace(record, reason=Reason.POWER)
    return record


def facts(env: Mapping[str, str], collected: Collected, results: Mapping[str, str]) -> tally.Facts:
    points = {point.artifact(kind(point)): point.id for point in collected.plan.points}
    found = [one for one in collected.problems if one.artifact in points]
    return tally.Facts(
        run_id=gha.number(env, "GITHUB_RUN_ID", 0),
        attempt=gha.number(env, "GITHUB_RUN_ATTEMPT", 1),
        cancelled="cancelled" in results.values(),
        blocked=release(collected.plan, tally.newest(collected.records)).blocked,
        unreadable={points[one.artifact]: one.what for one in found if not one.lost},
        lost={points[one.artifact]: one.what for one in found if one.lost},
    )


def write(out: Path, collected: Collected, ledger: Ledger, *, env: Mapping[str, str]) -> None:
    """Every file of the run's artifacts below `out`."""
    address = gha.run_url(env)
    tries = stats.tries(collected.records, collected.earlier)
    for name, document in stats.aggregates(collected.plan, ledger, tries).items():
        files.write_long_json(out / name, document)
    # The report reads one artifact instead of two.
    files.write_json(out / "ledger" / "plan.json", collected.plan.as_json())
    press.write(out / "report" / "index.html", press.of_run(collected.plan, ledger, address=address), env)


def verdict(ledger: Ledger) -> str:
    """`8 of 9 points and 1 of 1 evals are valid; first: C4 invalid(engine-died)`."""
    counts = " and ".join(
        f"{ledger.count(mode, State.VALID)} of {ledger.planned(mode)} {word}"
        for mode, word in ((THROUGHPUT, "points"), (EVAL, "evals"))
        if ledger.planned(mode)
    )
    bad = [entry for entry in ledger.entries if entry.state != State.VALID]
    first = next((entry for entry in bad if entry.state == State.INVALID), bad[0] if bad else None)
    return f"{counts} are valid" + (f"; first: {first.key} {first.title} {first.text}" if first else "")
