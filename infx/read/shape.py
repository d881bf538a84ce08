"""Strict shapes: one table says which fields a mapping holds, checks them, and is their JSON Schema."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from infx.errors import BadInput
from infx.read.events import Path
from infx.read.yaml import line_of
from infx.spell import near


class Wrong(Exception):
    """A value that does not fit. Gains its path on the way up; `located` makes it an error for people."""

    def __init__(self, what: str, *, todo: str = "", at: Path = ()) -> None:
        super().__init__(what)
        self.what, self.todo, self.path = what, todo, at

    def under(self, step: str | int) -> "Wrong":
        self.path = (step, *self.path)
        return self

    def located(self, data: bytes | str, where: str) -> BadInput:
        """With file, line and key."""
        place = dotted(self.path)
        return BadInput(
            f"{place}: {self.what}" if place else self.what,
            where=f"{where}:{line_of(data, self.path)}",
            todo=self.todo,
        )


class Unknown(Wrong):
    """A field that nothing here knows."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How one value is read, and its JSON Schema. `read` raises Wrong."""

    read: Callable[[Any], Any]
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a mapping."""

    kind: Kind
    required: bool = False
    nullable: bool = False
    """Whether an explicit null counts as absent."""
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Shape:
    """A mapping with these fields and no other."""

    fields: Mapping[str, Field]
    what: str
    """Its name in messages: `worker`."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Fields that people expect here, and where they belong instead."""
    _required: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        required = tuple(name for name, one in self.fields.items() if one.required)
        object.__setattr__(self, "_required", required)

    def read(self, value: Any) -> dict[str, Any]:
        """Read values by field name; a null that counts as absent is None."""
        if type(value) is not dict:
            raise wrong(value, f"must be a mapping ({self.what})")
        fields = self.fields
        out: dict[str, Any] = {}
        for name, given in value.items():
            known = fields.get(name)
            if known is None:
                raise self._unknown(name)
            try:
                out[name] = None if given is None and known.nullable else known.kind.read(given)
            except Wrong as problem:
                raise problem.under(name) from None
        for name in self._required:
            if name not in out:
                raise Wrong(f"field `{name}` is missing", todo=f"add `{name}` to this {self.what}")
        return out

    def _unknown(self, name: Any) -> Wrong:
        todo = self.notes.get(name) or near(name, self.fields)
        return Unknown(f"unknown field in this {self.what}", todo=todo, at=(str(name),))

    @property
    def schema(self) -> dict[str, Any]:
        """The same table as JSON Schema."""
        properties = {}
        for name, one in self.fields.items():
            shown = dict(one.kind.schema)
            if one.nullable:
                shown = {"anyOf": [shown, {"type": "null"}]}
            properties[name] = {"description": one.doc, **shown} if one.doc else shown
        return {
            "type": "object",
            "properties": properties,
            "required": list(self._required),
            "additionalProperties": False,
        }


def dotted(path: Path) -> str:
    """`key.scenarios.fixed-seq-len[0].tp`."""
    text = ""
    for step in path:
        name = f"[{step}]" if isinstance(step, int) else step[:100]
        text += f".{name}" if text and isinstance(step, str) else name
    return text


def wrong(value: Any, must: str, *, todo: str = "correct the value") -> Wrong:
    """`must be …, not …`, with the value cut short."""
    return Wrong(f"{must}, not {_shown(value)}", todo=todo)


def _shown(value: Any) -> str:
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else "a list"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value)[:60] if isinstance(value, str) else str(value)[:60]


def listing(kind: Kind, *, what: str, empty: bool = False) -> Kind:
    """A list of `kind`, read to a tuple."""
    one = kind.read

    def read(value: Any) -> tuple[Any, ...]:
        if type(value) is not list:
            raise wrong(value, f"must be a list of {what}")
        if not value and not empty:
            raise Wrong("must not be empty", todo=f"give at least one of {what}")
        out = []
        for at, item in enumerate(value):
            try:
                out.append(one(item))
            except Wrong as problem:
                raise problem.under(at) from None
        return tuple(out)

    return Kind(read, {"type": "array", "items": kind.schema, **({} if empty else {"minItems": 1})})


def table(kind: Kind, *, what: str) -> Kind:
    """A mapping of free text keys to `kind`."""

    def read(value: Any) -> dict[str, Any]:
        if type(value) is not dict:
            raise wrong(value, f"must be a mapping ({what})")
        out = {}
        for name, item in value.items():
            try:
                out[_text(name)] = kind.read(item)
            except Wrong as problem:
                raise problem.under(str(name)) from None
        return out

    return Kind(read, {"type": "object", "additionalProperties": kind.schema})


def whole(*, least: int | None = None) -> Kind:
    """A whole number; text and true or false are not."""

    def read(value: Any) -> int:
        if type(value) is not int:
            raise wrong(value, "must be a whole number")
        if least is not None and value < least:
            raise wrong(value, f"must be at least {least}")
        return value

    return Kind(read, {"type": "integer"} if least is None else {"type": "integer", "minimum": least})


def choice(*names: str) -> Kind:
    """One of some words."""

    def read(value: Any) -> str:
        if type(value) is not str or value not in names:
            raise Wrong(f"{_shown(value)} is not allowed here", todo=near(value, names))
        return value

    return Kind(read, {"enum": list(names)})


def _text(value: Any) -> str:
    if type(value) is not str:
        raise wrong(value, "must be text", todo="put it in quotes")
    return value


def _filled(value: Any) -> str:
    if not _text(value):
        raise Wrong("must not be empty", todo="give a name or leave the field out")
    return str(value)


def _switch(value: Any) -> bool:
    if type(value) is not bool:
        raise wrong(value, "must be true or false", todo="write true or false without quotes")
    return value


TEXT = Kind(_text, {"type": "string"})
FILLED = Kind(_filled, {"type": "string", "minLength": 1})
SWITCH = Kind(_switch, {"type": "boolean"})
