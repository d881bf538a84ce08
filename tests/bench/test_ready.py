import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from infx.bench.ready import probe

GOOD = {"model": "m", "choices": [{"text": "2"}], "usage": {"completion_tokens": 1}}


class Face(BaseHTTPRequestHandler):
    status, body = 200, b""

    def log_message(self, *_: Any) -> None: ...

    def do_POST(self) -> None:
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(self.body)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Face) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("answer", "status", "ready"),
    [
        (GOOD, 200, True),
        (GOOD, 503, False),
        ({**GOOD, "model": "other"}, 200, False),
        ({**GOOD, "choices": []}, 200, False),
        ({**GOOD, "usage": {"completion_tokens": 0}}, 200, False),
        ({**GOOD, "usage": None}, 200, False),
        ([], 200, False),
    ],
)
def test_only_a_token_of_the_right_model_is_ready(url: str, answer: Any, status: int, ready: bool) -> None:
    Face.status, Face.body = status, json.dumps(answer).encode()
    assert probe(url, "m") is ready


def test_nobody_there_and_no_json_are_not_ready(url: str) -> None:
    Face.status, Face.body = 200, b"<html>"
    assert probe(url, "m") is False
    assert probe("http://127.0.0.1:1", "m") is False
