"""Strikes: what the fault rules of requests (`faults`) do to an answer, in memory and on the wire."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from starlette.responses import Response
from starlette.types import Message, Send

from infx.forge.faults import Rule
from infx.forge.problem import Problem
from infx.forge.site import Site

SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."


async def before(rules: Sequence[Rule], site: Site) -> Response | None:
    """The answer of a rule that keeps the request from being done; None when it goes on."""
    for rule in rules:
        if rule.kind == "slow":
            await asyncio.sleep(rule.seconds)
        elif rule.kind == "error_before":
            return failed(rule)
        elif rule.kind == "primary_limit":
            return limited(int(site.now() + rule.seconds))
        elif rule.kind == "secondary_limit":
            return problem(Problem(403, SECONDARY, headers={"Retry-After": f"{rule.seconds:.0f}"}))
    return None


def after(rules: Sequence[Rule], response: Response) -> Response:
    """The answer as the rules leave it, once the request was done."""
    for rule in rules:
        if rule.kind == "error_after":
            response = failed(rule)
        elif rule.kind == "broken_page":
            half = bytes(response.body)[: len(response.body) // 2]
            response = Response(half, response.status_code, media_type=response.media_type)
    return response


def wire(rules: Sequence[Rule], send: Send) -> Send:
    """`send` that goes silent where a rule says so."""
    kinds = {rule.kind for rule in rules}
    if "lost" in kinds:
        return Cut(send, share=0.0)
    return Cut(send, share=0.5) if "truncated" in kinds else send


def failed(rule: Rule) -> Response:
    return problem(Problem(rule.status, "Server Error"))


def limited(reset: int) -> Response:
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(reset)}
    return problem(Problem(403, "API rate limit exceeded for this token.", headers=headers))


def problem(error: Problem) -> Response:
    return Response(
        json.dumps(error.as_json()), error.status, error.headers, media_type="application/json; charset=utf-8"
    )


class Cut:
    """Passes on the first `share` of the body, then closes the connection."""

    def __init__(self, send: Send, *, share: float) -> None:
        self._send, self._share, self._left = send, share, 0
        self._closed = False

    async def __call__(self, message: Message) -> None:
        if self._closed:
            return
        if message["type"] == "http.response.start" and self._share:
            length = dict(message["headers"]).get(b"content-length", b"0")
            self._left = int(int(length) * self._share)
            await self._send(message)
            return
        body = message.get("body", b"")[: self._left]
        self._left -= len(body)
        if body:
            await self._send({"type": "http.response.body", "body": body, "more_body": True})
        if not self._left:
            await self._close()

    async def _close(self) -> None:
        """ASGI has no word for a lost connection, so this reaches for uvicorn's own transport."""
        self._closed = True
        cycle: Any = getattr(self._send, "__self__")  # noqa: B009
        cycle.transport.close()
        while not cycle.disconnected:
            await asyncio.sleep(0.001)
