"""Event: what GitHub tells us, cut down to the fields that decisions read. Frozen and free of any client."""

from dataclasses import dataclass

BODY_LIMIT = 65_536
"""Characters of a description, comment or review (GitHub's answer to longer ones)."""


@dataclass(frozen=True, kw_only=True)
class PullRequest:
    """A pull request as one payload or one API answer showed it."""

    number: int
    open: bool
    merged: bool = False
    draft: bool = False
    author: str = ""
    labels: tuple[str, ...] = ()
    head_sha: str
    head_ref: str = ""
    head_repo: str | None = None
    """`owner/name`; None when the head repository was deleted."""
    base_sha: str
    base_ref: str = ""
    base_repo: str = ""
    mergeable: bool | None = None
    """None while GitHub has not computed it."""

    @property
    def fork(self) -> bool:
        """Nothing of its own workflow files may count: another repository, a deleted one, or Dependabot."""
        return self.head_repo != self.base_repo or self.author == "dependabot[bot]"


@dataclass(frozen=True, kw_only=True)
class Comment:
    """A conversation comment."""

    id: int
    node: str = ""
    """Its id in GraphQL."""
    body: str
    author: str
    author_id: int = 0
    """Number of the account, which stays when the login changes."""
    author_type: str = "User"
    """`User` or `Bot`."""
    association: str = "NONE"
    created_at: str = ""
    updated_at: str = ""
    url: str = ""
    reactions: frozenset[str] | None = None
    """Kinds of reactions that it has, of whomever; None when that was not told."""


@dataclass(frozen=True, kw_only=True)
class Review:
    """A review of a pull request."""

    author: str
    state: str
    """`APPROVED`, `CHANGES_REQUESTED`, `COMMENTED`, `DISMISSED` or `PENDING`."""
    commit: str = ""
    """Commit that was looked at; empty when it is gone."""
    author_type: str = "User"
    """`User` or `Bot`."""


@dataclass(frozen=True, kw_only=True)
class Remark:
    """Words of a person in a pull request: a comment, the body of a review, or a comment on a line."""

    place: str
    """`comment`, `review` or `inline`."""
    id: int
    node: str = ""
    """Its id in GraphQL."""
    body: str
    author: str
    author_id: int = 0
    bot: bool = False
    at: str = ""
    """When they were written or last changed, ISO 8601 in UTC."""
    url: str = ""
    commit: str = ""
    """Head that a review was written on; GitHub does not keep it of comments."""
    dismissed: bool = False


@dataclass(frozen=True, kw_only=True)
class Title:
    """What a run of the sweep workflow was for, written into its `run-name` by `sweep.yml`."""

    pr: int
    """0 for a one-off run that belongs to no pull request."""
    action: str
    """Action of the pull request event; `fork`, `resume` or `one-off` for a dispatch."""
    head_sha: str
    base_sha: str
    label: str = ""
    """The label that was added or removed."""
    labels: frozenset[str] = frozenset()
    key: str = ""
    """Config key of a one-off."""
    conc: tuple[int, ...] = ()
    """Concurrencies of a one-off; none means all."""
    mark: str = ""
    """Made for one dispatch, so that its run is found among all others; empty for runs of events."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """One workflow run in its newest attempt. Times are ISO 8601 in UTC."""

    id: int
    attempt: int = 1
    event: str = "pull_request"
    path: str = ""
    """Path of the workflow file."""
    status: str = "completed"
    conclusion: str | None = None
    head_sha: str = ""
    head_branch: str = ""
    head_repo: str | None = None
    pr: int | None = None
    """From the title, else from GitHub's own list."""
    title: Title | None = None
    """None when the title is not in our form."""
    created_at: str = ""
    url: str = ""

    @property
    def active(self) -> bool:
        """Queued, waiting or running. A run that waits for approval has not begun and is not active."""
        return self.status != "completed" and self.status != "action_required"

    @property
    def awaits_approval(self) -> bool:
        return "action_required" in (self.status, self.conclusion)


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step of a job. Times are ISO 8601 in UTC."""

    name: str
    status: str = "completed"
    conclusion: str | None = None
    started_at: str | None = None
    completed_at: str | None = None

    @property
    def times(self) -> tuple[str | None, str | None]:
        """Beginning and end."""
        return self.started_at, self.completed_at


@dataclass(frozen=True, kw_only=True)
class JobView:
    """One job of one attempt of a run."""

    id: int
    name: str
    status: str
    conclusion: str | None = None
    runner: str = ""
    labels: tuple[str, ...] = ()
    attempt: int = 1
    started_at: str | None = None
    completed_at: str | None = None
    url: str = ""
    steps: tuple[Step, ...] = ()

    @property
    def times(self) -> tuple[str | None, str | None]:
        """Beginning and end; a job that no runner took has its creation as its beginning."""
        return self.started_at, self.completed_at


@dataclass(frozen=True, kw_only=True)
class Artifact:
    """One stored artifact of a run."""

    id: int
    name: str
    size: int
    """Bytes of the archive."""
    expired: bool = False
    created_at: str = ""
    expires_at: str = ""
    run_id: int = 0
    head_sha: str = ""


@dataclass(frozen=True, kw_only=True)
class LabelChange:
    """A label was set on a pull request, or removed from it."""

    at: str
    """ISO 8601 in UTC."""
    label: str
    on: bool
    by: str = ""
    """Login of who did it."""


@dataclass(frozen=True, kw_only=True)
class FileChange:
    """One changed file of a pull request; both sides of a rename are named."""

    path: str
    status: str
    """`added`, `modified`, `removed`, `renamed`, …"""
    previous: str = ""
    additions: int = 0
    deletions: int = 0


@dataclass(frozen=True, kw_only=True)
class Webhook:
    """One delivery: the event's name and the parts that infx reads of it."""

    name: str
    """`pull_request`, `workflow_dispatch`, …; `unknown` when the payload fits no event."""
    action: str = ""
    repository: str = ""
    sender: str = ""
    pull: PullRequest | None = None
    label: str = ""
    """The label that was added or removed."""
    base_changed: bool = False
    """`edited`: the base branch is another one now."""
    at_opening: bool = False
    """A label that came together with the opening, not afterwards."""
    dispatch: Title | None = None
    """Inputs of a `workflow_dispatch`, when they are those of the sweep workflow."""
    message: str | None = None
    """Head commit message, when the payload carries it (`push`)."""

    @property
    def title(self) -> Title | None:
        """Title of the sweep run that this delivery starts; None when it starts none."""
        if self.pull is None:
            return self.dispatch
        return Title(
            pr=self.pull.number,
            action=self.action,
            head_sha=self.pull.head_sha,
            base_sha=self.pull.base_sha,
            label=self.label,
            labels=frozenset(self.pull.labels),
        )
