"""What the Actions half of the embedded GitHub and its API half know of each other, and nothing more."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened in a repository, as its webhook tells it."""

    repository: str
    """`owner/name`."""
    name: str
    """`pull_request`, `push`, `workflow_run`, …"""
    payload: Mapping[str, Any]
    """The official webhook payload."""
    actor: str
    """Login."""
    ref: str
    """GITHUB_REF of runs that do not belong to the default branch, such as `refs/pull/7/merge`."""
    sha: str
    """GITHUB_SHA of those runs, such as the test merge commit."""
    by_job_token: bool = False
    """Made with a job's GITHUB_TOKEN: starts nothing, dispatches excepted."""
    conflict: bool = False
    """The pull request cannot be merged: GitHub starts no `pull_request` run."""
    fork: bool = False
    needs_approval: bool = False
    changed: Sequence[str] = ()
    """Paths that a push or pull request changes, for `paths` filters."""


@dataclass(frozen=True, kw_only=True)
class Repository:
    """What a run needs to know of its repository."""

    full_name: str
    git_dir: Path
    """Bare repository on this machine."""
    default_branch: str
    owner: str
    private: bool = False
    variables: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict)
    default_permissions: str = "read"
    environments: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Environments that only some refs may deploy to: name → patterns of their short names."""
    environment_secrets: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    environment_variables: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What the jobs of an environment see above the repository's own, by its name in lower case."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """One attempt of one workflow run. Times are ISO 8601 in UTC, as in the REST API."""

    id: int
    """0 until the store gave it one."""
    repository: str
    workflow: str
    """Path of the workflow file."""
    name: str
    """`name:` of the workflow."""
    title: str
    """`run-name:` evaluated, else what GitHub shows."""
    event: str
    action: str
    payload: Mapping[str, Any]
    actor: str
    triggering_actor: str
    head_branch: str
    head_sha: str
    ref: str
    sha: str
    """GITHUB_SHA: the commit whose workflow file runs."""
    group: str = ""
    """Concurrency group, evaluated; empty when none."""
    cancel_in_progress: bool = False
    attempt: int = 1
    number: int = 0
    status: str = "queued"
    """`queued`, `waiting`, `in_progress`, `completed`."""
    conclusion: str | None = None
    """`success`, `failure`, `cancelled`, `skipped`, `startup_failure`, `action_required`."""
    pull_requests: Sequence[int] = ()
    fork: bool = False


@dataclass(frozen=True, kw_only=True)
class Job:
    """One job of one attempt, matrix cells each on their own."""

    id: int
    run: int
    attempt: int
    name: str
    """As GitHub shows it, matrix values in brackets."""
    labels: Sequence[str]
    status: str = "queued"
    conclusion: str | None = None
    runner: str = ""
    started_at: str | None = None
    completed_at: str | None = None
    steps: Sequence[Mapping[str, Any]] = ()
    """`name`, `number`, `status`, `conclusion`, `started_at`, `completed_at`."""


@dataclass(frozen=True, kw_only=True)
class Runner:
    """One registered runner. Hosted labels such as `ubuntu-latest` are runners too, marked `hosted`."""

    id: int
    name: str
    labels: Sequence[str]
    online: bool = True
    hosted: bool = False
    env: Mapping[str, str] = field(default_factory=dict)
    """Environment that the machine itself brings, such as staged model paths."""


class Store(Protocol):
    """What the Actions half asks of the API half. Every method is safe to call from any thread."""

    def repository(self, full_name: str) -> Repository: ...

    def runners(self, full_name: str) -> Sequence[Runner]: ...

    def add_run(self, run: Run) -> Run:
        """Stored with its id (greater than every older id) and its number."""

    def change_run(self, run_id: int, **changes: Any) -> Run: ...

    def run(self, run_id: int) -> Run: ...

    def unfinished_runs(self, full_name: str) -> Sequence[Run]: ...

    def add_job(self, job: Job) -> Job: ...

    def change_job(self, job_id: int, **changes: Any) -> Job: ...

    def jobs(self, run_id: int, attempt: int) -> Sequence[Job]: ...

    def append_log(self, job_id: int, text: str) -> None: ...

    def mint_token(self, full_name: str, *, run: int, job: int, permissions: Mapping[str, str]) -> str:
        """GITHUB_TOKEN of one job; the API obeys `permissions` and ends the token with the job."""

    def end_token(self, token: str) -> None: ...

    def tell(self, name: str, action: str, run: Run, job: Job | None = None) -> None:
        """`workflow_run` or `workflow_job` happened: the API half builds and delivers the event."""

    def now(self) -> float:
        """Unix seconds on the forge's clock, which tests can move."""


class Engine(Protocol):
    """What the API half asks of the Actions half."""

    def deliver(self, event: Event) -> Sequence[int]:
        """Start what the event starts; ids of the runs, which are stored. Jobs follow in threads."""

    def cancel(self, run_id: int) -> None: ...

    def rerun(self, run_id: int, *, failed_only: bool, job_id: int | None = None, actor: str = "") -> None:
        """A new attempt with the old payload and the old commit; `actor` is the new triggering actor."""

    def approve(self, run_id: int) -> None: ...

    def runners_changed(self) -> None:
        """A runner came, went, or changed its labels."""

    def wait_idle(self, timeout_s: float) -> bool:
        """True once nothing goes on without an outside event (queued jobs without a runner do not count)."""

    def close(self) -> None:
        """End every process that the engine started."""
