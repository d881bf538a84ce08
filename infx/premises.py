"""Premises: what GitHub shows of a repository's settings. None means: this token may not see it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

LEVELS = ("none", "read", "write")
"""What a job's token may do with one kind of thing, the least first."""


@dataclass(frozen=True, kw_only=True)
class Runner:
    """One registered self-hosted runner."""

    id: int
    name: str
    online: bool
    busy: bool
    labels: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class RunnerGroup:
    """One runner group of the organisation that this repository may use."""

    name: str
    every_repository: bool
    workflows: tuple[str, ...] | None
    """Workflows that it is restricted to; None for any workflow."""
    public: bool
    """Whether public repositories may use it."""


@dataclass(frozen=True, kw_only=True)
class Required:
    """One status that the default branch requires before a merge."""

    context: str
    app: int | None
    """Id of the app that has to send it; None accepts anybody's."""


@dataclass(frozen=True, kw_only=True)
class Environment:
    """One deployment environment."""

    name: str
    branches: tuple[str, ...] | None
    """Branches that may use it; None for every branch."""


@dataclass(frozen=True, kw_only=True)
class Workflow:
    """What a workflow file of the default branch says, as far as security goes."""

    events: frozenset[str]
    permissions: Mapping[str, str]
    """Highest permission of any of its jobs, by scope."""
    environments: frozenset[str] = frozenset()
    unpinned: tuple[str, ...] = ()
    """Actions that are not named by a commit."""
    fault: str = ""
    """Why the file cannot be read; everything else is empty then."""


@dataclass(frozen=True, kw_only=True)
class Premises:
    """Everything that `infx doctor` judges."""

    repository: str
    default_branch: str
    private: bool = False
    labels: Mapping[str, str] | None = None
    """Name → colour."""
    workflows: Mapping[str, Workflow] | None = None
    """Name without ending → what its file says."""
    configs: Sequence[str] | None = None
    """One sentence for each config of the default branch that cannot be read."""
    labels_of_runners: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Runner label of `runners.yaml` → its nodes."""
    token: str | None = None
    """Default permissions of a job's token: `read` or `write`."""
    approves: bool | None = None
    """Whether a job's token may approve pull requests."""
    forks: str | None = None
    """Which contributors' runs wait for approval, in GitHub's words."""
    environments: Sequence[Environment] | None = None
    secrets: Sequence[str] | None = None
    """Names of secrets that every workflow of the repository can read."""
    runners: Sequence[Runner] | None = None
    groups: Sequence[RunnerGroup] | None = None
    required: Sequence[Required] | None = None
    queue: bool | None = None
    """Whether the default branch merges through a merge queue."""
    owners: Sequence[str] | None = None
    """Faults of CODEOWNERS; empty when it is right."""
    owned: bool = True
    """Whether there is a CODEOWNERS file."""
