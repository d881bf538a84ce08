"""The demo engine's frontend: `python -m infx.simulator.router --port 8000 --pd-disaggregation --prefill URL
--decode URL`. A request is computed by a prefill worker, then answered by a decode worker; with
`--worker-urls` each goes to one whole engine. Workers take turns.
"""

import argparse
import asyncio
import itertools
import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import h11
import uvicorn

from infx.simulator.api import MOVED, Receive, Refuse, Send, body, hang_up, head, reply

PIECE = 65536
LOOK_S = 2.0
"""Seconds that a worker may take to say how it is."""


class Router:
    """ASGI application before the workers."""

    def __init__(self, *, prefill: Sequence[str], decode: Sequence[str]) -> None:
        self.workers = [*prefill, *decode]
        self.prefill = itertools.cycle(prefill) if prefill else None
        self.decode = itertools.cycle(decode)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise RuntimeError("only HTTP is served")
        try:
            await self.route(scope["path"], receive, send)
        except Refuse as no:
            await reply(send, {"error": {"message": no.text, "code": no.status}}, no.status)

    async def route(self, path: str, receive: Receive, send: Send) -> None:
        if path == "/health":
            await self.health(send)
        elif path == "/v1/models":
            await relay(next(self.decode), "GET", path, b"", send)
        elif path in ("/v1/completions", "/v1/chat/completions"):
            await self.answer(path, await body(receive), receive, send)
        else:
            raise Refuse(404, "there is no such path")

    async def health(self, send: Send) -> None:
        """Refuse names the first worker that is not well."""
        for url in self.workers:
            with suppress(OSError, TimeoutError, h11.RemoteProtocolError):
                async with asyncio.timeout(LOOK_S):
                    if (await whole(url, "GET", "/health"))[0] == 200:
                        continue
            raise Refuse(503, f"{url} is not ready")
        await reply(send, {})

    async def answer(self, path: str, asked: dict[str, Any], receive: Receive, send: Send) -> None:
        """The client's going away ends the work for it."""
        work = asyncio.create_task(self.work(path, asked, send))
        gone = asyncio.create_task(hang_up(receive))
        await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
        gone.cancel()
        if not work.done():
            work.cancel()
        with suppress(asyncio.CancelledError):
            await work

    async def work(self, path: str, asked: dict[str, Any], send: Send) -> None:
        if self.prefill:
            one = {"max_tokens": 1, "max_completion_tokens": 1, "stream": False, "stream_options": None}
            status, said = await whole(
                next(self.prefill), "POST", path, json.dumps({**asked, **one}).encode()
            )
            if status != 200:
                raise Refuse(status, f"prefill: {said[:300].decode('utf-8', 'replace')}")
            asked = {**asked, MOVED: True}
        await relay(next(self.decode), "POST", path, json.dumps(asked).encode(), send)


async def relay(url: str, method: str, path: str, data: bytes, send: Send) -> None:
    """A worker's answer, piece by piece."""
    begun = False
    try:
        async for event in exchange(url, method, path, data):
            if isinstance(event, h11.Response):
                kind = dict(event.headers).get(b"content-type", b"application/json")
                await send(head(kind.decode(), event.status_code))
                begun = True
            elif isinstance(event, h11.Data):
                await send({"type": "http.response.body", "body": bytes(event.data), "more_body": True})
    except (OSError, h11.RemoteProtocolError) as error:
        # What has begun cannot be taken back: the connection is cut, and the client sees a broken stream.
        if begun:
            raise
        raise Refuse(502, f"{url} does not answer") from error
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def whole(url: str, method: str, path: str, data: bytes = b"") -> tuple[int, bytes]:
    """Status and body of a worker's answer. Refuse when there is none."""
    status, said = 502, b""
    try:
        async for event in exchange(url, method, path, data):
            if isinstance(event, h11.Response):
                status = event.status_code
            elif isinstance(event, h11.Data):
                said += bytes(event.data)
    except (OSError, h11.RemoteProtocolError) as error:
        raise Refuse(502, f"{url} does not answer") from error
    return status, said


async def exchange(url: str, method: str, path: str, data: bytes) -> AsyncIterator[h11.Event]:
    """One request on a connection of its own; the events of its answer."""
    place = urlsplit(url)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    talk = h11.Connection(h11.CLIENT)
    headers = [("host", place.netloc), ("connection", "close"), ("content-length", str(len(data)))]
    try:
        request = h11.Request(
            method=method, target=path, headers=[*headers, ("content-type", "application/json")]
        )
        for event in (request, h11.Data(data=data), h11.EndOfMessage()):
            writer.write(talk.send(event) or b"")
        while True:
            got = talk.next_event()
            if got is h11.NEED_DATA:
                talk.receive_data(await reader.read(PIECE))
            elif isinstance(got, h11.Response | h11.Data):
                yield got
            else:
                return
    finally:
        writer.close()


def parse(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="router", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--pd-disaggregation", action="store_true", help="prompts and answers apart")
    parser.add_argument("--prefill", nargs="+", action="append", default=[], metavar="URL", help="and a port")
    parser.add_argument("--decode", action="append", default=[], metavar="URL")
    parser.add_argument("--worker-urls", nargs="+", default=[], metavar="URL", help="whole engines")
    args = parser.parse_args(argv)
    if args.pd_disaggregation != bool(args.prefill) or not (args.decode or args.worker_urls):
        parser.error("give --pd-disaggregation with --prefill and --decode, or --worker-urls")
    return args


def main() -> None:
    args = parse(sys.argv[1:])
    app = Router(prefill=[words[0] for words in args.prefill], decode=args.decode or args.worker_urls)
    uvicorn.run(app, host=args.host, port=args.port, log_level="warning", access_log=False, lifespan="off")


if __name__ == "__main__":
    main()
