"""Facts: everything the event decision may look at. None always means "not looked at", never "no"."""

from dataclasses import dataclass, field
from enum import StrEnum

from infx.event import PullRequest, Run, Webhook

FORMAT = 1


class Answer(StrEnum):
    """Three values, because GitHub does not always answer."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    """It was asked and could not be told; nothing may rest on it."""


class Reuse(StrEnum):
    """What the authorised reuse of results, if there is one, says about the new head."""

    NONE = "none"
    COVERS = "covers"
    DOES_NOT_COVER = "does-not-cover"


@dataclass(frozen=True, kw_only=True)
class Role:
    """What GitHub says about one person in one repository, at the moment of acting."""

    login: str
    permission: str | None = None
    """`admin`, `write`, `read` or `none`; None when GitHub could not tell."""
    role_name: str | None = None
    """The exact role, custom ones included."""
    association: str = "NONE"
    bot: bool = False
    id: int = 0
    """Number of the account that has the login now; 0 when not looked up."""
    acted_as: int = 0
    """Number of the account that acted; logins can be given up and taken by somebody else."""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """One event, and what was looked up for it."""

    webhook: Webhook
    run_id: int | None = None
    """Own run of the sweep workflow; None in control, which has none."""
    attempt: int = 1
    live: PullRequest | None = None
    """The pull request as it is now."""
    message: str | None = None
    """Message of the head commit."""
    may_label: Answer | None = None
    """The live role of who set the label is enough to start GPU jobs."""
    may_grant: Answer | None = None
    """The grant label on the pull request was set by maintain or admin."""
    reuse: Reuse | None = None
    runs: tuple[Run, ...] | None = None
    """Runs of the sweep workflow for this pull request, finished ones too."""
    points: int | None = None
    """Points of the plan; None before there is one."""
    points_changed: bool | None = None
    """Base changed: the plan at the new base holds other points."""
    gpu_hours: float | None = None
    """Expected GPU-hours of the plan; None before there is one."""
    gpu_hours_before: float = 0.0
    """GPU-hours that earlier sweeps of the pull request took."""
    plan_recorded: bool | None = None
    """Re-run: the first attempt left a plan to repeat."""


@dataclass(frozen=True, kw_only=True)
class PermitFacts:
    """One question to the permit policy: may this person do what needs that role."""

    person: Role
    needs: str = "write"
    editor: Role | None = field(default=None)
    """Who edited the comment; must be allowed as well."""
    by_association: bool = False
    """The repository asked for the literal association rule."""
