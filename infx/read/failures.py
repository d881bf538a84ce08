"""configs/failures.yaml → signatures of failures, in the order in which they are tried."""

from typing import Any

from infx import pattern
from infx.errors import BadInput
from infx.failure import Signature
from infx.read import noun, yaml
from infx.read.place import At

FORMAT = 1
PATTERN_LIMIT = 500
"""Characters of one expression."""
MOST = 200
"""Signatures of one file: each may look at each failed job."""


def failures(text: str, *, where: str = "configs/failures.yaml") -> tuple[Signature, ...]:
    """Every signature. BadInput names the field that is wrong, or the expression that is none."""
    at = At(yaml.load(text, where=where), where)
    if at["format"].integer() > FORMAT:
        raise BadInput("newer format", where=where, todo="update infx")
    listed = list(at["signatures"].items())
    if len(listed) > MOST:
        raise at["signatures"].fail(f"a list of at most {MOST} signatures")
    found = tuple(_signature(one) for one in listed)
    names = [one.detail for one in found]
    return found if len(names) == len(set(names)) else _twice(names, where)


def _twice(names: list[str], where: str) -> Any:
    twice = next(name for name in names if names.count(name) > 1)
    raise BadInput(f"two signatures are called {twice}", where=where, todo="give each a name of its own")


def _signature(at: At) -> Signature:
    plain = {name.replace("-", "_"): value.value for name, value in at.fields().items()}
    sample = {name.replace("-", "_"): value.value for name, value in at["sample"].fields().items()}
    found = noun.read(Signature, At({**plain, "sample": sample}, at.where, at.path))
    for name, expression in (("step", found.step), ("log", found.log)):
        _compiles(expression, at[name])
    return found


def _compiles(expression: str, at: At) -> None:
    if len(expression) > PATTERN_LIMIT:
        raise at.fail(f"an expression of at most {PATTERN_LIMIT} characters")
    if fault := pattern.fault(expression):
        todo = "write it for an engine of linear time: without look-around, back references and huge counts"
        raise BadInput(f"`{at.path}` is no regular expression ({fault})", where=at.where, todo=todo)


def failures_schema() -> dict[str, Any]:
    """JSON Schema of `failures.yaml`."""
    one = _dashed(noun.schema(Signature))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Failures",
        "type": "object",
        "properties": {"format": {"const": FORMAT}, "signatures": {"type": "array", "items": one}},
        "required": ["format", "signatures"],
        "additionalProperties": False,
    }


def _dashed(schema: dict[str, Any]) -> dict[str, Any]:
    """Field names as people write them in YAML."""
    inner = {
        name.replace("_", "-"): _dashed(value) if "properties" in value else value
        for name, value in schema["properties"].items()
    }
    return {**schema, "properties": inner, "required": [one.replace("_", "-") for one in schema["required"]]}
