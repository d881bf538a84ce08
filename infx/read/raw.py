"""JSON Schemas of what one cell leaves: its record, the verdict on its power, the corpus that it replayed."""

from collections.abc import Callable
from functools import partial
from typing import Any

from infx.power import Window, Withheld
from infx.record import Record
from infx.row import Corpus

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(name: str) -> dict[str, Any]:
    """Schema of `record` (`record.json`), `power` (`power.json`) or `corpus` (field of records and rows)."""
    make: dict[str, Callable[[], dict[str, Any]]] = {
        "record": _record,
        "power": _power,
        "corpus": partial(_noun, Corpus),
    }
    made = make[name]()
    return {"$schema": DIALECT, "title": name, **made}


def _record() -> dict[str, Any]:
    found = _noun(Record)
    found["properties"]["sha"]["pattern"] = "^([0-9a-f]{40}|[0-9a-f]{64})$"
    found["properties"]["reason"]["pattern"] = "^([a-z0-9][a-z0-9-]{0,59})?$"
    return found


def _power() -> dict[str, Any]:
    """Numbers that are not finite are null, so that every strict reader can take the file."""
    number = {"type": ["number", "null"]}
    reason = {"type": "array", "prefixItems": [{"enum": [str(one) for one in Withheld]}, {"type": "string"}]}
    fields: dict[str, Any] = {
        "window": _noun(Window),
        "valid": {"type": "boolean"},
        "reasons": {"type": "array", "items": {**reason, "items": False}},
        "joules": number,
        "counter_joules": number,
        "seconds": number,
        "gpus": {"type": "integer", "minimum": 1},
        "seen": {"type": "integer", "minimum": 0},
    }
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def _noun(noun: type[Any]) -> dict[str, Any]:
    from pydantic import TypeAdapter

    return {**TypeAdapter(noun).json_schema(), "additionalProperties": False}
