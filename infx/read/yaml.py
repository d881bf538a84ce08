"""YAML from people we do not know: bounded before anything is built, strict, and able to name a line."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import yaml

from infx.errors import BadInput
from infx.read import events
from infx.read.events import Path
from infx.read.values import Builder

MAX_BYTES = 8 * 1024 * 1024


def load(data: bytes | str, *, where: str) -> Any:
    """The one document of `data` as plain values, None when it is empty. BadInput with `where:line`."""
    text = _text(data, where)
    try:
        with no_collector():
            events.measure(text, where)
            return Builder(where).build(events.events(text))
    except yaml.YAMLError as error:
        raise _syntax(error, text, where=where) from error


def line_of(data: bytes | str, path: Path) -> int:
    """Line, from 1, of the key or list element that `path` names, or of its nearest parent that is there."""
    return events.line_of(_text(data, ""), path)


@contextmanager
def no_collector() -> Iterator[None]:
    """Garbage collection off: it would walk all that is built so far again and again, and free nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _text(data: bytes | str, where: str) -> str:
    if len(data) > MAX_BYTES:
        raise BadInput(f"the file is larger than {MAX_BYTES} bytes", where=where, todo="split it")
    if isinstance(data, str):
        return data
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInput("not UTF-8", where=f"{where}:{line}", todo="save the file as UTF-8") from error


def _syntax(error: yaml.YAMLError, text: str, *, where: str) -> BadInput:
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    line = text.split("\n")[mark.line] if mark and mark.line <= text.count("\n") else ""
    tab = "\t" in line[: len(line) - len(line.lstrip())]
    return BadInput(
        f"not valid YAML ({what})",
        where=f"{where}:{mark.line + 1}:{mark.column + 1}" if mark else where,
        todo="indent with spaces, not tabs" if tab else "mend the syntax here or just above",
    )
