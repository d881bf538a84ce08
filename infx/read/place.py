"""Place: a value somewhere inside a parsed document, which can say where it is when it is wrong."""

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from infx.errors import BadInput


def nearest(name: str, known: Iterable[str]) -> str:
    """` (did you mean "…"?)`, or nothing when no known name is close."""
    from difflib import get_close_matches  # late: only mistakes pay for it

    close = get_close_matches(name[:100], list(known), n=1)
    return f' (did you mean "{close[0]}"?)' if close else ""


class At:
    """One value and its path. Readers take a default for null; without one, null and absent are refused."""

    def __init__(self, value: Any, where: str, path: str = "") -> None:
        self.value, self.where, self.path = value, where, path

    def __getitem__(self, name: str) -> "At":
        """The field `name` of a mapping; a missing field has the value None."""
        return At(self.mapping().get(name), self.where, f"{self.path}.{name}" if self.path else name)

    def fail(self, expected: str) -> BadInput:
        got = "null or missing" if self.value is None else f"{type(self.value).__name__} {self.value!r:.60}"
        return BadInput(f"expected {expected}, found {got}", where=self.where, todo=f"correct {self._name}")

    @property
    def _name(self) -> str:
        return f"`{self.path}`" if self.path else "the document"

    @property
    def absent(self) -> bool:
        return self.value is None

    def mapping(self) -> Mapping[str, Any]:
        if not isinstance(self.value, Mapping):
            raise self.fail("a mapping")
        return self.value

    def fields(self) -> dict[str, "At"]:
        """Every field of a mapping with text keys."""
        for name in self.mapping():
            if not isinstance(name, str):
                raise BadInput(
                    f"key {name!r} is not text", where=self.where, todo=f"quote it in {self._name}"
                )
        return {name: self[name] for name in self.mapping()}

    def items(self) -> list["At"]:
        """Every element of a list; null counts as an empty one."""
        if self.value is None:
            return []
        if not isinstance(self.value, list):
            raise self.fail("a list")
        return [At(one, self.where, f"{self.path}[{index}]") for index, one in enumerate(self.value)]

    def text(self, default: str | None = None) -> str:
        if self.value is None and default is not None:
            return default
        if not isinstance(self.value, str):
            raise self.fail("text")
        return self.value

    def texts(self) -> tuple[str, ...]:
        return tuple(one.text() for one in self.items())

    def flag(self, default: bool | None = None) -> bool:
        if self.value is None and default is not None:
            return default
        if not isinstance(self.value, bool):
            raise self.fail("true or false")
        return self.value

    def integer(self, default: int | None = None) -> int:
        """A whole number of 0 or more."""
        if self.value is None and default is not None:
            return default
        if not isinstance(self.value, int) or isinstance(self.value, bool) or self.value < 0:
            raise self.fail("a whole number of 0 or more")
        return self.value

    def number(self) -> float:
        """A finite number of 0 or more."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self.fail("a number")
        if not 0 <= self.value <= sys.float_info.max:
            raise self.fail("a finite number of 0 or more")
        return float(self.value)

    def choice(self, options: Iterable[str]) -> str:
        allowed = list(options)
        if self.value not in allowed:
            raise self.fail(f"one of {', '.join(allowed)}{nearest(str(self.value), allowed)}")
        return str(self.value)
