"""Survey: a repository's settings on GitHub, as far as the token may see them."""

import base64
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import quote

from infx.edge.api import Api, Denied
from infx.errors import CouldNotTell
from infx.facts import Answer
from infx.palette import Paint
from infx.premises import Environment, Premises, Required, Runner, RunnerGroup
from infx.read.place import At

T = TypeVar("T")
GUARDS = ("pull_request", "required_status_checks", "merge_queue", "update", "workflows")
"""Types of rules under which a plain push is refused."""
UNSEEN = (401, 403, 404)
"""GitHub hides what a token may not see behind any of these."""


class Survey:
    """Reads of one repository. CouldNotTell when GitHub gives no answer at all."""

    def __init__(self, api: Api, repository: str) -> None:
        self.api, self.repository, self._base = api, repository, f"/repos/{repository}"

    def premises(self, **more: Any) -> Premises:
        """Everything that settings say; `more` are the fields that files say."""
        about = self._at("")
        branch = about["default_branch"].text()
        token = self._seen(lambda: self._at("/actions/permissions/workflow"))
        rules = self._seen(lambda: list(self._list(f"/rules/branches/{quote(branch, safe='')}")))
        owned = self._seen(lambda: [self._absent(lambda: self._at("/codeowners/errors"))])
        contributors = "/actions/permissions/fork-pr-contributor-approval"
        return Premises(
            repository=self.repository,
            default_branch=branch,
            private=about["private"].flag(False),
            labels=self._seen(self.labels),
            token=None if token is None else token["default_workflow_permissions"].text(),
            approves=None if token is None else token["can_approve_pull_request_reviews"].flag(False),
            forks=self._seen(lambda: self._at(contributors)["approval_policy"].text()),
            environments=self._seen(self._environments),
            secrets=self._seen(
                lambda: [at["name"].text() for at in self._list("/actions/secrets", "secrets")]
            ),
            runners=self._seen(self.runners),
            groups=self._seen(lambda: list(self._groups())) if _owned(about) else (),
            required=rules if rules is None else self._seen(lambda: list(self._required(branch, rules))),
            queue=None if rules is None else any(at["type"].value == "merge_queue" for at in rules),
            owners=None
            if owned is None
            else [_fault(at) for one in owned if one for at in one["errors"].items()],
            owned=owned != [None],
            **more,
        )

    def default_branch(self) -> str:
        return self._at("")["default_branch"].text()

    def protects(self, branch: str) -> Answer:
        """Whether branch protection or a ruleset refuses a plain push into `branch`. UNKNOWN when the token
        may not see it, or GitHub gives no answer."""
        try:
            name = quote(branch, safe="")
            about = self._absent(lambda: self._at(f"/branches/{name}"))
            if about is not None and about["protected"].flag(False):
                return Answer.YES
            rules = {at["type"].value for at in self._list(f"/rules/branches/{name}")}
        except (Denied, CouldNotTell):
            return Answer.UNKNOWN
        return Answer.YES if rules & set(GUARDS) else Answer.NO

    def labels(self) -> Mapping[str, str]:
        """Name → colour."""
        return {at["name"].text(): at["color"].text("") for at in self._list("/labels")}

    def create_label(self, paint: Paint) -> None:
        self.api.change("POST", f"{self._base}/labels", paint.as_json())

    def runners(self) -> Sequence[Runner]:
        """Self-hosted runners of the repository."""
        return [
            Runner(
                id=at["id"].integer(),
                name=at["name"].text(),
                online=at["status"].text("") == "online",
                busy=at["busy"].flag(False),
                labels=tuple(one["name"].text() for one in at["labels"].items()),
            )
            for at in self._list("/actions/runners", "runners")
        ]

    def unlabel(self, runner: int, label: str) -> None:
        """Take a label from a runner, so that no job of the label reaches it."""
        self.api.change("DELETE", f"{self._base}/actions/runners/{runner}/labels/{quote(label, safe='')}")

    def relabel(self, runner: int, labels: Sequence[str]) -> None:
        """Give labels to a runner."""
        self.api.change("POST", f"{self._base}/actions/runners/{runner}/labels", {"labels": list(labels)})

    def file(self, path: str) -> bytes | None:
        """Content of a file of the default branch; None when there is none."""
        found = self._absent(lambda: self._at(f"/contents/{quote(path)}"))
        return None if found is None else base64.b64decode(found["content"].text(""))

    def _environments(self) -> list[Environment]:
        listed = list(self._list("/environments", "environments"))
        return [Environment(name=at["name"].text(), branches=self._branches(at)) for at in listed]

    def _branches(self, at: At) -> tuple[str, ...] | None:
        policy = at["deployment_branch_policy"]
        if policy.absent:
            return None
        if policy["protected_branches"].flag(False):
            return ("protected branches",)
        path = f"/environments/{quote(at['name'].text(), safe='')}/deployment-branch-policies"
        return tuple(one["name"].text() for one in self._list(path, "branch_policies"))

    def _groups(self) -> Iterator[RunnerGroup]:
        owner, _, name = self.repository.partition("/")
        path = f"/orgs/{owner}/actions/runner-groups"
        for item in self.api.pages(path, "runner_groups", visible_to_repository=name):
            at = At(item, path)
            restricted = at["restricted_to_workflows"].flag(False)
            yield RunnerGroup(
                name=at["name"].text(),
                every_repository=at["visibility"].text("") == "all",
                workflows=at["selected_workflows"].texts() if restricted else None,
                public=at["allows_public_repositories"].flag(False),
            )

    def _required(self, branch: str, rules: Sequence[At]) -> Iterator[Required]:
        """By rulesets, and by the older branch protection when there is one."""
        for at in rules:
            if at["type"].value == "required_status_checks":
                for one in at["parameters"]["required_status_checks"].items():
                    yield _required(one, "integration_id")
        path = f"/branches/{quote(branch, safe='')}/protection"
        protection = self._absent(lambda: self._at(path))
        if protection is not None and not protection["required_status_checks"].absent:
            for one in protection["required_status_checks"]["checks"].items():
                yield _required(one, "app_id")

    def _absent(self, ask: Callable[[], T]) -> T | None:
        """None for a thing that is not there, which GitHub says by 404 to whoever may see it."""
        try:
            return ask()
        except Denied as no:
            if no.status == 404:
                return None
            raise

    def _seen(self, ask: Callable[[], T]) -> T | None:
        try:
            return ask()
        except Denied as no:
            if no.status in UNSEEN:
                return None
            raise

    def _at(self, path: str) -> At:
        return At(self.api.get(self._base + path), self._base + path)

    def _list(self, path: str, key: str = "") -> Iterator[At]:
        where = self._base + path
        return (At(item, where) for item in self.api.pages(where, key))


def _owned(about: At) -> bool:
    """Only organisations have runner groups."""
    return about["owner"]["type"].text("") == "Organization"


def _required(at: At, app: str) -> Required:
    given = at[app].value
    return Required(context=at["context"].text(), app=given if isinstance(given, int) and given > 0 else None)


def _fault(at: At) -> str:
    return f"{at['path'].text('CODEOWNERS')} line {at['line'].integer(0)}: {at['kind'].text('wrong')}"
