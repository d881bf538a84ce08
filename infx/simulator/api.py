"""The HTTP face: models, health, completions and chat completions, whole or streamed, as raw ASGI."""

import asyncio
import itertools
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from infx.simulator.answers import answer, filler
from infx.simulator.engine import DECODE, PREFILL, Engine
from infx.simulator.model import Sequence
from infx.simulator.prefix import Prefixes

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
MOVED = "kv-moved"
"""Field of a request whose prompt another engine has computed; our router adds it."""
BODY_LIMIT = 16 * 1024 * 1024
"""Bytes of one request."""


class Refuse(Exception):
    """An answer other than 200."""

    def __init__(self, status: int, text: str) -> None:
        self.status, self.text = status, text
        super().__init__(text)


@dataclass(frozen=True, kw_only=True)
class Ask:
    """One request, checked."""

    chat: bool
    prompt: str
    text: str
    """The whole answer; one token a byte."""
    finish: str
    stream: bool
    usage: bool
    moved: bool
    """The prompt was computed elsewhere."""


class App:
    """ASGI application over one engine."""

    def __init__(
        self,
        engine: Engine,
        *,
        model: str,
        accuracy: float,
        max_model_len: int,
        load_s: float,
        prefixes: Prefixes | None,
    ) -> None:
        self.engine, self.model, self.accuracy = engine, model, accuracy
        self.max_model_len, self.prefixes = max_model_len, prefixes
        self.ready_at = time.monotonic() + load_s
        self.numbers = itertools.count(1)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.lifespan(receive, send)
            return
        try:
            await self.route(scope, receive, send)
        except Refuse as no:
            await reply(send, {"error": {"message": no.text, "code": no.status}}, no.status)

    async def lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        task = asyncio.create_task(self.engine.run())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        task.cancel()
        await send({"type": "lifespan.shutdown.complete"})

    async def route(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        path = scope["path"]
        loading = time.monotonic() < self.ready_at
        if loading and not self.engine.faults.early:
            raise Refuse(503, "loading")
        if path == "/health":
            await reply(send, {})
        elif path == "/v1/models":
            await reply(send, {"object": "list", "data": [{"id": self.model, "object": "model"}]})
        elif path not in ("/v1/completions", "/v1/chat/completions"):
            raise Refuse(404, "there is no such path")
        else:
            ask = self.parse(await body(receive), chat="chat" in path)
            empty = loading or (self.engine.faults.zero_tokens and ask.stream)
            await (self.nothing(ask, send) if empty else self.serve(ask, receive, send))

    def parse(self, asked: dict[str, Any], *, chat: bool) -> Ask:
        """The request, checked. Refuse says which field is wrong."""
        if asked.get("model") not in (None, self.model):
            raise Refuse(404, f"the model {asked['model']!r} is not served here")
        prompt = template(asked["messages"]) if chat else asked.get("prompt", "")
        if isinstance(prompt, list):
            prompt = prompt[0] if prompt and isinstance(prompt[0], str) else ""
        size = len(prompt.encode())
        limit = asked.get("max_completion_tokens") or asked.get("max_tokens") or 16
        if not prompt or size + limit > self.max_model_len:
            raise Refuse(
                400, f"{size} + {limit} tokens do not fit into {self.max_model_len}, or nothing was asked"
            )
        self.mine(asked, limit)
        text, finish = self.words(prompt, limit, asked)
        wants = (asked.get("stream_options") or {}).get("include_usage", False)
        return Ask(
            chat=chat,
            prompt=prompt,
            text=text,
            finish=finish,
            stream=bool(asked.get("stream")),
            usage=wants,
            moved=bool(asked.get(MOVED)),
        )

    def mine(self, asked: dict[str, Any], limit: int) -> None:
        """Refuse what the other half of a disaggregated engine has to do."""
        if self.engine.role == PREFILL and limit != 1:
            raise Refuse(400, "a prefill worker makes one token")
        if self.engine.role == DECODE and not asked.get(MOVED):
            raise Refuse(400, "a decode worker needs a prompt that was computed elsewhere")

    def words(self, prompt: str, limit: int, asked: dict[str, Any]) -> tuple[str, str]:
        """Answer text and why it ends."""
        known = answer(prompt, self.accuracy)
        if known is None or asked.get("ignore_eos"):
            return ((known or "") + filler(limit))[:limit], "length"
        stops = asked.get("stop") or []
        for stop in [stops] if isinstance(stops, str) else stops:
            known = known.partition(stop)[0] or known
        return known[:limit], "stop" if len(known) <= limit else "length"

    async def serve(self, ask: Ask, receive: Receive, send: Send) -> None:
        tokens = ask.prompt.encode()
        cached = self.prefixes.cached(tokens) if self.prefixes else 0
        known = len(tokens) if ask.moved else cached
        sequence = Sequence(prompt=len(tokens), output=len(ask.text), cached=known)
        queue = self.engine.submit(sequence)
        gone = asyncio.create_task(hang_up(receive))
        gone.add_done_callback(lambda _: self.engine.drop(sequence))
        try:
            if ask.stream:
                await self.stream(ask, queue, send, cached)
            else:
                for _ in ask.text:
                    await queue.get()
                await reply(send, self.whole(ask, cached))
            if self.prefixes:
                self.prefixes.learn(tokens + ask.text.encode())
        finally:
            gone.cancel()
            self.engine.drop(sequence)

    async def stream(self, ask: Ask, queue: asyncio.Queue[None], send: Send, cached: int) -> None:
        await send(head("text/event-stream"))
        name = f"sim-{next(self.numbers)}"
        async for index, letter in letters(ask.text, queue):
            finish = ask.finish if index == len(ask.text) - 1 else None
            event = json.dumps(self.chunk(ask, name, letter, finish))
            if self.engine.faults.malformed and index % 3 == 2:
                event = event[: len(event) // 2]
            await send(part(f"data: {event}\n\n"))
        if ask.usage:
            tail = {**self.chunk(ask, name, "", None), "choices": [], "usage": self.usage(ask, cached)}
            await send(part(f"data: {json.dumps(tail)}\n\n"))
        await send(part("data: [DONE]\n\n", more=False))

    async def nothing(self, ask: Ask, send: Send) -> None:
        """A well-formed answer without a token."""
        empty = replace(ask, text="", finish="stop")
        if ask.stream:
            await self.stream(empty, asyncio.Queue(), send, 0)
        else:
            await reply(send, self.whole(empty, 0))

    def chunk(self, ask: Ask, name: str, text: str, finish: str | None) -> dict[str, Any]:
        said: dict[str, Any] = {"delta": {"content": text}} if ask.chat else {"text": text}
        return {
            "id": name,
            "object": "chat.completion.chunk" if ask.chat else "text_completion",
            "created": int(time.time()),
            "model": self.model,
            "choices": [{"index": 0, **said, "finish_reason": finish}],
        }

    def whole(self, ask: Ask, cached: int) -> dict[str, Any]:
        said: dict[str, Any] = (
            {"message": {"role": "assistant", "content": ask.text}} if ask.chat else {"text": ask.text}
        )
        return {
            "id": f"sim-{next(self.numbers)}",
            "object": "chat.completion" if ask.chat else "text_completion",
            "created": int(time.time()),
            "model": self.model,
            "choices": [{"index": 0, **said, "logprobs": None, "finish_reason": ask.finish}],
            "usage": self.usage(ask, cached),
        }

    def usage(self, ask: Ask, cached: int) -> dict[str, Any]:
        size = len(ask.prompt.encode())
        return {
            "prompt_tokens": size,
            "completion_tokens": len(ask.text),
            "total_tokens": size + len(ask.text),
            "prompt_tokens_details": {"cached_tokens": cached},
        }


def template(messages: list[dict[str, Any]]) -> str:
    """The chat template: role letter, content, line end."""
    return "".join(f"{message['role'][:1]}:{message.get('content') or ''}\n" for message in messages) + "a:"


async def letters(text: str, queue: asyncio.Queue[None]) -> AsyncIterator[tuple[int, str]]:
    for index, letter in enumerate(text):
        await queue.get()
        yield index, letter


async def body(receive: Receive) -> dict[str, Any]:
    data = b""
    while True:
        message = await receive()
        data += message.get("body", b"")
        if len(data) > BODY_LIMIT:
            raise Refuse(413, "the request is too large")
        if not message.get("more_body"):
            break
    try:
        asked = json.loads(data)
    except ValueError as error:
        raise Refuse(400, "the request is not JSON") from error
    if not isinstance(asked, dict):
        raise Refuse(400, "the request is not an object")
    return asked


async def hang_up(receive: Receive) -> None:
    """Ends when the client goes away."""
    while (await receive())["type"] != "http.disconnect":
        pass


def head(kind: str, status: int = 200) -> dict[str, Any]:
    return {
        "type": "http.response.start",
        "status": status,
        "headers": [(b"content-type", kind.encode())],
    }


def part(text: str, *, more: bool = True) -> dict[str, Any]:
    return {"type": "http.response.body", "body": text.encode(), "more_body": more}


async def reply(send: Send, value: Any, status: int = 200) -> None:
    await send(head("application/json", status))
    await send(part(json.dumps(value), more=False))
