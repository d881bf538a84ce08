"""Api: requests to GitHub through PyGithub, with the one layer that repeats, pages and counts them."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from infx.errors import BadInput, CouldNotReport, CouldNotTell, Refused

if TYPE_CHECKING:
    from github.Requester import Requester

T = TypeVar("T")
ATTEMPTS = 5
BUDGET_S = 300.0
"""Most seconds that one request may spend waiting, rate limits included."""
PAGE = 100
TIMEOUT_S = 30


MENDABLE = (401, 403, 404)
"""The caller named something that is not there, or gave a token that may not: bad input."""


class Denied(Refused):
    """GitHub said a definite no, which no repetition changes: forbidden, not found, not valid."""

    def __init__(self, status: int, what: str, *, where: str) -> None:
        self.status = status
        if status in MENDABLE:
            self.exit_code = BadInput.exit_code
        super().__init__(what, where=where, todo="check the number, the name and the token's permissions")


class Again(Exception):
    """No usable answer, but another attempt may get one."""

    def __init__(self, what: str, *, wait_s: float | None = None, unwritten: bool = False) -> None:
        super().__init__(what)
        self.wait_s = wait_s
        self.unwritten = unwritten
        """GitHub turned the request away before it did anything."""


def judge(status: int, headers: Mapping[str, Any], message: str, now: float) -> Again | None:
    """Whether a failed answer is worth another attempt, and when; None for a definite no."""
    lower = message.lower()
    limited = "rate limit" in lower or "abuse detection" in lower or headers.get("retry-after") is not None
    if status == 429 or (status == 403 and (limited or headers.get("x-ratelimit-remaining") == "0")):
        return Again("rate limited", wait_s=_pause(headers, now), unwritten=True)
    return Again(f"HTTP status {status}") if status >= 500 or status == 408 else None


def _pause(headers: Mapping[str, Any], now: float) -> float | None:
    """Seconds that GitHub asks for: `Retry-After`, else until the reset of an exhausted limit."""
    try:
        if headers.get("retry-after") is not None:
            return max(0.0, float(headers["retry-after"]))
        if headers.get("x-ratelimit-remaining") == "0":
            return max(0.0, float(headers["x-ratelimit-reset"]) - now + 1)
    except (KeyError, ValueError):
        return None
    return None


@dataclass(frozen=True, kw_only=True)
class Known:
    """One answer that GitHub may call unchanged, which then costs nothing of the hour's limit."""

    tag: str
    following: str | None
    answer: Any


class Api:
    """GitHub's REST API. Paths begin with `/`. `requests` counts what was sent, for the budget of tests, and
    `unchanged` those of them that GitHub answered with 304 (docs: Use conditional requests)."""

    def __init__(
        self,
        token: str,
        api_url: str,
        *,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.requests = self.unchanged = 0
        self._known: dict[str, Known] = {}
        self._token, self._url, self._sleep, self._now = token, api_url.rstrip("/"), sleep, now
        self._requester: Requester | None = None
        self.scopes = ""
        """What a classic token may do, as the newest answer said; empty for every other kind."""

    def get(self, path: str, **parameters: Any) -> Any:
        return self.repeat(lambda: self._once("GET", path, parameters=parameters)[1], path)

    def change(self, verb: str, path: str, body: Any = None) -> Any:
        """PUT, PATCH, DELETE, or a POST that GitHub itself keeps from happening twice."""
        return self.repeat(lambda: self._once(verb, path, body=body)[1], path)

    def create(self, path: str, body: Any, *, find: Callable[[], T | None] | None) -> T | Any:
        """POST. After an answer that leaves open whether it was written, `find` looks for it before the next
        attempt; without `find` there is none."""
        tried = False

        def attempt() -> Any:
            nonlocal tried
            if tried and find and (found := find()) is not None:
                return found
            try:
                tried = True
                return self._once("POST", path, body=body)[1]
            except Again as problem:
                if find or problem.unwritten:
                    raise
                what = f"{problem}, and nobody knows whether it was written"
                raise CouldNotTell(what, where=path, todo="look, and try again") from problem

        return self.repeat(attempt, path)

    def graph(self, query: str, **variables: Any) -> tuple[Mapping[str, Any], list[Mapping[str, Any]]]:
        """Data and errors of a GraphQL question, which changes nothing and so may be asked again."""
        # Beside `/api/v3` of a server of one's own, below the host of github.com (docs: GraphQL endpoint).
        address = f"{self._url.removesuffix('/v3')}/graphql"
        body = {"query": query, "variables": variables}

        def attempt() -> tuple[Mapping[str, Any], list[Mapping[str, Any]]]:
            answer = self._once("POST", address, body=body)[1]
            data = answer.get("data") if isinstance(answer, dict) else None
            if not isinstance(data, dict):
                raise Again("an answer without data")
            return data, list(answer.get("errors") or ())

        return self.repeat(attempt, "/graphql")

    def pages(self, path: str, key: str = "", **parameters: Any) -> Iterator[Any]:
        """Every element of a list, page by page. A page that cannot be had raises: half a list is no list.
        `key` names the list inside answers that carry a `total_count`, which is checked."""
        seen: set[Any] = set()
        target: str | None = path
        total = 0
        while target:
            here, asked = target, {"per_page": PAGE, **parameters} if target == path else {}
            target, items, counted = self.repeat(partial(self._page, here, key, asked), path)
            total = max(total, counted)
            for item in items:
                # Elements move to the next page while others are added in front.
                mark = _mark(item)
                if mark not in seen:
                    seen.add(mark)
                    yield item
        if len(seen) < total:
            raise CouldNotTell(
                f"GitHub listed {len(seen)} of {total}", where=path, todo="narrow the question"
            )

    def _page(self, path: str, key: str, asked: Mapping[str, Any]) -> tuple[str | None, list[Any], int]:
        """Address of the next page, elements of this one, and how many there are in all (0 when not told)."""
        following, answer = self._once("GET", path, parameters=asked)
        items = answer.get(key) if key and isinstance(answer, dict) else answer
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            self._known.clear()  # a broken page has a tag as well, and would come again
            raise Again("an answer without the list")
        return following, items, answer.get("total_count", 0) if key else 0

    def repeat(self, attempt: Callable[[], T], where: str) -> T:
        """The one retrying layer: `attempt` again after every Again, with jitter, up to both bounds."""
        from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential

        backoff = wait_random_exponential(multiplier=0.5, max=30)
        spent = 0.0

        def wait(state: Any) -> float:
            nonlocal spent
            problem = state.outcome.exception()
            asked = backoff(state) if problem.wait_s is None else problem.wait_s
            spent += asked
            if spent > BUDGET_S:
                until = time.strftime("%H:%M:%S UTC", time.gmtime(self._now() + asked))
                raise CouldNotTell(f"{problem} until {until}", where=where, todo="try again then")
            return float(asked)

        retrying = Retrying(
            retry=retry_if_exception_type(Again),
            stop=stop_after_attempt(ATTEMPTS),
            wait=wait,
            sleep=self._sleep,
            reraise=True,
        )
        try:
            return retrying(attempt)
        except Again as problem:
            raise CouldNotTell(
                f"GitHub gave no answer in {ATTEMPTS} attempts ({problem})", where=where, todo="try again"
            ) from problem

    def _once(
        self, verb: str, path: str, *, parameters: Mapping[str, Any] | None = None, body: Any = None
    ) -> tuple[str | None, Any]:
        """Address of the next page and the parsed answer of one request. Again or Denied when it failed."""
        import json

        mark = f"{path} {sorted((parameters or {}).items())}" if verb == "GET" else ""
        known = self._known.get(mark)
        asked = {"If-None-Match": known.tag} if known else {}
        self.requests += 1
        try:
            status, headers, text = self._client().requestJson(
                verb, path, dict(parameters or {}), asked, body
            )
        except OSError as error:  # what `requests` raises
            raise Again(f"no connection ({type(error).__name__})") from error
        self.scopes = str(headers.get("x-oauth-scopes") or self.scopes)
        if status == 304 and known:
            self.unchanged += 1
            return known.following, known.answer
        try:
            answer = json.loads(text) if text else None
        except ValueError as error:
            if status < 400:
                raise Again("an answer that is not JSON") from error
            answer = None
        if status >= 400:
            message = answer.get("message", "") if isinstance(answer, dict) else ""
            raise judge(status, headers, str(message), self._now()) or Denied(
                status, f"GitHub answered {status} {str(message)[:200]}".strip(), where=f"{verb} {path}"
            )
        following = _next(str(headers.get("link", "")))
        if mark and headers.get("etag"):
            self._known[mark] = Known(tag=str(headers["etag"]), following=following, answer=answer)
        return following, answer

    def _client(self) -> "Requester":
        if self._requester is None:
            from github import Auth, Github  # late: the import alone takes longer than most commands

            # Retries of its own are off: they would repeat a POST that was written.
            self._requester = Github(
                base_url=self._url,
                auth=Auth.Token(self._token),
                retry=None,
                seconds_between_requests=None,
                seconds_between_writes=None,
                timeout=TIMEOUT_S,
            ).requester
        return self._requester


def _mark(item: Mapping[str, Any]) -> object:
    """What an element is known by; one that has no name of its own is never taken for another."""
    return next((item[name] for name in ("id", "filename", "name") if item.get(name)), None) or object()


def _next(link: str) -> str | None:
    """Address of the next page in a `Link` header."""
    for part in link.split(","):
        address, _, relation = part.partition(";")
        if 'rel="next"' in relation:
            return address.strip().strip("<>")
    return None


@contextmanager
def reporting() -> Iterator[None]:
    """What goes wrong inside is a report that people do not see, never a decision."""
    try:
        yield
    except (Refused, CouldNotTell) as problem:
        raise CouldNotReport(problem.what, where=problem.where, todo=problem.todo) from problem
