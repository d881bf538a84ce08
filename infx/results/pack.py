"""Pack: rows as gzipped columns for a page, small, with at least five significant digits of every number."""

import base64
import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from infx.flat import Flat

DIGITS = 6
"""Significant digits of small numbers; times and tokens keep a tenth instead."""
LARGE = 1e5
Column = Mapping[str, Any]
"""`{"v": values}`, or `{"d": different values, "i": position of each}` where many are equal."""
PROVENANCE = (
    "merge",
    "point",
    "current",
    "series",
    "curve",
    "key",
    "title",
    "prefix",
    "scenario",
    "shape",
    "run",
    "attempt",
    "sha",
    "node",
    "pr",
    "matched",
    "accepted_changed",
    "authorisation",
    "published",
    "simulated",
    "fingerprint",
    "notes",
)
"""Columns beside the row itself; the page shows and copies them with it."""


def packed(document: Mapping[str, Any]) -> str:
    """Base64 of the gzipped JSON; the same for the same document."""
    text = json.dumps(document, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode()


def columns(rows: Sequence[Flat]) -> dict[str, dict[str, Column]]:
    """`row`: fields of the published rows, nested ones by dotted names; `known`: their provenance."""
    bodies = [dict(leaves(one.row)) for one in rows]
    names = dict.fromkeys(name for body in bodies for name in body)
    row = {name: column([body.get(name) for body in bodies]) for name in names}
    known = {name: column([getattr(one, name) for one in rows]) for name in PROVENANCE}
    return {"row": row, "known": known}


def leaves(value: Mapping[str, Any], start: str = "") -> Iterable[tuple[str, Any]]:
    """Dotted name and value of every leaf; lists stay whole."""
    for name, one in value.items():
        if isinstance(one, Mapping) and one:
            yield from leaves(one, f"{start}{name}.")
        else:
            yield f"{start}{name}", one


def column(values: Sequence[Any]) -> Column:
    short = [rounded(one) for one in values]
    places: dict[Any, int] = {}
    codes = [places.setdefault(_key(one), len(places)) for one in short]
    if len(places) > len(short) // 2 and len(short) > 1:
        return {"v": short}
    different: list[Any] = [None] * len(places)
    for one, code in zip(short, codes, strict=True):
        different[code] = one
    return {"d": different, "i": codes}


def _key(value: Any) -> Any:
    """Equal for equal JSON: True equals 1 in Python, and 1.0 too, so the type belongs to the key."""
    return json.dumps(value) if isinstance(value, list | dict) else (value.__class__, value)


def rounded(value: Any) -> Any:
    """Numbers of few digits; everything else as it is."""
    if isinstance(value, float):
        if abs(value) >= LARGE:
            return round(value, 1)
        return float(f"{value:.{DIGITS}g}")
    return value
