"""Files of one ingest run that consumers of the data read: the same names and shapes as those of a sweep."""

from collections.abc import Iterable, Mapping
from typing import Any

from infx.entry import Entry
from infx.landing import Push
from infx.point import EVAL, THROUGHPUT
from infx.publication import Publication
from infx.several import taken_apart


def aggregates(push: Push | None, rows: Iterable[Publication], entries: Iterable[Entry]) -> Mapping[str, Any]:
    """Path → JSON document. Refs are those of the push, empty for a recovery."""
    found = list(rows)
    measured = [one for one in found if one.mode == THROUGHPUT]
    refs = {"base_ref": push.before if push else "", "head_ref": push.after if push else ""}
    return {
        "results_bmk/agg_bmk.json": [row for one in measured for row in taken_apart(one.row)],
        "eval_results_all/agg_eval_all.json": [dict(one.row) for one in found if one.mode == EVAL],
        "changelog-metadata/changelog_metadata.json": {
            **refs,
            "entries": [entry.as_json() for entry in entries],
        },
    }
