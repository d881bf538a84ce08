"""Routes: one decorator ties a handler to its method, path and the permission it needs."""

import base64
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from infx.forge.database import Row
from infx.forge.problem import Problem, not_found
from infx.forge.site import Site
from infx.forge.store import TableStore
from infx.forge.visit import Caller, Visit

MOST_A_PAGE = 100
FAR = 10**9


@dataclass(frozen=True)
class Reply:
    """An answer: JSON body (or text, or none), status, extra headers."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


NOTHING = Reply(status=204)


def created(body: Any) -> Reply:
    return Reply(body, 201)


def redirect(address: str) -> Reply:
    return Reply(status=302, headers={"Location": address})


@dataclass(kw_only=True)
class Call:
    """One request on its way through a handler."""

    site: Site
    store: TableStore
    caller: Caller
    method: str
    path: str
    params: dict[str, str]
    query: dict[str, str]
    body: dict[str, Any]
    services: Any
    """Engine and artifacts (`app.Services`)."""

    @cached_property
    def repo(self) -> Row:
        """The repository that the path names."""
        return self.site.repo(f"{self.params['owner']}/{self.params['repo']}")

    @cached_property
    def at(self) -> Visit:
        return Visit(self.site, self.repo, self.caller)

    def number(self, name: str = "number") -> int:
        """A path parameter that is a whole number; 404 otherwise, as GitHub has no such resource."""
        text = self.params[name]
        if not (text.isascii() and text.isdigit() and len(text) < 19):
            raise not_found()
        return int(text)

    def text(self, name: str, *, resource: str = "Request", default: str | None = None) -> str:
        """A string of the body; 422 when it is missing or no string."""
        value = self.body.get(name, default)
        if not isinstance(value, str):
            code = "missing_field" if value is None else "invalid"
            error = {"resource": resource, "field": name, "code": code}
            raise Problem(422, "Validation Failed", errors=[error])
        return value

    def bytes(self, name: str) -> bytes:
        """A Base64 string of the body, line breaks allowed; 422 when it is none."""
        try:
            return base64.b64decode("".join(self.text(name).split()), validate=True)
        except ValueError:
            raise Problem(422, f"{name} is not valid Base64") from None

    @property
    def paging(self) -> tuple[int, int]:
        """Page and size. GitHub takes nonsense for the default and caps the size."""
        page, size = (
            whole(self.query.get(name, ""), default) for name, default in (("page", 1), ("per_page", 30))
        )
        return page, min(size, MOST_A_PAGE)

    def link(self, total: int) -> dict[str, str]:
        """The Link header of a list of `total` entries."""
        page, size = self.paging
        last = max(1, -(-total // size))
        rels = {"prev": page - 1, "next": page + 1, "last": last, "first": 1}
        wanted = [rel for rel in rels if (page > 1 if rel in ("prev", "first") else page < last)]
        others = {name: value for name, value in self.query.items() if name != "page"}
        address = f"{self.site.api}{self.path}"
        links = [f'<{address}?{urlencode({**others, "page": rels[rel]})}>; rel="{rel}"' for rel in wanted]
        return {"Link": ", ".join(links)} if links else {}

    def cut(self, items: Sequence[Any], shape: Callable[[Any], Any], *, envelope: str = "") -> Reply:
        """One page of a list that is at hand as a whole."""
        page, size = self.paging
        shown = [shape(item) for item in items[(page - 1) * size : page * size]]
        return self.wrap(shown, len(items), envelope)

    def rows(self, sql: str, *values: Any, shape: Callable[[Row], Any], envelope: str = "") -> Reply:
        """One page of a query; the database counts and cuts."""
        page, size = self.paging
        total = self.site.db.value(f"SELECT count(*) FROM ({sql})", *values)
        found = self.site.db.rows(f"{sql} LIMIT ? OFFSET ?", *values, size, (page - 1) * size)
        return self.wrap([shape(row) for row in found], total, envelope)

    def wrap(self, shown: list[Any], total: int, envelope: str) -> Reply:
        body = {"total_count": total, envelope: shown} if envelope else shown
        return Reply(body, headers=self.link(total))


def whole(text: str, default: int) -> int:
    """A positive number, else the default; what is beyond every list stays small enough for the database."""
    known = text.isascii() and text.isdigit() and int(text[:9]) > 0
    return (int(text) if len(text) < len(str(FAR)) else FAR) if known else default


PARAMETER = re.compile(r"\{(\w+)(:path)?\}")


@dataclass(frozen=True, kw_only=True)
class Route:
    """One endpoint."""

    method: str
    path: str
    need: str
    role: str
    handler: Callable[[Call], Reply]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compiled when it is first asked for: all at once they would be a tenth of a start."""
        named = PARAMETER.sub(lambda found: f"(?P<{found[1]}>{'.+' if found[2] else '[^/]+'})", self.path)
        return re.compile(named)


ROUTES: list[Route] = []


def route(
    method: str, path: str, need: str = "", *, role: str = ""
) -> Callable[[Callable[[Call], Reply]], Callable[[Call], Reply]]:
    """`path` as in GitHub's description, with `{name:path}` where slashes belong to the value.

    `need` and `role` as in `tokens.permit`; no need: anybody.
    """

    def put(handler: Callable[[Call], Reply]) -> Callable[[Call], Reply]:
        ROUTES.append(Route(method=method, path=path, need=need, role=role, handler=handler))
        return handler

    return put


R = "/repos/{owner}/{repo}"
"""Start of nearly every path."""
