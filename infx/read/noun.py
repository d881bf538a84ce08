"""Noun: JSON to frozen dataclasses and back, and their JSON Schema, all three from the same annotations."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import StrEnum
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from infx.errors import BadInput
from infx.read.place import At, nearest

T = TypeVar("T")
_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}


def read(noun: type[T], at: At) -> T:
    """`noun` from a mapping. BadInput names the field that is missing, unknown or of another type."""
    hints = get_type_hints(noun)
    given = at.fields()
    for name, value in given.items():
        if name not in hints:
            raise BadInput(
                f'unknown field "{value.path}"{nearest(name, hints)}',
                where=at.where,
                todo="correct or remove it",
            )
    needed = [field.name for field in fields(noun) if _required(field) and field.name not in given]  # type: ignore[arg-type]
    if needed:
        raise at[needed[0]].fail(f"a value for `{needed[0]}`")
    return noun(**{name: _value(hints[name], value) for name, value in given.items()})


def write(value: Any) -> Any:
    """Plain JSON values; sets are sorted."""
    if is_dataclass(value):
        return {field.name: write(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {name: write(one) for name, one in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    return [write(one) for one in value] if isinstance(value, tuple | list) else value


def schema(noun: type[Any]) -> dict[str, Any]:
    """JSON Schema (2020-12) of what `read` takes."""
    hints = get_type_hints(noun)
    return {
        "type": "object",
        "description": (noun.__doc__ or "").split("\n")[0],
        "properties": {name: _schema(hint) for name, hint in hints.items()},
        "required": [field.name for field in fields(noun) if _required(field)],
        "additionalProperties": False,
    }


def _required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _optional(hint: Any) -> Any:
    """The type beside None, or None when `hint` is no such union."""
    if get_origin(hint) not in (Union, UnionType):
        return None
    return next(arg for arg in get_args(hint) if arg is not type(None))


def _value(hint: Any, at: At) -> Any:
    inner = _optional(hint)
    if inner is not None:
        return None if at.absent else _value(inner, at)
    if hint is Any:
        return at.value
    if get_origin(hint) is Mapping:
        key, inner = get_args(hint)
        return {key(name): _value(inner, one) for name, one in at.fields().items()}
    if get_origin(hint) in (tuple, frozenset):
        one = get_args(hint)[0]
        return get_origin(hint)(_value(one, item) for item in at.items())
    if is_dataclass(hint):
        return read(hint, at)  # type: ignore[arg-type]
    if issubclass(hint, StrEnum):
        return hint(at.choice(hint))
    readers: dict[Any, Callable[[], Any]] = {
        str: at.text,
        int: at.integer,
        float: at.number,
        bool: at.flag,
    }
    return readers[hint]()


def _schema(hint: Any) -> dict[str, Any]:
    inner = _optional(hint)
    if inner is not None:
        return {"anyOf": [_schema(inner), {"type": "null"}]}
    if hint is Any:
        return {}
    if get_origin(hint) is Mapping:
        return {"type": "object", "additionalProperties": _schema(get_args(hint)[1])}
    if get_origin(hint) in (tuple, frozenset):
        return {"type": "array", "items": _schema(get_args(hint)[0])}
    if is_dataclass(hint):
        return schema(hint)  # type: ignore[arg-type]
    if issubclass(hint, StrEnum):
        return {"enum": [str(one) for one in hint]}
    return {"type": _PLAIN[hint], **({"minimum": 0} if hint in (int, float) else {})}
