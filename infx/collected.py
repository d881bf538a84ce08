"""Collected: what the records of one run amount to: ledger, published rows and page."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from infx.edge import artifacts, files, gha
from infx.ledger import Ledger, State
from infx.matrix.points import kind
from infx.matrix.release import release
from infx.plan import Plan
from infx.point import EVAL, THROUGHPUT
from infx.record import Record
from infx.results import page, stats, tally

TEMPLATE = Path(page.__file__).with_suffix(".html")


@dataclass(frozen=True, kw_only=True)
class Collected:
    """What the artifacts of one run hold."""

    plan: Plan
    records: list[Record]
    problems: list[artifacts.Problem]


def facts(env: Mapping[str, str], collected: Collected, results: Mapping[str, str]) -> tally.Facts:
    points = {point.artifact(kind(point)): point.id for point in collected.plan.points}
    return tally.Facts(
        run_id=gha.number(env, "GITHUB_RUN_ID", 0),
        attempt=gha.number(env, "GITHUB_RUN_ATTEMPT", 1),
        cancelled="cancelled" in results.values(),
        blocked=release(collected.plan, tally.newest(collected.records)).blocked,
        unreadable={points[one.artifact]: one.what for one in collected.problems if one.artifact in points},
    )


def write(out: Path, collected: Collected, ledger: Ledger, *, address: str) -> None:
    """Every file of the run's artifacts below `out`."""
    for name, document in stats.aggregates(collected.plan, ledger, collected.records).items():
        files.write_json(out / name, document)
    # The report reads one artifact instead of two.
    files.write_json(out / "ledger" / "plan.json", collected.plan.as_json())
    shown = page.Run(plan=collected.plan, ledger=ledger, address=address)
    files.write_text(out / "report" / "index.html", page.page(files.read_text(TEMPLATE), shown))


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
