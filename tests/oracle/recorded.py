"""The recorded sweeps of the benchmark community, when they are beside the checkout (or at INFX_ORACLE)."""

import gzip
import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from infx.canon import canonical

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("INFX_ORACLE", ROOT / "../shared/oracle"))
BUNDLE = FOLDER / "data-history.bundle"
STEPS = sorted(path.name.split(".")[0] for path in FOLDER.glob("expected/*.jsonl.gz"))


def cases(step: str) -> Iterator[dict[str, Any]]:
    """Cases of one step: kind, flags, status and output."""
    with gzip.open(FOLDER / "expected" / f"{step}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def bag(output: Any) -> Counter[tuple[str, str]]:
    """Multiset of (place, row): the order of rows is free."""
    if isinstance(output, list):
        return Counter(("rows", canonical(row)) for row in output)
    found: Counter[tuple[str, str]] = Counter()
    for name, part in output.items():
        groups = part if name in ("single_node", "multi_node") else {"": part}
        for group, rows in groups.items():
            listed = rows if isinstance(rows, list) else [rows]
            found.update((f"{name}/{group}", canonical(row)) for row in listed)
    return found
