"""Poll: reads everything that hangs on one pull request, again and again, onto a tape."""

import json
from collections.abc import Iterator
from typing import Any

import httpx

from infx.errors import CouldNotTell, Refused
from infx.forge.life import events
from infx.forge.life.form import Json
from infx.forge.life.tape import Answer, Tape

TIMEOUT_S = 30
PAGES = 20
"""Pages of one list that are read."""
PULL = "/repos/{repo}/pulls/{number}"
ISSUE = "/repos/{repo}/issues/{number}"
SINGLE = ("/repos/{repo}", ISSUE)
LISTS = (
    f"{PULL}/files",
    f"{PULL}/commits",
    f"{PULL}/reviews",
    f"{PULL}/comments",
    f"{ISSUE}/comments",
    f"{ISSUE}/labels",
    f"{ISSUE}/events",
)
OF_HEAD = ("/repos/{repo}/commits/{sha}/status", "/repos/{repo}/commits/{sha}/check-runs")
OF_RUN = ("/repos/{repo}/actions/runs/{run}/jobs", "/repos/{repo}/actions/runs/{run}/artifacts")


class Poll:
    """One pull request of one repository, with a token that may read it."""

    def __init__(self, tape: Tape, api: str, token: str, *, repo: str, number: int) -> None:
        headers = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self._client = httpx.Client(base_url=api, headers=headers, timeout=TIMEOUT_S, follow_redirects=False)
        self._tape, self._where = tape, {"repo": repo, "number": str(number)}
        self._last: dict[str, bytes] = {}
        self._seen: tuple[Json, list[Json], list[Json]] | None = None

    def __enter__(self) -> "Poll":
        return self

    def __exit__(self, *exception: object) -> None:
        self._client.close()

    def tell(self) -> None:
        """The events, at the end: now all is known."""
        for at, name, payload in events.derive(*self._seen) if self._seen else ():
            self._tape.event(name, payload, at=at, derived=True)

    def look(self) -> bool:
        """Read all of it once; what did not change is not written again. True when anything did."""
        before = dict(self._last)
        pull = self._get(PULL.format(**self._where))
        if not isinstance(pull, dict) or "head" not in pull:
            raise Refused(
                "the pull request cannot be read",
                where="{repo}#{number}".format(**self._where),
                todo="check its number, and that GITHUB_TOKEN may read it",
            )
        for path in SINGLE:
            self._get(path.format(**self._where))
        for path in LISTS:
            self._all(path.format(**self._where))
        timeline = self._all(f"{ISSUE}/timeline".format(**self._where))
        here = {**self._where, "sha": pull["head"]["sha"]}
        for path in OF_HEAD:
            self._all(path.format(**here))
        runs = self._all("/repos/{repo}/actions/runs?head_sha={sha}".format(**here))
        for run in runs:
            for path in OF_RUN:
                self._all(path.format(**here, run=run["id"]))
        self._seen = (pull, timeline, runs)
        return before != self._last

    def _all(self, path: str) -> list[Json]:
        """Entries of every page of a list, inside an envelope or not."""
        return [entry for page in self._pages(path) for entry in listed(page)]

    def _pages(self, path: str) -> Iterator[Any]:
        for number in range(1, PAGES + 1):
            sign = "&" if "?" in path else "?"
            page = self._get(
                f"{path}{sign}per_page=100&page={number}" if number > 1 else f"{path}{sign}per_page=100"
            )
            yield page
            if len(listed(page)) < 100:
                return

    def _get(self, path: str) -> Any:
        try:
            reply = self._client.get(path)
        except httpx.HTTPError as error:
            raise CouldNotTell(f"no answer ({type(error).__name__})", where=path, todo="try again") from error
        if self._last.get(path) != reply.content:
            self._last[path] = reply.content
            place, _, query = path.partition("?")
            answer = Answer(reply.status_code, reply.headers, reply.content)
            self._tape.request("GET", place, query, body=b"", answer=answer)
        try:
            return reply.json() if reply.is_success else None
        except json.JSONDecodeError:
            return None


def listed(page: Any) -> list[Json]:
    """The list in an answer: bare, or the one list of its envelope."""
    if isinstance(page, dict):
        page = next((value for name, value in page.items() if isinstance(value, list)), [])
    return page if isinstance(page, list) else []
