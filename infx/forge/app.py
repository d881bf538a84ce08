"""The ASGI application: finds the route, asks who calls, permits, answers, and writes the request log."""

import json
import secrets
import time
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from infx.errors import BadInput, Refused
from infx.forge import blobs, docs, fresh, gitdoor, strikes, tokens
from infx.forge.artifacts import SERVICE, Artifacts
from infx.forge.budget import Budget
from infx.forge.life.tape import Answer, Tape
from infx.forge.pace import Pace
from infx.forge.ports import Engine
from infx.forge.problem import Problem, not_found
from infx.forge.rest import ROUTES
from infx.forge.rest.route import NOTHING, Call, Reply, Route
from infx.forge.site import Request, Site
from infx.forge.store import TableStore
from infx.forge.visit import NOBODY, Caller

if TYPE_CHECKING:
    from infx.forge.look.door import Look

PREFIX = "/api/v3"
CACHED = {
    "Cache-Control": "private, max-age=60, s-maxage=60",
    "Vary": "Accept, Authorization, Cookie, X-GitHub-OTP, Accept-Encoding, Accept, X-Requested-With",
}
ANY_LENGTH = -1
"""Instead of the number of slashes, for routes with a parameter that may hold some."""
BODY_LIMIT = 26 * 1024 * 1024
"""Bytes of a JSON body, more than the largest content that GitHub takes."""


@dataclass(frozen=True, kw_only=True)
class Services:
    """What handlers use beyond the tables."""

    engine: Engine
    files: Artifacts
    budget: Budget
    pace: Pace


@dataclass(kw_only=True)
class Exchange:
    """One request and what is known of it so far."""

    method: str
    path: str
    query: str
    headers: Any
    body: bytes | None
    """None: more than `BODY_LIMIT`."""
    caller: Caller = NOBODY


class App:
    """REST under `/api/v3` and at the root, the artifact service, signed addresses, and pages for people."""

    def __init__(self, site: Site, store: TableStore, services: Services) -> None:
        self._site, self._store, self._services = site, store, services
        self._routes: dict[tuple[str, str, int], list[Route]] = defaultdict(list)
        for one in sorted(ROUTES, key=lambda one: (one.path.endswith(":path}"), one.path.count("{"))):
            length = ANY_LENGTH if ":path}" in one.path else one.path.count("/")
            self._routes[one.method, first_word(one.path), length].append(one)

    @cached_property
    def _look(self) -> "Look":
        from infx.forge.look.door import Look  # programs that use `/api/v3` never look

        return Look(self._site, self._store, self._services.files)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request = HttpRequest(scope, receive)
        path = scope["path"]
        struck = self._site.faults.request(request.method, path.removeprefix(PREFIX))
        response = await strikes.before(struck, self._site)
        if response is None:
            response = await self._served(request, path)
        if struck:
            response = strikes.after(struck, response)
            send = strikes.wire(struck, send)
        await response(scope, receive, send)

    async def _served(self, request: HttpRequest, path: str) -> Response:
        if path.startswith(blobs.PATH):
            return await blobs.serve(request, self._store, self._services.files)
        wanted = (request.method, path, request.headers.get("accept", ""))
        if not path.startswith(f"{PREFIX}/") and self._look.wants(*wanted):
            return await run_in_threadpool(self._look.answer, path)
        exchange = Exchange(
            method=request.method,
            path=request.scope["raw_path"].decode("ascii", "replace").partition("?")[0],
            query=request.scope["query_string"].decode("ascii", "replace"),
            headers=request.headers,
            body=await bounded(request),
        )
        return await run_in_threadpool(self.answer, exchange)

    def answer(self, exchange: Exchange) -> Response:
        """Everything but the network."""
        start = time.perf_counter()
        try:
            response = self._response(exchange, self._reply(exchange))
        except Problem as problem:
            response = self._refusal(exchange, problem)
        except Refused as no:
            response = self._refusal(exchange, Problem(403, no.sentence))
        except BadInput as bad:
            response = self._refusal(exchange, Problem(422, bad.sentence))
        if self._site.tape:
            self._record(self._site.tape, exchange, response)
        self._note(exchange, response.status_code, (time.perf_counter() - start) * 1000)
        return response

    def _refusal(self, exchange: Exchange, problem: Problem) -> Response:
        page = docs.address(exchange.method, exchange.path.removeprefix(PREFIX))
        body = {**problem.as_json(), "documentation_url": page}
        return self._response(exchange, Reply(body, problem.status, problem.headers))

    def _reply(self, exchange: Exchange) -> Reply:
        if exchange.path in (gitdoor.BEFORE, gitdoor.AFTER):
            gitdoor.answer(self._site, exchange.path, parsed(exchange.body))
            return NOTHING
        if exchange.path.startswith(SERVICE):
            wanted = parsed(exchange.body)
            return Reply(blobs.twirp(self._services.files, exchange.path, exchange.headers, wanted))
        path = exchange.path.removeprefix(PREFIX).rstrip("/") or "/"
        exchange.caller = tokens.caller_of(self._site, exchange.headers.get("authorization", ""))
        self._services.budget.take(exchange.caller)
        moment = self._site.now()
        with self._services.pace.admit(exchange.caller, exchange.method, first_word(path), now=moment):
            return self._routed(exchange, path)

    def _routed(self, exchange: Exchange, path: str) -> Reply:
        """What the handler of the path says, once the caller may ask it."""
        route, params = self._find("GET" if exchange.method == "HEAD" else exchange.method, path)
        call = Call(
            site=self._site,
            store=self._store,
            caller=exchange.caller,
            method=exchange.method,
            path=path,
            params=params,
            query=dict(parse_qsl(exchange.query, keep_blank_values=True)),
            body=parsed(exchange.body),
            services=self._services,
        )
        if any("\0" in value for value in params.values()):
            raise not_found()
        if "repo" in params:
            tokens.admit(call.at)
        if route.need:
            tokens.permit(call.at, route.need, role=route.role)
        return route.handler(call)

    def _find(self, method: str, path: str) -> tuple[Route, dict[str, str]]:
        word = first_word(path)
        for length in (path.count("/"), ANY_LENGTH):
            for one in self._routes.get((method, word, length), ()):
                found = one.pattern.fullmatch(path)
                if found:
                    return one, {name: unquote(value) for name, value in found.groupdict().items()}
        self._site.gaps.add(f"{method} {path}")
        raise not_found()

    def _response(self, exchange: Exchange, reply: Reply) -> Response:
        headers = {
            "X-GitHub-Media-Type": "github.v3; format=json",
            "X-GitHub-Request-Id": secrets.token_hex(8),
            "X-GitHub-Api-Version-Selected": "2022-11-28",
            **reply.headers,
        }
        if reply.body is None:
            return Response(
                status_code=reply.status, headers=headers | self._services.budget.headers(exchange.caller)
            )
        data = json.dumps(reply.body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        status = reply.status
        if exchange.method in ("GET", "HEAD") and status == 200:
            headers |= {**CACHED, **fresh.marks(data, reply.body)}
            if fresh.unchanged(exchange.headers, headers):
                status, data = 304, b""
                if exchange.caller.login:
                    self._services.budget.give_back(exchange.caller)
        headers |= self._services.budget.headers(exchange.caller)
        return Response(data, status, headers, media_type="application/json; charset=utf-8")

    def _record(self, tape: Tape, exchange: Exchange, response: Response) -> None:
        answer = Answer(response.status_code, response.headers, bytes(response.body))
        path = exchange.path.removeprefix(PREFIX)
        tape.request(exchange.method, path, exchange.query, body=exchange.body or b"", answer=answer)

    def _note(self, exchange: Exchange, status: int, ms: float) -> None:
        caller = exchange.caller
        self._site.requests.append(
            Request(
                method=exchange.method,
                path=exchange.path.removeprefix(PREFIX),
                query=exchange.query,
                status=status,
                login=caller.login,
                run=caller.run,
                job=caller.job,
                ms=ms,
            )
        )


async def bounded(request: HttpRequest) -> bytes | None:
    """The body; None as soon as it is known to be too large, so that nobody fills the memory."""
    announced = request.headers.get("content-length", "0")
    if announced.isdigit() and int(announced) > BODY_LIMIT:
        return None
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_LIMIT:
            return None
    return bytes(body)


def first_word(path: str) -> str:
    """What routes are grouped by: the word behind the repository, else the first of the path."""
    words = path.split("/")
    return words[4] if words[1] == "repos" and len(words) > 4 else words[1]


def whole(text: str) -> str:
    """JSON can write half a character; what is stored and sent on is U+FFFD in its place."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def parsed(body: bytes | None) -> dict[str, Any]:
    """The JSON body; a bare list stands for `labels`, the one place where GitHub takes one."""
    if body is None:
        raise Problem(413, "Payload too large", headers={"Connection": "close"})
    if not body:
        return {}
    try:
        value = json.loads(body)
        if b"\\ud" in body.lower():
            value = json.loads(whole(json.dumps(value, ensure_ascii=False)))
    except (ValueError, RecursionError):
        raise Problem(400, "Problems parsing JSON") from None
    if isinstance(value, list):
        return {"labels": value}
    if not isinstance(value, dict):
        raise Problem(400, "Body should be a JSON object")
    return value
