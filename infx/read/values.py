"""YAML events to plain values, with the safe loader's meaning of scalars, and no key twice."""

from collections.abc import Hashable, Iterable
from typing import Any

import yaml
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

from infx.errors import BadInput
from infx.read.events import OPENS

_COLLECTION_TAGS = {None, "!", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"}
_MERGE_TAG = "tag:yaml.org,2002:merge"
_TEXT_TAG = "tag:yaml.org,2002:str"
_MERGE = object()
_NO_KEY = object()
LONGEST = 400
"""Most characters of a scalar that is not text; the longest float in decimal has 327."""


class _Frame:
    """One collection under construction."""

    __slots__ = ("anchor", "key", "merged", "value")

    def __init__(self, value: Any, anchor: str | None) -> None:
        self.value, self.anchor = value, anchor
        self.key: Any = _NO_KEY
        self.merged: list[Any] = []


class Builder:
    """Builds one document. A plain scalar that is met again is resolved once."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._plain: dict[str, Any] = {}
        self._anchors: dict[str, Any] = {}
        self._resolver: Any = Resolver()
        self._constructor: Any = SafeConstructor()

    def build(self, events: Iterable[Any]) -> Any:
        """The document's value, None when there is no event. BadInput with `where:line`."""
        root = _Frame([], None)
        stack = [root]
        for event in events:
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._put(stack[-1], self._scalar(event), event)
            elif kind is yaml.AliasEvent:
                self._put(stack[-1], self._alias(event), event)
            elif OPENS[kind] == 1:
                frame = _Frame(self._empty(event), event.anchor)
                self._put(stack[-1], frame.value, event)
                stack.append(frame)
            else:
                self._close(stack.pop(), event)
        return root.value[0] if root.value else None

    def _empty(self, event: Any) -> Any:
        if event.tag not in _COLLECTION_TAGS:
            raise self._refuse(f"tag {event.tag} is not allowed", event, todo="leave the tag out")
        return {} if type(event) is yaml.MappingStartEvent else []

    def _put(self, frame: _Frame, value: Any, event: Any) -> None:
        inside = frame.value
        if type(inside) is list:
            inside.append(value)
        elif frame.key is _NO_KEY:
            if not isinstance(value, Hashable):
                raise self._refuse("a list or mapping stands as a key", event, todo="use text as keys")
            if value in inside:
                raise self._refuse(f"key `{str(value)[:100]}` is here twice", event, todo="keep one of them")
            frame.key = value
        elif frame.key is _MERGE:
            frame.merged.append(value)
            frame.key = _NO_KEY
        else:
            inside[frame.key] = value
            frame.key = _NO_KEY

    def _close(self, frame: _Frame, event: Any) -> None:
        # `<<` adds keys that the mapping does not write itself; of several sources the first wins.
        sources = [one for given in frame.merged for one in (given if type(given) is list else [given])]
        for source in sources:
            if type(source) is not dict:
                raise self._refuse("`<<` wants a mapping", event, todo="merge an anchored mapping")
            for key, value in source.items():
                frame.value.setdefault(key, value)
        if frame.anchor:
            self._anchors[frame.anchor] = frame.value

    def _alias(self, event: Any) -> Any:
        if event.anchor not in self._anchors:
            what = f"alias *{event.anchor} names no anchor that is complete before it"
            raise self._refuse(what, event, todo="write the value out; a value cannot hold itself")
        return self._anchors[event.anchor]

    def _scalar(self, event: Any) -> Any:
        text: str = event.value
        if event.tag is None and event.implicit[0]:
            if text not in self._plain:
                tag = self._resolver.resolve(yaml.ScalarNode, text, (True, False))
                self._plain[text] = self._resolved(event, tag)
            value = self._plain[text]
        elif event.tag is None or event.tag == "!":
            value = text
        else:
            value = self._resolved(event, event.tag)
        if event.anchor:
            self._anchors[event.anchor] = value
        return value

    def _resolved(self, event: Any, tag: str) -> Any:
        if tag == _MERGE_TAG:
            return _MERGE
        if len(event.value) > LONGEST and tag != _TEXT_TAG:
            # PyYAML needs hours for a megabyte of `1:59:59:…`; Python refuses numbers beyond 4,300 digits.
            raise self._refuse(f"a number of {len(event.value)} characters", event, todo="quote it")
        node = yaml.ScalarNode(tag, event.value, event.start_mark, event.end_mark)
        try:
            return self._constructor.construct_object(node)
        except (ArithmeticError, AttributeError, LookupError, ValueError) as error:
            # PyYAML's scalar constructors let these through on text that only looks like a number or date.
            raise self._refuse(
                f"{event.value[:40]!r} does not fit its tag", event, todo="quote it"
            ) from error

    def _refuse(self, what: str, event: Any, *, todo: str) -> BadInput:
        return BadInput(what, where=f"{self._where}:{event.start_mark.line + 1}", todo=todo)
