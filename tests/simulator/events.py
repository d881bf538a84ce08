"""Something that happened in a repository, and which of its workflow files GitHub starts for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from infx.forge.actions import contexts, select
from infx.forge.ports import Event, Run
from tests.builders import REPO, A, B, C
from tests.payloads import named, payload
from tests.simulator.files import documents

CRON = "23 * * * *"
"""When control looks for what no event told."""
RUNS = "runs"
WAITS = "waits for approval"
FORK = {"sha": A, "ref": "topic", "repo": {"full_name": "eve/bench"}}


@dataclass(frozen=True, kw_only=True)
class Happening:
    """What one webhook tells, and what GitHub looks at besides it."""

    event: str
    action: str = ""
    label: str | None = None
    """Label that was added or removed."""
    labels: tuple[str, ...] = ()
    """Labels of the pull request afterwards."""
    inputs: Mapping[str, str] | None = None
    branch: str = "main"
    """Branch of a push; base of a pull request."""
    message: str = ""
    """Message of the head commit."""
    workflow: str = ""
    """Name of the workflow that a `workflow_run` or a dispatch is about."""
    fork: bool = False
    conflict: bool = False
    needs_approval: bool = False
    by_job_token: bool = False

    @property
    def payload(self) -> dict[str, Any]:
        """As GitHub delivers it, cut down to what anybody reads."""
        if self.event == "pull_request":
            return payload(self.action, label=self.label, **self._pull())
        if self.event == "workflow_run":
            run = {"name": self.workflow, "head_branch": "topic"}
            return {"action": self.action, "workflow_run": run}
        if self.event == "workflow_dispatch":
            return {"inputs": self.inputs or {}, "workflow": f".github/workflows/{self.workflow}.yml"}
        if self.event == "schedule":
            return {"schedule": CRON}
        return {"action": self.action} if self.action else {}

    def _pull(self) -> dict[str, Any]:
        base = payload()["pull_request"]["base"] | {"ref": self.branch}
        head = {"head": FORK} if self.fork else {}
        return {"base": base, "labels": named(*self.labels), "mergeable": not self.conflict, **head}

    @property
    def delivered(self) -> Event:
        """What the embedded GitHub would be told."""
        return Event(
            repository=REPO,
            name=self.event,
            payload=self.payload,
            actor="ada",
            ref="refs/pull/7/merge" if self.event == "pull_request" else f"refs/heads/{self.branch}",
            sha=C,
            by_job_token=self.by_job_token,
            conflict=self.conflict,
            fork=self.fork,
            needs_approval=self.needs_approval,
        )


def silenced(happening: Happening) -> str:
    """Why a `pull_request` or other plain run does not start; `""` when nothing is against it."""
    return select.silenced(happening.delivered, happening.message)


def starts(happening: Happening) -> dict[str, str]:
    """Name of each workflow file that starts → `runs` or `waits for approval`."""
    found = {}
    for event in select.triggered(happening.delivered):
        waits = event.needs_approval and event.name in select.OF_THE_PULL
        for name, document in documents().items():
            path = f".github/workflows/{name}.yml"
            if not select.silenced(event, happening.message) and select.starts(event, path, document):
                found[name] = WAITS if waits else RUNS
    return found


def run(happening: Happening, workflow: str = "sweep", *, attempt: int = 1) -> Run:
    """The run of a workflow file that this starts."""
    event = happening.delivered
    return Run(
        id=5,
        repository=event.repository,
        workflow=f".github/workflows/{workflow}.yml",
        name=workflow,
        title="",
        event=event.name,
        action=happening.action,
        payload=event.payload,
        actor=event.actor,
        triggering_actor=event.actor,
        head_branch="topic",
        head_sha=A,
        ref=event.ref,
        sha=event.sha,
        attempt=attempt,
    )


def known(happening: Happening, *, attempt: int = 1) -> dict[str, Any]:
    """`github` and `inputs` of the run of sweep.yml that this starts."""
    started = run(happening, attempt=attempt)
    dispatch = happening.event == "workflow_dispatch"
    inputs = contexts.inputs(documents()["sweep"], started.payload) if dispatch else {}
    return {"github": contexts.github(started, api_url="http://forge/api/v3"), "inputs": inputs, "vars": {}}


def pull(action: str, *labels: str, changed: str | None = None, **facts: Any) -> Happening:
    return Happening(event="pull_request", action=action, label=changed, labels=labels, **facts)


def dispatch(labels: str) -> Happening:
    """What control does for a fork whose head was approved."""
    inputs = {"pr": "7", "mode": "fork", "head-sha": A, "merge-base": B, "labels": labels}
    return Happening(event="workflow_dispatch", workflow="sweep", inputs=inputs, by_job_token=True)
