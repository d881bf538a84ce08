"""YAML from people we do not know: bounded before anything is built, strict, and able to name a value's line."""

import gc
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any

import yaml
from yaml.constructor import SafeConstructor
from yaml.cyaml import CParser
from yaml.resolver import Resolver

from infx.errors import BadInput

MAX_BYTES = 8 * 1024 * 1024
MAX_EVENTS = 600_000
"""Parser events with every alias written out; the biggest real master file has 25,000."""
MAX_DEPTH = 100

Path = tuple[str | int, ...]
"""Keys and list positions that lead from the document to a value."""

_STARTS = (yaml.SequenceStartEvent, yaml.MappingStartEvent)
_ENDS = (yaml.SequenceEndEvent, yaml.MappingEndEvent)
_COLLECTION_TAGS = {None, "!", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"}
_MERGE_TAG = "tag:yaml.org,2002:merge"
_MERGE = object()
_NO_KEY = object()


def load(data: bytes | str, *, where: str) -> Any:
    """The one document of `data` as plain values, None when it is empty. BadInput with `where:line`."""
    text = _text(data, where)
    try:
        with no_collector():
            _measure(text, where)
            return _Builder(where).build(text)
    except yaml.YAMLError as error:
        raise _syntax(error, where) from error


def line_of(data: bytes | str, path: Path) -> int:
    """Line, from 1, of the key or list element that `path` names, or of its nearest parent that is there."""
    events = _events(_text(data, ""))
    event, line = next(events), 1
    for step in path:
        found = _step(events, event, step)
        if found is None:
            break
        line, event = found
    return line


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


def _events(text: str) -> Iterator[Any]:
    """Events between the start and the end of the one document."""
    parser = CParser(text)
    parser.get_event()
    if isinstance(parser.peek_event(), yaml.StreamEndEvent):
        return
    parser.get_event()
    while not isinstance(event := parser.get_event(), yaml.DocumentEndEvent):
        yield event
    extra = parser.get_event()
    if not isinstance(extra, yaml.StreamEndEvent):
        raise yaml.MarkedYAMLError(problem="a second document", problem_mark=extra.start_mark)


def _measure(text: str, where: str) -> None:
    """Refuse by size and depth, counting what aliases would repeat, before a single value is built."""
    count, open_ones = 0, [[0, 0, None]]  # events before it, height of what is inside, anchor
    anchors: dict[str, tuple[int, int]] = {}
    for event in _events(text):
        count += 1
        if isinstance(event, _STARTS):
            open_ones.append([count, 0, event.anchor])
        elif isinstance(event, _ENDS):
            before, height, anchor = open_ones.pop()
            open_ones[-1][1] = max(open_ones[-1][1], height + 1)
            if anchor:
                anchors[anchor] = (count - before, height + 1)
        elif isinstance(event, yaml.AliasEvent):
            # An unknown or unfinished anchor is the builder's to refuse.
            size, height = anchors.get(event.anchor, (0, 0))
            count += size
            open_ones[-1][1] = max(open_ones[-1][1], height)
        if count > MAX_EVENTS or len(open_ones) - 1 + open_ones[-1][1] > MAX_DEPTH:
            what = f"more than {MAX_EVENTS} values" if count > MAX_EVENTS else f"nested over {MAX_DEPTH} deep"
            line = event.start_mark.line + 1
            raise BadInput(what, where=f"{where}:{line}", todo="split or flatten the document")


def _syntax(error: yaml.YAMLError, where: str) -> BadInput:
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    tab = "\\t" in what or "tab" in what
    return BadInput(
        f"not valid YAML ({what})",
        where=f"{where}:{mark.line + 1}:{mark.column + 1}" if mark else where,
        todo="indent with spaces, not tabs" if tab else "mend the syntax here or just above",
    )


def _skip(events: Iterator[Any], event: Any) -> None:
    """Consume the rest of the value that `event` begins."""
    depth = isinstance(event, _STARTS)
    while depth:
        event = next(events)
        depth += isinstance(event, _STARTS) - isinstance(event, _ENDS)


def _step(events: Iterator[Any], event: Any, step: str | int) -> tuple[int, Any] | None:
    """Line of child `step` of the collection that `event` begins, and the event that begins the child."""
    if isinstance(event, yaml.SequenceStartEvent):
        for at, child in enumerate(events):
            if at == step and not isinstance(child, _ENDS):
                return child.start_mark.line + 1, child
            if isinstance(child, _ENDS):
                return None
            _skip(events, child)
    if isinstance(event, yaml.MappingStartEvent):
        for key in events:
            if isinstance(key, _ENDS):
                return None
            if isinstance(key, yaml.ScalarEvent) and key.value == str(step):
                return key.start_mark.line + 1, next(events)
            _skip(events, key)
            _skip(events, next(events))
    return None


class _Frame:
    """One collection under construction."""

    __slots__ = ("anchor", "key", "line", "merged", "value")

    def __init__(self, value: dict[Any, Any] | list[Any], event: Any) -> None:
        self.value = value
        self.anchor = event.anchor
        self.key: Any = _NO_KEY
        self.line = 0
        self.merged: list[Any] = []


class _Builder:
    """Events to values. Scalars mean what PyYAML's safe loader says; a repeated plain one is resolved once."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.plain: dict[str, Any] = {}
        self.anchors: dict[str, Any] = {}
        self.resolver = Resolver()
        self.constructor = SafeConstructor()

    def build(self, text: str) -> Any:
        root = _Frame([], yaml.SequenceStartEvent(None, None, True))
        stack = [root]
        for event in _events(text):
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._put(stack[-1], self._scalar(event), event)
            elif kind is yaml.AliasEvent:
                self._put(stack[-1], self._alias(event), event)
            elif kind is yaml.SequenceEndEvent or kind is yaml.MappingEndEvent:
                frame = stack.pop()
                if frame.anchor:
                    self.anchors[frame.anchor] = frame.value
                if frame.merged:
                    self._merge(frame, event)
            else:
                frame = self._open(event)
                self._put(stack[-1], frame.value, event)
                stack.append(frame)
        return root.value[0] if root.value else None

    def _open(self, event: Any) -> _Frame:
        if event.tag not in _COLLECTION_TAGS:
            raise self._refuse(f"tag {event.tag} is not allowed", event, "leave the tag out")
        return _Frame({} if isinstance(event, yaml.MappingStartEvent) else [], event)

    def _put(self, frame: _Frame, value: Any, event: Any) -> None:
        inside = frame.value
        if type(inside) is list:
            inside.append(value)
        elif frame.key is _NO_KEY:
            self._check_key(inside, value, event)
            frame.key = value
        else:
            if frame.key is _MERGE:
                frame.merged += value if isinstance(value, list) else [value]
            else:
                inside[frame.key] = value
            frame.key = _NO_KEY

    def _check_key(self, inside: dict[Any, Any], key: Any, event: Any) -> None:
        if not isinstance(key, Hashable):
            raise self._refuse("a list or mapping as a key", event, "use text as keys")
        if key in inside:
            raise self._refuse(f"key {key!r} is here twice", event, "keep one of them")

    def _merge(self, frame: _Frame, event: Any) -> None:
        """`<<`: keys that the mapping does not write itself, the first source winning."""
        for source in frame.merged:
            if not isinstance(source, dict):
                raise self._refuse("`<<` wants a mapping", event, "merge an anchored mapping")
            for key, value in source.items():
                frame.value.setdefault(key, value)  # type: ignore[union-attr]

    def _alias(self, event: Any) -> Any:
        if event.anchor not in self.anchors:
            raise self._refuse(
                f"alias *{event.anchor} has no finished anchor before it", event, "write the value out"
            )
        return self.anchors[event.anchor]

    def _scalar(self, event: Any) -> Any:
        text: str = event.value
        if event.tag is None and event.implicit[0]:
            if text not in self.plain:
                self.plain[text] = self._resolve(event, self.resolver.resolve(yaml.ScalarNode, text, (True, False)))
            value = self.plain[text]
        elif event.tag in (None, "!"):
            value = text
        else:
            value = self._resolve(event, event.tag)
        if event.anchor:
            self.anchors[event.anchor] = value
        return value

    def _resolve(self, event: Any, tag: str) -> Any:
        if tag == _MERGE_TAG:
            return _MERGE
        node = yaml.ScalarNode(tag, event.value, event.start_mark, event.end_mark)
        try:
            return self.constructor.construct_object(node)  # type: ignore[no-untyped-call]
        except (ValueError, KeyError, AttributeError, OverflowError) as error:
            raise self._refuse(f"{event.value[:40]!r} is no value of tag {tag}", event, "quote it") from error

    def _refuse(self, what: str, event: Any, todo: str) -> BadInput:
        return BadInput(what, where=f"{self.where}:{event.start_mark.line + 1}", todo=todo)
