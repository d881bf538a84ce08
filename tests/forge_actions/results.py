"""A small artifact service for these tests: the protocol without rights or expiry."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, quote, urlparse


class Results(ThreadingHTTPServer):
    """`artifacts` holds the archives by run and name; `faults` the next so many answers that are 503."""

    def __init__(self) -> None:
        self.artifacts: dict[str, dict[str, bytes]] = {}
        self.blocks: dict[tuple[str, str], dict[str, bytes]] = {}
        self.faults = 0
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def call(self, method: str, wanted: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        run, name = wanted["workflow_run_backend_id"], wanted.get("name", "")
        mine = self.artifacts.setdefault(run, {})
        blob = f"{self.url}blob?run={run}&name={quote(name)}"
        if method == "CreateArtifact" and name in mine:
            return 409, {"msg": "an artifact with this name already exists on the workflow run"}
        if method == "DeleteArtifact":
            del mine[name]
        names = [one for one in mine if one == wanted.get("name_filter", one)]
        listed = [{"name": one, "databaseId": "7", "size": str(len(mine[one]))} for one in names]
        return 200, {"signedUploadUrl": blob, "signedUrl": blob, "artifactId": "7", "artifacts": listed}


class Handler(BaseHTTPRequestHandler):
    server: Results

    def log_message(self, format: str, *args: object) -> None:
        return

    def _reply(self, code: int, body: bytes = b"") -> None:
        self.send_response(code)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("content-length", 0)))

    def _where(self) -> tuple[str, str]:
        query = parse_qs(urlparse(self.path).query)
        return query["run"][0], query["name"][0]

    def do_POST(self) -> None:
        body = json.loads(self._body())
        if self.server.faults:
            self.server.faults -= 1
            self._reply(503)
            return
        code, answer = self.server.call(self.path.rsplit("/", 1)[1], body)
        self._reply(code, json.dumps(answer).encode())

    def do_PUT(self) -> None:
        body, where = self._body(), self._where()
        query = parse_qs(urlparse(self.path).query)
        blocks = self.server.blocks.setdefault(where, {})
        if query["comp"] == ["block"]:
            blocks[query["blockid"][0]] = body
        else:
            order = re.findall("<Latest>(.*?)</Latest>", body.decode())
            self.server.artifacts[where[0]][where[1]] = b"".join(blocks[name] for name in order)
        self._reply(201)

    def do_GET(self) -> None:
        run, name = self._where()
        self._reply(200, self.server.artifacts[run][name])


@contextmanager
def serving() -> Iterator[Results]:
    server = Results()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
