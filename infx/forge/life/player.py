"""Player: answers as the recorded site did; the n-th same request gets the n-th answer, then the last."""

import json
import threading
from collections import defaultdict
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from infx.forge.life import form
from infx.forge.life.form import Json, Life
from infx.forge.life.tape import as_json

PREFIX = "/api/v3"
Key = tuple[str, str, str, str]


class Player:
    """An ASGI application. `home` is the address at which it is served, without a slash at the end."""

    def __init__(self, life: Life, home: str) -> None:
        self._home = home
        self._answers: dict[Key, list[Json]] = defaultdict(list)
        self._given: dict[Key, int] = defaultdict(int)
        self._lock = threading.Lock()
        self.missed: list[str] = []
        """Requests that are not in the life."""
        for one in life.of("request"):
            wanted = key(one["method"], one["path"], one["query"], one.get("body"))
            self._answers[wanted].append(one)
            if "link" not in one["headers"] and whole(wanted) != wanted:
                self._answers[whole(wanted)].append(one)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        path = scope["raw_path"].decode("ascii", "replace").partition("?")[0].removeprefix(PREFIX)
        query = scope["query_string"].decode("ascii", "replace")
        response = self.answer(request.method, path, query, as_json(await request.body()))
        await response(scope, receive, send)

    def answer(self, method: str, path: str, query: str, body: Any) -> Response:
        wanted = key(method, path, query, self._recorded(body))
        one = self._next(wanted) or self._next(whole(wanted))
        if one is None:
            self.missed.append(f"{method} {path}")
            told = {"message": f"Not Found: this life has no {method} {path}", "status": "404"}
            return Response(json.dumps(told), 404, media_type="application/json")
        data = json.dumps(one["answer"], ensure_ascii=False) if one.get("answer") is not None else ""
        headers = {name: self._here(str(value)) for name, value in one["headers"].items()}
        return Response(self._here(data), one["status"], headers)

    def _next(self, wanted: Key) -> Json | None:
        answers = self._answers.get(wanted)
        if not answers:
            return None
        with self._lock:
            place = self._given[wanted]
            self._given[wanted] += 1
        return answers[min(place, len(answers) - 1)]

    def _here(self, text: str) -> str:
        return text.replace(form.HOME, self._home)

    def _recorded(self, body: Any) -> Any:
        return json.loads(json.dumps(body).replace(self._home, form.HOME))


def key(method: str, path: str, query: str, body: Any) -> Key:
    """What makes two requests the same: the order of query fields and of JSON keys does not."""
    fields = sorted(parse_qsl(query, keep_blank_values=True))
    return method, path.rstrip("/"), json.dumps(fields), json.dumps(body, sort_keys=True)


def whole(wanted: Key) -> Key:
    """The same list without a word on pages: a list of one page answers for every size of page."""
    method, path, query, body = wanted
    fields = [pair for pair in json.loads(query) if pair[0] != "per_page" and pair != ["page", "1"]]
    return method, path, json.dumps(fields), body
