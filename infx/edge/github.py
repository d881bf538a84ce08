"""GitHub: requests by intent for one repository. Nouns in and out; nothing here decides."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any
from urllib.parse import quote

from infx.edge import gha, graph, http
from infx.edge.api import Again, Api, Denied, reporting
from infx.errors import BadInput, CouldNotTell
from infx.event import BODY_LIMIT, Artifact, Comment, FileChange, JobView, LabelChange, PullRequest, Run
from infx.facts import Role
from infx.read import payload, rest
from infx.read.place import At
from infx.shorten import shorten

BOT = "github-actions[bot]"
"""Who a job's GITHUB_TOKEN is; it may not ask `/user`."""
ACTIVE = ("queued", "in_progress", "waiting", "pending", "requested")
STATUS_LIMIT = 140
"""Characters of a status description (docs: Commit statuses)."""
NEEDED = {
    "GITHUB_REPOSITORY": "set it to owner/name; workflow steps have it",
    "GITHUB_TOKEN": "set it to a token, such as `gh auth token` prints; workflow steps pass their own",
}
FILES_LIMIT = 3_000
"""Files that GitHub lists of one pull request (docs: List pull requests files)."""


class GitHub:
    """One repository on GitHub. Refused: a definite no. CouldNotTell: no usable answer after repeating.
    CouldNotReport: a comment, status or reaction could not be written, which changes no decision."""

    def __init__(
        self,
        repository: str,
        token: str,
        api_url: str,
        *,
        api: Api | None = None,
        login: str = "",
        more: str = "",
    ) -> None:
        """`login` is whom the token writes as, where that is known; `more` is where a comment that is too
        long for GitHub can be read whole."""
        self.repository, self._login, self._more = repository, login, more
        self.api = api or Api(token, api_url)
        self._headers = {"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json"}
        self._root, self._base = api_url.rstrip("/"), f"/repos/{repository}"

    @property
    def requests(self) -> int:
        """Requests sent so far, repetitions included."""
        return self.api.requests

    def default_branch(self) -> str:
        return self._at("")["default_branch"].text()

    def login(self) -> str:
        """The login that this token writes as."""
        if not self._login:
            try:
                self._login = str(self.api.get("/user")["login"])
            except Denied:
                self._login = BOT
        return self._login

    def role(self, login: str) -> Role:
        """Live role of a person; `permission` is None when GitHub could not tell."""
        path = f"{self._base}/collaborators/{quote(login, safe='')}/permission"
        try:
            return rest.role(At(self.api.get(path), path), login)
        except Denied as no:
            return Role(login=login, permission="none" if no.status == 404 else None)
        except CouldNotTell:
            return Role(login=login)

    def pull(self, number: int) -> PullRequest:
        return payload.pull_request(self._at(f"/pulls/{number}"))

    def head(self, number: int) -> str:
        """The head of a pull request now; unlike the pull request it is the same after every comment, so that
        asking again costs nothing."""
        return self._at(f"/git/ref/pull/{number}/head")["object"]["sha"].text()

    def pull_files(self, number: int, *, capped: bool = False) -> list[FileChange]:
        """Every changed file. CouldNotTell at GitHub's limit, where git has to be asked instead, unless
        `capped`: then what GitHub lists."""
        found = [rest.file_change(at) for at in self.listed(f"/pulls/{number}/files")]
        if len(found) >= FILES_LIMIT and not capped:
            raise CouldNotTell(
                f"GitHub lists no more than {FILES_LIMIT} files",
                where=f"pull request {number}",
                todo="compare the commits with git",
            )
        return found

    def commit_message(self, sha: str) -> str:
        return self._at(f"/git/commits/{sha}")["message"].text("")

    def runs(
        self, workflow_path: str, *, active: bool = False, newest: int | None = None, **filters: str
    ) -> list[Run]:
        """Runs of one workflow file, newest first: every one, or the `newest` of them. `filters` are
        GitHub's own: `branch`, `event`, `head_sha`."""
        path = f"/actions/workflows/{workflow_path.rsplit('/', 1)[-1]}/runs"
        asked = [{**filters, "status": status} for status in ACTIVE] if active else [filters]
        listed = (at for one in asked for at in islice(self.listed(path, "workflow_runs", **one), newest))
        found = [rest.run(at) for at in listed]
        unique = {run.id: run for run in found}
        return sorted(unique.values(), key=lambda run: -run.id)

    def run(self, run_id: int) -> Run:
        return rest.run(self._at(f"/actions/runs/{run_id}"))

    def jobs(self, run_id: int, *, every_attempt: bool = False) -> list[JobView]:
        which = "all" if every_attempt else "latest"
        return [rest.job(at) for at in self.listed(f"/actions/runs/{run_id}/jobs", "jobs", filter=which)]

    def cancel(self, run_id: int) -> bool:
        """False when the run had ended already."""
        try:
            self.api.change("POST", f"{self._base}/actions/runs/{run_id}/cancel")
        except Denied as no:
            if no.status == 409:
                return False
            raise
        return True

    def artifacts(self, run_id: int, *, name: str = "") -> list[Artifact]:
        """Artifacts of one run: all, or those of exactly this name."""
        asked = {"name": name} if name else {}
        listed = self.listed(f"/actions/runs/{run_id}/artifacts", "artifacts", **asked)
        return [rest.artifact(at) for at in listed]

    def artifacts_named(self, name: str, *, newest: int) -> list[Artifact]:
        """The `newest` artifacts of exactly this name in the repository, of whatever run."""
        listed = self.listed("/actions/artifacts", "artifacts", name=name)
        return [rest.artifact(at) for at in islice(listed, newest)]

    def download(self, artifact: Artifact, *, limit: int) -> bytes:
        """The artifact's zip archive, at most `limit` bytes; read it with `infx.edge.archive`."""
        return self.fetch(
            f"/actions/artifacts/{artifact.id}/zip", limit=limit, name=f"artifact {artifact.name}"
        )

    def fetch(self, path: str, *, limit: int, name: str = "") -> bytes:
        """What is stored behind a path of the repository, such as a log, at most `limit` bytes."""
        url = f"{self._root}{self._base}{path}"

        def attempt() -> bytes:
            self.api.requests += 1
            try:
                return http.download(url, limit=limit, headers=self._headers)
            except CouldNotTell as problem:
                raise Again(problem.what) from problem

        return self.api.repeat(attempt, name or path)

    def comments(self, number: int, *, since: str = "") -> Iterator[Comment]:
        """Every conversation comment, or those written or changed `since` a time, oldest first. Pages are
        asked for when they are reached; one that fails raises: it never looks like "none"."""
        asked = {"since": since} if since else {}
        return (rest.comment(at) for at in self.listed(f"/issues/{number}/comments", **asked))

    def create_comment(self, number: int, body: str, *, mark: str, login: str) -> Comment:
        """Write a comment that holds `mark`; when an answer is lost, one by `login` with it is looked for."""

        def find() -> Any:
            mine = (c for c in self.listed(f"/issues/{number}/comments") if mark in (c["body"].value or ""))
            return next((c.value for c in mine if rest.comment(c).author == login), None)

        path = f"{self._base}/issues/{number}/comments"
        with reporting():
            return rest.comment(At(self.api.create(path, {"body": self._fitting(body)}, find=find), path))

    def edit_comment(self, comment_id: int, body: str) -> Comment | None:
        """None when somebody deleted it."""
        path = f"{self._base}/issues/comments/{comment_id}"
        with reporting():
            try:
                return rest.comment(At(self.api.change("PATCH", path, {"body": self._fitting(body)}), path))
            except Denied as no:
                if no.status not in (404, 410):
                    raise
                return None

    def delete_comment(self, comment_id: int) -> None:
        with reporting():
            self._remove(f"{self._base}/issues/comments/{comment_id}")

    def react(self, comment_id: int, content: str) -> None:
        """`+1`, `-1`, `eyes`, …; GitHub keeps a second one of the same kind from happening."""
        with reporting():
            path = f"{self._base}/issues/comments/{comment_id}/reactions"
            self.api.change("POST", path, {"content": content})

    def unreact(self, comment_id: int, content: str, login: str) -> None:
        """Take away the reaction of that kind that `login` made, if there is one."""
        path = f"/issues/comments/{comment_id}/reactions"
        with reporting():
            for at in list(self.listed(path, content=content)):
                if not at["user"].absent and at["user"]["login"].value == login:
                    self._remove(f"{self._base}{path}/{at['id'].integer()}")

    def visible(self, nodes: Sequence[str]) -> dict[str, str]:
        """Node id of each of these comments → its text; what was deleted or hidden is not there."""
        return graph.visible(self.api, nodes)

    def written(self, nodes: Sequence[str]) -> dict[str, tuple[str, str]]:
        """Node id of each of these texts → its words, and who changed them last, `""` when nobody did."""
        return graph.written(self.api, nodes)

    def comment(self, comment_id: int) -> Comment:
        return rest.comment(self._at(f"/issues/comments/{comment_id}"))

    def statuses(self, sha: str) -> Mapping[str, tuple[str, str]]:
        """Context → state and description, the newest of each."""
        newest: dict[str, tuple[str, str]] = {}
        for at in self.listed(f"/commits/{sha}/statuses"):
            newest.setdefault(at["context"].text(), (at["state"].text(), at["description"].text("")))
        return newest

    def set_status(self, sha: str, context: str, *, state: str, description: str, url: str = "") -> None:
        """`state` is success, failure, error or pending. A repeated one only becomes the newest again."""
        body = {"state": state, "context": context, "description": description[:STATUS_LIMIT]}
        with reporting():
            link = {"target_url": url} if url else {}
            self.api.change("POST", f"{self._base}/statuses/{sha}", {**body, **link})

    def dispatch(
        self,
        workflow_path: str,
        ref: str,
        *,
        inputs: Mapping[str, str],
        find: Callable[[], Run | None] | None = None,
    ) -> None:
        """Start a workflow. `find` looks for the run when the answer is lost; else nothing is repeated."""
        path = f"{self._base}/actions/workflows/{workflow_path.rsplit('/', 1)[-1]}/dispatches"
        self.api.create(path, {"ref": ref, "inputs": dict(inputs)}, find=find)

    def add_label(self, number: int, name: str) -> None:
        self.api.change("POST", f"{self._base}/issues/{number}/labels", {"labels": [name]})

    def remove_label(self, number: int, name: str) -> None:
        self._remove(f"{self._base}/issues/{number}/labels/{quote(name, safe='')}")

    def label_changes(self, number: int) -> list[LabelChange]:
        """Every label that was ever set on a pull request or removed from it, oldest first."""
        listed = self.listed(f"/issues/{number}/events")
        return [rest.label_change(at) for at in listed if at["event"].value in ("labeled", "unlabeled")]

    def label_setter(self, number: int, name: str) -> str:
        """Login of who set the label last; `""` when it was never set."""
        found = [one.by for one in self.label_changes(number) if one.on and one.label == name]
        return found[-1] if found else ""

    def _fitting(self, body: str) -> str:
        """At GitHub's limit; builders of comments stay below it, this is for mistakes."""
        return shorten(body, BODY_LIMIT, link=self._more)

    def _at(self, path: str) -> At:
        return At(self.api.get(self._base + path), self._base + path)

    def listed(self, path: str, key: str = "", **parameters: str) -> Iterator[At]:
        """Elements of a list below the repository's path, whole or raising; `key` names it in its answer."""
        where = self._base + path
        return (At(item, where) for item in self.api.pages(where, key, **parameters))

    def _remove(self, path: str) -> None:
        """DELETE; a thing that is gone already is as good."""
        try:
            self.api.change("DELETE", path)
        except Denied as no:
            if no.status != 404:
                raise


def connect(env: Mapping[str, str]) -> GitHub:
    """The repository that a workflow's environment names. BadInput says which variable is missing.

    GITHUB_TOKEN of a job is known to be the bot's; other tokens are asked.
    """
    for name, todo in NEEDED.items():
        if not env.get(name):
            raise BadInput(f"{name} is not set", todo=todo)
    url = env.get("GITHUB_API_URL") or "https://api.github.com"
    if not re.match(r"https?://[^/]", url):
        raise BadInput(
            f"GITHUB_API_URL is {url!r:.80}", todo="give an address such as https://api.github.com"
        )
    login = BOT if env.get("GITHUB_ACTIONS") else ""
    return GitHub(env["GITHUB_REPOSITORY"], env["GITHUB_TOKEN"], url, login=login, more=gha.run_url(env))
