"""Files of one run that consumers of the data read."""

from collections.abc import Iterable, Mapping
from typing import Any

from infx.ledger import Ledger, State
from infx.plan import Plan
from infx.point import EVAL, THROUGHPUT, Mode
from infx.record import Outcome, Record
from infx.several import taken_apart


def aggregates(plan: Plan, ledger: Ledger, records: Iterable[Record]) -> Mapping[str, Any]:
    """Path inside the output folder → its JSON document."""
    return {
        "ledger/ledger.json": ledger.as_json(),
        "results_bmk/agg_bmk.json": _rows(ledger, THROUGHPUT),
        "eval_results_all/agg_eval_all.json": _rows(ledger, EVAL),
        "run-stats/run_stats.json": run_stats(plan, records),
        "changelog-metadata/changelog_metadata.json": dict(plan.changelog_metadata),
    }


def run_stats(plan: Plan, records: Iterable[Record]) -> dict[str, dict[str, int]]:
    """Hardware → `{n_success, total}` over all attempts; jobs that never started do not count."""
    stats: dict[str, dict[str, int]] = {}
    for record in records:
        point = plan.by_id.get(record.point)
        if point is None or record.outcome == Outcome.NOT_STARTED:
            continue
        own = stats.setdefault(point.hardware, {"n_success": 0, "total": 0})
        own["total"] += 1
        own["n_success"] += record.outcome == Outcome.SUCCESS
    return stats


def _rows(ledger: Ledger, mode: Mode) -> list[dict[str, Any]]:
    valid = [entry for entry in ledger.entries if entry.mode == mode and entry.state == State.VALID]
    return [row for entry in valid if entry.result for row in taken_apart(entry.result)]
