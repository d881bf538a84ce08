"""JSON Schemas of what the matrix commands print, and the check that every emitted row passes."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from infx.errors import Refused
from infx.matrix.expand import DURATION_S
from infx.matrix.job import Job
from infx.recipe import AGENTIC

_Schema = dict[str, Any]
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TEXT: _Schema = {"type": "string"}
_FILLED: _Schema = {"type": "string", "minLength": 1}
_WHOLE: _Schema = {"type": "integer"}
_SIZE: _Schema = {"type": "integer", "minimum": 1}
_SWITCH: _Schema = {"type": "boolean"}
_CONCS: _Schema = {"type": "array", "items": _SIZE, "minItems": 1}
_PARALLEL = {
    "tp": _WHOLE,
    "pp": _SIZE,
    "dcp-size": _SIZE,
    "pcp-size": _SIZE,
    "ep": _WHOLE,
    "dp-attn": _SWITCH,
}


def _object(required: _Schema, optional: _Schema | None = None) -> _Schema:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


_COMPONENT = _object({"name": _FILLED}, {"version": _FILLED})
_WORKER = _object(
    {"num-worker": _WHOLE, **_PARALLEL},
    {"additional-settings": {"type": "array", "items": _TEXT}, "hardware": _FILLED},
)
_COMMON = {
    **dict.fromkeys(
        ("image", "model", "model-prefix", "precision", "framework", "runner", "exp-name"), _TEXT
    ),
    "spec-decoding": {"enum": ["mtp", "draft_model", "none"]},
}
_COMMON_OPTIONAL = {
    "router": _object({"name": _FILLED, "version": _FILLED}),
    "kv-p2p-transfer": _FILLED,
    "eval-only": _SWITCH,
    "recipe-fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
}
_FIXED = {"isl": _WHOLE, "osl": _WHOLE, "max-model-len": _WHOLE, "disagg": _SWITCH, "run-eval": _SWITCH}
_TRACES = {
    "kv-offloading": {"enum": ["none", "dram"]},
    "total-cpu-dram-gb": {"type": "integer", "minimum": 0},
    "duration": {"const": DURATION_S},
    "scenario-type": {"const": AGENTIC},
}
_TRACES_OPTIONAL = {"kv-offload-backend": _COMPONENT, "run-eval": _SWITCH}
_POOLS: _Schema = {"prefill": {"$ref": "#/$defs/worker"}, "decode": {"$ref": "#/$defs/worker"}}
_ROWS = {
    "single-fixed": _object({**_COMMON, **_FIXED, **_PARALLEL, "conc": _SIZE}, _COMMON_OPTIONAL),
    "multi-fixed": _object(
        {**_COMMON, **_FIXED, **_POOLS, "conc": _CONCS},
        {**_COMMON_OPTIONAL, "eval-conc": _SIZE, "eval-all-concs": _SWITCH},
    ),
    "single-agentic": _object(
        {**_COMMON, **_TRACES, **_PARALLEL, "conc": _SIZE}, {**_COMMON_OPTIONAL, **_TRACES_OPTIONAL}
    ),
    "multi-agentic": _object(
        {**_COMMON, **_TRACES, **_POOLS, "conc": _CONCS, "disagg": _SWITCH},
        {**_COMMON_OPTIONAL, **_TRACES_OPTIONAL, "eval-conc": _SIZE},
    ),
}


def _kind(nodes: str) -> _Schema:
    return {
        "if": {"required": ["scenario-type"]},
        "then": {"$ref": f"#/$defs/{nodes}-agentic"},
        "else": {"$ref": f"#/$defs/{nodes}-fixed"},
    }


_DEFINITIONS = {
    **_ROWS,
    "worker": _WORKER,
    "row": {
        "type": "object",
        "if": {"required": ["prefill"]},
        "then": _kind("multi"),
        "else": _kind("single"),
    },
    "rows": {"type": "array", "items": {"$ref": "#/$defs/row"}},
}


def rows_schema() -> _Schema:
    """What `infx matrix generate` prints."""
    return {"$schema": _DIALECT, "title": "Matrix rows", "$ref": "#/$defs/rows", "$defs": _DEFINITIONS}


def sweep_schema() -> _Schema:
    """What `infx matrix plan` prints."""
    rows = {"$ref": "#/$defs/rows"}
    groups = {"type": "object", "additionalProperties": rows}
    evals = dict.fromkeys(("evals", "agentic_evals", "multinode_evals", "multinode_agentic_evals"), rows)
    metadata = _object(
        {"base_ref": _TEXT, "head_ref": _TEXT, "entries": {"type": "array", "items": {"type": "object"}}}
    )
    shape = _object({"single_node": groups, "multi_node": groups, **evals, "changelog_metadata": metadata})
    return {"$schema": _DIALECT, "title": "Sweep of one change", **shape, "$defs": _DEFINITIONS}


@cache
def _validator() -> Any:
    import jsonschema_rs

    row = {"$schema": _DIALECT, "$ref": "#/$defs/row", "$defs": _DEFINITIONS}
    return jsonschema_rs.validator_for(row)


def check(jobs: Sequence[Job]) -> None:
    """Refused when a row does not fit the published schema."""
    validator = _validator()
    for job in jobs:
        if not validator.is_valid(job.row):
            problem = next(validator.iter_errors(job.row))
            raise Refused(
                f"row {job.row.get('exp-name')}: {problem.message[:200]}",
                where=job.key,
                todo="this row does not fit infx/schemas/rows.json; report it if the config is right",
            )
