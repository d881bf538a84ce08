"""Files of one run that consumers of the data read."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from infx.ledger import Ledger, State
from infx.plan import Plan
from infx.point import EVAL, THROUGHPUT, Mode
from infx.record import TRIES, Outcome, Record, Try
from infx.several import taken_apart

FOLDER = "run-stats"


def aggregates(plan: Plan, ledger: Ledger, tries: Sequence[Try]) -> Mapping[str, Any]:
    """Path inside the output folder → its JSON document."""
    return {
        "ledger/ledger.json": ledger.as_json(),
        "results_bmk/agg_bmk.json": _rows(ledger, THROUGHPUT),
        "eval_results_all/agg_eval_all.json": _rows(ledger, EVAL),
        f"{FOLDER}/run_stats.json": run_stats(plan, tries),
        f"{FOLDER}/{TRIES}": [one.as_json() for one in tries],
        "changelog-metadata/changelog_metadata.json": dict(plan.changelog_metadata),
    }


def tries(records: Iterable[Record], earlier: Iterable[Try]) -> list[Try]:
    """Every attempt at every point: of `earlier` ones a re-run has replaced the records."""
    known = [*earlier, *map(Try.of, records)]
    return sorted({(one.point, one.attempt): one for one in known}.values(), key=_place)


def _place(one: Try) -> tuple[str, int]:
    return (one.point, one.attempt)


def run_stats(plan: Plan, tries: Iterable[Try]) -> dict[str, dict[str, int]]:
    """Hardware → `{n_success, total}` over all attempts; jobs that never started do not count."""
    stats: dict[str, dict[str, int]] = {}
    for one in tries:
        point = plan.by_id.get(one.point)
        if point is None or one.outcome == Outcome.NOT_STARTED:
            continue
        own = stats.setdefault(point.hardware, {"n_success": 0, "total": 0})
        own["total"] += 1
        own["n_success"] += one.outcome == Outcome.SUCCESS
    return stats


def _rows(ledger: Ledger, mode: Mode) -> list[dict[str, Any]]:
    valid = [entry for entry in ledger.entries if entry.mode == mode and entry.state == State.VALID]
    return [row for entry in valid if entry.result for row in taken_apart(entry.result)]
