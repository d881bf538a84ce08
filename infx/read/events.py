"""YAML as parser events: counting them before anything is built, and finding the line of a value."""

from collections.abc import Iterator
from typing import Any

import yaml

from infx.errors import BadInput

MAX_EVENTS = 600_000
"""Events with every alias written out; the biggest real master file has 25,000."""
MAX_DEPTH = 100

Path = tuple[str | int, ...]
"""Keys and list positions that lead from the document to a value."""

OPENS = {
    yaml.SequenceStartEvent: 1,
    yaml.MappingStartEvent: 1,
    yaml.SequenceEndEvent: -1,
    yaml.MappingEndEvent: -1,
}
"""How an event changes the depth."""


def events(text: str) -> Iterator[Any]:
    """Events inside the one document of `text`. yaml.YAMLError on bad syntax or a second document."""
    get = yaml.CSafeLoader(text).get_event
    get()
    if type(get()) is yaml.StreamEndEvent:
        return
    while type(event := get()) is not yaml.DocumentEndEvent:
        yield event
    extra: Any = get()
    if type(extra) is not yaml.StreamEndEvent:
        raise yaml.MarkedYAMLError(problem="a second document begins", problem_mark=extra.start_mark)


def measure(text: str, where: str) -> None:
    """BadInput when `text` is too big or too deep, with aliases counted at their full size."""
    count, anchors, stack = 0, dict[str, tuple[int, int]](), [_Open(anchor=None, before=0)]
    for event in events(text):
        count += 1
        opens = OPENS.get(type(event))
        if opens == 1:
            stack.append(_Open(anchor=event.anchor, before=count))
        elif opens == -1:
            closed = stack.pop()
            stack[-1].height = max(stack[-1].height, closed.height + 1)
            if closed.anchor:
                anchors[closed.anchor] = (count - closed.before, closed.height + 1)
        elif type(event) is yaml.AliasEvent:
            # An anchor that is unknown or not yet closed is refused when values are built.
            size, height = anchors.get(str(event.anchor), (0, 0))
            count += size
            stack[-1].height = max(stack[-1].height, height)
        elif count <= MAX_EVENTS:
            continue
        if count > MAX_EVENTS:
            raise _refused(f"more than {MAX_EVENTS} YAML values", event, where=where)
        if len(stack) - 1 + stack[-1].height > MAX_DEPTH:
            raise _refused(f"nested more than {MAX_DEPTH} deep", event, where=where)


def line_of(text: str, path: Path) -> int:
    """Line, from 1, of the key or list element that `path` names, or of its nearest parent that is there."""
    walk = events(text)
    event, line = next(walk, None), 1
    for step in path:
        found = _child(walk, event, step=step)
        if found is None:
            break
        event, line = found, found.start_mark.line + 1
        if type(event) is _Key:
            event = next(walk)
    return line


class _Open:
    """A collection whose end has not come yet: events before it, levels inside it."""

    __slots__ = ("anchor", "before", "height")

    def __init__(self, *, anchor: str | None, before: int) -> None:
        self.anchor, self.before, self.height = anchor, before, 0


def _refused(what: str, event: Any, *, where: str) -> BadInput:
    return BadInput(what, where=f"{where}:{event.start_mark.line + 1}", todo="split or flatten the document")


class _Key:
    """The key of a found child; its value comes next."""

    def __init__(self, event: Any) -> None:
        self.start_mark = event.start_mark


def _child(walk: Iterator[Any], event: Any, *, step: str | int) -> Any:
    """The event that begins child `step` of the collection that `event` begins; None when it has none."""
    if type(event) is yaml.SequenceStartEvent:
        for at, child in enumerate(walk):
            if at == step or type(child) is yaml.SequenceEndEvent:
                return child if type(child) is not yaml.SequenceEndEvent else None
            _skip(walk, child)
    if type(event) is yaml.MappingStartEvent:
        for key in walk:
            if type(key) is yaml.MappingEndEvent:
                break
            if type(key) is yaml.ScalarEvent and key.value == str(step):
                return _Key(key)
            _skip(walk, key)
            _skip(walk, next(walk))
    return None


def _skip(walk: Iterator[Any], event: Any) -> None:
    """Consume the rest of the value that `event` begins."""
    depth = OPENS.get(type(event), 0)
    while depth:
        depth += OPENS.get(type(next(walk)), 0)
