"""Several: rows of one point that was measured at several concurrencies, as one result and apart again. Pure.

Only multi-node fixed-sequence points have a list. Their result holds once what all rows share, and for each
concurrency what is its own; whoever publishes or shows rows takes them apart.
"""

from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
EACH = "by_conc"
"""Field of a result with several rows."""


def combined(rows: Sequence[Row]) -> dict[str, Any]:
    """One result of the rows of one point, in the order of its concurrencies; a single row is its own."""
    first = rows[0]
    if len(rows) == 1:
        return dict(first)
    shared = {
        name: value
        for name, value in first.items()
        if name != "conc" and all(name in row and row[name] == value for row in rows)
    }
    each = [{name: value for name, value in row.items() if name not in shared} for row in rows]
    return {**shared, "conc": [row["conc"] for row in rows], EACH: each}


def taken_apart(result: Row) -> list[dict[str, Any]]:
    """The rows of a result; one of another shape than `combined` makes is one row, for others to judge."""
    each = result.get(EACH)
    if not isinstance(each, list) or not each or not all(isinstance(one, Mapping) for one in each):
        return [dict(result)]
    shared = {name: value for name, value in result.items() if name != EACH}
    return [{**shared, **one} for one in each]
