"""From an event to the runs it starts, stored but not yet scheduled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from infx.edge.git import Git
from infx.errors import BadInput
from infx.forge.actions import contexts, select
from infx.forge.actions.parser import Parser
from infx.forge.actions.workflows import Workflow, Workflows
from infx.forge.ports import Event, Repository, Run, Store

CHAIN_LIMIT = 3
"""Longest chain of `workflow_run` events that GitHub follows (docs: Events that trigger workflows)."""


@dataclass(frozen=True, kw_only=True)
class Commit:
    """GITHUB_REF and GITHUB_SHA of the runs that one event starts."""

    ref: str
    sha: str


class Starter:
    """Chooses workflow files and stores one run for each."""

    def __init__(self, store: Store, parser: Parser, *, api_url: str) -> None:
        self._store, self._parser, self._api_url = store, parser, api_url
        self.workflows = Workflows(parser)

    def start(self, event: Event) -> list[Run]:
        """The stored runs, told as `requested`. BadInput for a dispatch that GitHub would refuse."""
        return [run for one in select.triggered(event) for run in self._start(one)]

    def _start(self, event: Event) -> list[Run]:
        repository = self._store.repository(event.repository)
        git = Git(repository.git_dir)
        if select.silenced(event, _message(git, event)) or self._chained(event):
            return []
        commit = _commit(git, repository, event)
        found = self.workflows.at(repository.git_dir, commit.sha)
        chosen = [one for one in found if _starts(event, one)]
        if event.name == "workflow_dispatch":
            _check_dispatch(event, chosen)
        return [self._store_run(event, repository, one, commit) for one in chosen]

    def _chained(self, event: Event) -> bool:
        """True when the event stands at the end of too long a chain of `workflow_run` runs."""
        length = 0
        payload: Mapping[str, Any] = event.payload
        while length < CHAIN_LIMIT and isinstance(payload.get("workflow_run"), Mapping):
            run = payload["workflow_run"]
            if run.get("event") != "workflow_run":
                return False
            length += 1
            payload = self._store.run(int(run["id"])).payload
        return length >= CHAIN_LIMIT

    def _store_run(self, event: Event, repository: Repository, workflow: Workflow, commit: Commit) -> Run:
        run = self._store.add_run(_run(event, workflow, commit))
        blocked = event.needs_approval and event.name in select.OF_THE_PULL
        try:
            changes: dict[str, Any] = self._named(run, workflow, repository)
        except BadInput as problem:
            changes = {"status": "completed", "conclusion": "startup_failure", "title": problem.what}
        if blocked:
            changes |= {"status": "completed", "conclusion": "action_required"}
        run = self._store.change_run(run.id, **changes)
        self._store.tell("workflow_run", "requested", run)
        if run.status == "completed":
            self._store.tell("workflow_run", "completed", run)
        return run

    def _named(self, run: Run, workflow: Workflow, repository: Repository) -> dict[str, Any]:
        """Title and concurrency group, which may use the run's own id."""
        if workflow.errors:
            raise BadInput(" | ".join(workflow.errors), where=workflow.path)
        known = self.contexts(run, workflow, repository)
        found: dict[str, Any] = {}
        if workflow.document.get("run-name"):
            found["title"] = str(self._parser.fill(workflow.document["run-name"], known))
        concurrency = self._parser.fill(workflow.document.get("concurrency"), known)
        if isinstance(concurrency, Mapping):
            found["group"] = str(concurrency.get("group") or "")
            found["cancel_in_progress"] = str(concurrency.get("cancel-in-progress")).lower() == "true"
        elif concurrency:
            found["group"] = str(concurrency)
        return found

    def contexts(self, run: Run, workflow: Workflow, repository: Repository) -> dict[str, Any]:
        """`github`, `inputs` and `vars` of one run."""
        typed = contexts.inputs(workflow.document, run.payload) if run.event == "workflow_dispatch" else {}
        variables = {} if run.fork else dict(repository.variables)
        return {"github": contexts.github(run, api_url=self._api_url), "inputs": typed, "vars": variables}


def _message(git: Git, event: Event) -> str:
    """Message of the head commit, which for a pull request is not the merge commit."""
    if event.name == "pull_request":
        return git.message(git.resolve(event.payload["pull_request"]["head"]["sha"]))
    if event.name == "push" and not event.payload.get("deleted"):
        return git.message(git.resolve(event.sha))
    return ""


def _commit(git: Git, repository: Repository, event: Event) -> Commit:
    if select.from_default_branch(event.name):
        ref = select.BRANCH + repository.default_branch
        return Commit(ref=ref, sha=git.resolve(ref))
    return Commit(ref=event.ref, sha=git.resolve(event.sha or event.ref))


def _starts(event: Event, workflow: Workflow) -> bool:
    if not workflow.document:
        # Nobody can tell what an unreadable file listens to; GitHub shows the failure for a push.
        return event.name == "push"
    return select.starts(event, workflow.path, workflow.document)


def _check_dispatch(event: Event, chosen: Sequence[Workflow]) -> None:
    if not chosen:
        raise BadInput("Workflow does not have 'workflow_dispatch' trigger", todo="name another workflow")
    contexts.inputs(chosen[0].document, event.payload)


def _run(event: Event, workflow: Workflow, commit: Commit) -> Run:
    pull: Mapping[str, Any] = event.payload.get("pull_request") or {}
    head = pull.get("head") or {}
    own = bool(pull) and not event.fork
    return Run(
        id=0,
        repository=event.repository,
        workflow=workflow.path,
        name=workflow.name,
        title=_title(event, workflow),
        event=event.name,
        action=str(event.payload.get("action") or ""),
        payload=event.payload,
        actor=event.actor,
        triggering_actor=event.actor,
        head_branch=str(head.get("ref") or contexts.short_ref(commit.ref)),
        head_sha=str(head.get("sha") or commit.sha),
        ref=commit.ref,
        sha=commit.sha,
        pull_requests=(int(pull["number"]),) if own else (),
        fork=select.without_rights(event),
    )


def _title(event: Event, workflow: Workflow) -> str:
    """What GitHub shows for a run without `run-name`."""
    payload = event.payload
    for subject in ("pull_request", "issue"):
        if payload.get(subject):
            return str(payload[subject].get("title") or "")
    if event.name == "push":
        message = str((payload.get("head_commit") or {}).get("message") or "")
        return message.split("\n", 1)[0]
    return workflow.name
