"""Which addresses are pages, and the answer to each. Who looks has no token and sees what is public."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.responses import FileResponse, RedirectResponse, Response

from infx.errors import Refused
from infx.forge import tokens
from infx.forge.artifacts import Artifacts
from infx.forge.problem import Problem, not_found
from infx.forge.rest import ROUTES
from infx.forge.site import Site
from infx.forge.store import TableStore
from infx.forge.visit import Visit

API_WORDS = {one.path.split("/")[1] for one in ROUTES} | {"api", "twirp"}
"""First words under which the API answers without its prefix; nobody's login."""
RULES = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:"
HEADERS = {
    "Content-Security-Policy": f"{RULES}; frame-src 'self'; base-uri 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
STATIC = re.compile(r"/_look/(style\.css|live\.js)")
HERE = r"/(?P<owner>[A-Za-z0-9][\w.-]*)/(?P<repo>[\w.-]+)"
RUN = rf"{HERE}/actions/runs/(?P<run>\d{{1,18}})"
PAGES = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("home", "/"),
        ("repository", rf"{HERE}(?:/pulls|/issues)?"),
        ("runs", rf"{HERE}/actions"),
        ("pull", rf"{HERE}/(?:pull|issues)/(?P<number>\d{{1,18}})"),
        ("files", rf"{HERE}/pull/(?P<number>\d{{1,18}})/files"),
        ("run", rf"{RUN}(?:/attempts/(?P<attempt>\d{{1,9}}))?"),
        ("job", rf"{RUN}/job/(?P<job>\d{{1,18}})"),
        ("raw_log", rf"{RUN}/job/(?P<job>\d{{1,18}})/raw"),
        ("download", rf"{RUN}/artifacts/(?P<artifact>\d{{1,18}})/download"),
        ("artifact", rf"{RUN}/artifacts/(?P<artifact>\d{{1,18}})"),
        ("member", rf"{RUN}/artifacts/(?P<artifact>\d{{1,18}})/files/(?P<path>.+)"),
    )
)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One page that somebody wants, with the numbers and names of its address."""

    at: Visit
    store: TableStore
    files: Artifacts
    words: Mapping[str, str | None]

    def number(self, name: str) -> int:
        return int(self.words[name] or 0)


class Look:
    """The pages of one forge."""

    def __init__(self, site: Site, store: TableStore, files: Artifacts) -> None:
        self._site, self._store, self._files = site, store, files

    def wants(self, method: str, path: str, accept: str) -> bool:
        """True for the address of a page. `/` is one for who accepts HTML."""
        if method not in ("GET", "HEAD"):
            return False
        if path == "/":
            return "text/html" in accept
        return bool(STATIC.fullmatch(path)) or self._page(path) is not None

    def answer(self, path: str) -> Response:
        """The page, or a page that says why there is none."""
        static = STATIC.fullmatch(path)
        from infx.forge.look import show  # Markdown and templates: nobody waits for them at the start

        if static:
            return FileResponse(show.FOLDER / "static" / static[1], headers=HEADERS)
        try:
            return self._answer(path)
        except Problem as problem:
            status, words = problem.status, problem.message
        except Refused as no:
            status, words = 422, no.sentence
        return Response(show.page("problem", status=status, words=words), status, HEADERS, "text/html")

    def _answer(self, path: str) -> Response:
        from infx.forge.look import pages

        found = self._page(path)
        if not found:
            raise not_found()
        name, words = found
        if name == "home":
            return Response(pages.home(self._site), headers=HEADERS, media_type="text/html")
        at = Visit(self._site, self._site.repo(f"{words['owner']}/{words['repo']}"))
        tokens.admit(at)
        made = pages.PAGES[name](Asked(at=at, store=self._store, files=self._files, words=words))
        if isinstance(made, RedirectResponse | Response):
            return made
        return Response(made, headers=HEADERS, media_type="text/html")

    def _page(self, path: str) -> tuple[str, dict[str, str | None]] | None:
        path = path.rstrip("/") or "/"
        for name, pattern in PAGES:
            found = pattern.fullmatch(path)
            if found and found.groupdict().get("owner") not in API_WORDS:
                return name, found.groupdict()
        return None
