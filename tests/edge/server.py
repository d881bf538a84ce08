"""A GitHub of one thread on 127.0.0.1: answers from a script, and remembers what it was asked."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from infx.edge.api import Api
from infx.edge.github import GitHub


@dataclass
class Reply:
    """One answer; `body` is JSON unless it is bytes."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Asked:
    verb: str
    path: str
    query: dict[str, str]
    body: Any
    headers: dict[str, str]


class Server:
    """`faults` are given out first, in order; then `routes` by verb and path."""

    def __init__(self) -> None:
        self.routes: dict[str, Callable[[Asked], Reply] | Reply] = {}
        self.faults: list[Reply] = []
        self.asked: list[Asked] = []
        self.slept: list[float] = []
        self.url = ""

    def answer(self, asked: Asked) -> Reply:
        self.asked.append(asked)
        route = self.routes.get(f"{asked.verb} {asked.path}", Reply(404, {"message": "Not Found"}))
        if self.faults:
            fault = self.faults.pop(0)
            if fault.headers.pop("x-written", ""):
                _ = route(asked) if callable(route) else None
            return fault
        return route(asked) if callable(route) else route

    def pages(self, path: str, items: list[Any], *, key: str = "", total: int | None = None) -> None:
        """Serve a list in pages of the asked size, with `Link` headers."""

        def serve(asked: Asked) -> Reply:
            size, page = int(asked.query.get("per_page", 30)), int(asked.query.get("page", 1))
            part = items[(page - 1) * size : page * size]
            link = f'<{self.url}{path}?per_page={size}&page={page + 1}>; rel="next", <{self.url}>; rel="last"'
            count = len(items) if total is None else total
            body = {"total_count": count, key: part} if key else part
            return Reply(200, body, {"Link": link} if page * size < len(items) else {})

        self.routes[f"GET {path}"] = serve

    def github(self) -> GitHub:
        api = Api("t0ken", self.url, sleep=self.slept.append, now=lambda: 1_000.0)
        return GitHub("acme/bench", "t0ken", self.url, api=api)


def handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def serve(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            parts = urlsplit(self.path)
            asked = Asked(
                self.command,
                parts.path,
                {name: values[0] for name, values in parse_qs(parts.query).items()},
                json.loads(self.rfile.read(size)) if size else None,
                {name.lower(): value for name, value in self.headers.items()},
            )
            reply = server.answer(asked)
            data = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            data = b"" if reply.body is None else data
            self.send_response(reply.status)
            for name, value in {**reply.headers, "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_HEAD = do_POST = do_PATCH = do_DELETE = serve  # noqa: N815  # names of the library

        def log_message(self, *args: Any) -> None:
            """Quiet: tests look at `asked`."""

    return Handler


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    listener = ThreadingHTTPServer(("127.0.0.1", 0), handler(server))
    listener.daemon_threads = True
    thread = Thread(target=listener.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    server.url = f"http://127.0.0.1:{listener.server_address[1]}"
    try:
        yield server
    finally:
        listener.shutdown()
        listener.server_close()
        thread.join()
