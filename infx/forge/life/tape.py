"""Tape: collects a life while it happens. Addresses of the site become `forge.invalid` at once."""

import json
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from infx.forge.life import form, scrub
from infx.forge.life.form import Json, Life

HEADERS = ("content-type", "link", "location", "retry-after")
"""All of an answer's headers that are kept."""


class Tape:
    """Safe from any thread. What goes beyond `limit` bytes is left out, and the file says so."""

    def __init__(self, *, source: str, home: str, api: str, limit: int = form.TOTAL) -> None:
        self._source, self._home, self._api, self._left = source, home, api, limit
        self._lock = threading.Lock()
        self._lines: list[str] = []
        self._complete = True
        self._at = stamp(datetime.now(UTC).timestamp())

    def request(self, method: str, path: str, query: str, *, body: bytes, answer: "Answer") -> None:
        """`path` without the prefix of the API."""
        self._put(
            {
                "kind": "request",
                "method": method,
                "path": path,
                "query": query,
                "body": as_json(body),
                "status": answer.status,
                "headers": {name: answer.headers[name] for name in HEADERS if name in answer.headers},
                "answer": as_json(answer.body),
            }
        )

    def event(self, name: str, payload: Mapping[str, Any], **more: Any) -> None:
        self._put({"kind": "event", "name": name, "payload": dict(payload), **more})

    def _put(self, entry: Json) -> None:
        line = json.dumps(entry, ensure_ascii=False)
        line = line.replace(self._api, form.API).replace(self._home, form.HOME)
        with self._lock:
            self._left -= len(line.encode("utf-8", "replace")) + 1
            if self._left < 0:
                self._complete = False
            if self._complete:
                self._lines.append(line)

    def life(self) -> Life:
        """As it stands now, with nothing in it that names a person or opens a door."""
        with self._lock:
            entries = [json.loads(line) for line in self._lines]
        clean = scrub.scrub(entries)
        return Life(source=self._source, at=self._at, complete=self._complete, entries=clean)

    def save(self, path: Path) -> Life:
        made = self.life()
        form.write(path, made)
        return made


class Answer:
    """What came back for a request."""

    def __init__(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.status, self.body = status, body
        self.headers = {name.lower(): value for name, value in headers.items()}


def as_json(data: bytes) -> Any:
    """The body; text that is no JSON is left out."""
    try:
        return json.loads(data) if data else None
    except (ValueError, RecursionError):
        return None


def stamp(now: float) -> str:
    return datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
