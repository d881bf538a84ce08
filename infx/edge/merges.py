"""Merges: requests that only merging and publishing make, and what a head's checks say."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from infx.check import Check
from infx.edge.api import Denied
from infx.edge.checks import workflow
from infx.edge.github import GitHub
from infx.errors import CouldNotTell
from infx.event import PullRequest, Run
from infx.facts import Answer
from infx.read import payload
from infx.read.place import At

OURS = "infx/"
"""Start of the contexts of our own statuses."""
RUN = re.compile(r"/actions/runs/(\d{1,18})(?:/|$)")


@dataclass(frozen=True)
class Merges:
    """The repository of one client."""

    github: GitHub

    @property
    def _base(self) -> str:
        return f"/repos/{self.github.repository}"

    def login(self) -> str:
        """Whom the token writes as. Only GraphQL tells that of a job's token, which may not ask `/user`."""
        data, errors = self.github.api.graph("{ viewer { login } }")
        login = (data.get("viewer") or {}).get("login")
        if not login:
            what = str(errors[0].get("message", "")) if errors else "nobody"
            raise CouldNotTell(
                f"GitHub says that the token is {what[:100]}", where="/graphql", todo="try again"
            )
        return str(login)

    def workflow_scope(self) -> Answer:
        """Whether the token may change workflow files: only classic tokens tell (docs: Scopes for OAuth
        apps)."""
        self.github.default_branch()
        scopes = self.github.api.scopes
        if not scopes:
            return Answer.UNKNOWN
        return Answer.YES if "workflow" in re.split(r"[,\s]+", scopes) else Answer.NO

    def queue(self, branch: str) -> bool:
        """Whether a rule of the branch asks for a merge queue."""
        try:
            rules = list(self.github.listed(f"/rules/branches/{quote(branch, safe='')}"))
        except Denied as no:
            if no.status != 404:
                raise
            return False
        return any(rule["type"].value == "merge_queue" for rule in rules)

    def title(self, number: int) -> str:
        path = f"{self._base}/pulls/{number}"
        return At(self.github.api.get(path), path)["title"].text("")

    def pulls_of(self, commit: str) -> list[PullRequest]:
        """Pull requests that hold the commit or brought it."""
        return [payload.pull_request(at) for at in self.github.listed(f"/commits/{commit}/pulls")]

    def checks(self, sha: str, runs: Iterable[Run] = ()) -> tuple[Check, ...]:
        """Check runs in their newest attempt, jobs of `runs` as `workflow / job`, and statuses but pending
        ones of our own, which are advice that nobody may ever answer, or are asked again."""
        names = {run.id: workflow(run) for run in runs}
        return (*self._runs(sha, names), *self._statuses(sha))

    def _runs(self, sha: str, names: Mapping[int, str]) -> Iterator[Check]:
        for at in self.github.listed(f"/commits/{sha}/check-runs", "check_runs"):
            link = RUN.search(at["details_url"].text("") or at["html_url"].text(""))
            run, name = int(link[1]) if link else 0, at["name"].text("")
            yield Check(
                name=f"{names[run]} / {name}" if run in names else name,
                status=at["status"].text(""),
                conclusion=at["conclusion"].text("") or None,
                run=run,
            )

    def _statuses(self, sha: str) -> Iterator[Check]:
        for context, (state, _) in self.github.statuses(sha).items():
            if state != "pending" or not context.startswith(OURS):
                yield Check(name=context, conclusion=state)

    def merge(self, number: int, *, head: str, method: str, words: tuple[str, str] | None) -> str:
        """Merge exactly `head`; the commit that it became. `words`: title and message of the commit. Denied
        with 405 or 409 when GitHub may not, or the head moved; a repetition finds it merged already."""
        body: dict[str, Any] = {"sha": head, "merge_method": method}
        if words:
            body |= {"commit_title": words[0], "commit_message": words[1]}
        answer: Mapping[str, Any] = self.github.api.change("PUT", f"{self._base}/pulls/{number}/merge", body)
        return str(answer.get("sha", ""))

    def tell(self, repository: str, event: str, told: Mapping[str, Any]) -> None:
        """`repository_dispatch` to a repository, which takes at most ten properties. A lost answer is not
        repeated: CouldNotTell."""
        body = {"event_type": event, "client_payload": dict(told)}
        self.github.api.create(f"/repos/{repository}/dispatches", body, find=None)
