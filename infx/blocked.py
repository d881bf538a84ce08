"""Blocked: single topics of what blocks a merge, told by the jobs that learn of them first."""

from collections.abc import Sequence

from infx.blocker import Topic
from infx.decision import Decision
from infx.edge import sticky
from infx.edge.checks import Checks
from infx.edge.github import GitHub
from infx.event import PullRequest
from infx.policy import blocking
from infx.rules import Rules
from infx.say import blocking as says
from infx.say import comment
from infx.signoff import Finding

Order = tuple[int, ...]
"""Run id and attempt of the own workflow run."""


def tell_reuse(
    github: sticky.Comments,
    pull: PullRequest,
    answer: Decision,
    *,
    order: Order,
    rules: Rules,
    since: str = "",
) -> None:
    """What the status before the merge asks for."""
    _put(github, pull, reuse(pull, answer, order), rules=rules, since=since)


def reuse(pull: PullRequest, answer: Decision, order: Order) -> Sequence[comment.Section]:
    """The same, for a job that writes the comment anyway."""
    return says.sections(Topic.REUSE, blocking.of_reuse(answer), head=pull.head_sha, order=order)


def tell_people(
    github: GitHub,
    pull: PullRequest,
    signed: tuple[str, str],
    *,
    order: Order,
    rules: Rules,
    findings: Sequence[Finding] = (),
) -> None:
    """What reviewers and code owners have said. `signed` is state and text of the sign-off's status, and
    `findings` are what its checks found."""
    reviews, head = Checks(github).reviews(pull.number), pull.head_sha
    signoff = blocking.of_signoff(*signed, required=rules.signoff == "required")
    voted = blocking.of_reviews(reviews, author=pull.author, bots=rules.review_bots)
    notes = says.uncovered(blocking.uncovered(reviews, bots=rules.review_bots, head=head))
    parts = [
        *says.sections(Topic.SIGNOFF, [*signoff, *blocking.of_upstream(findings)], head=head, order=order),
        *says.sections(Topic.REVIEWS, voted, head=head, order=order, notes=notes),
    ]
    _put(github, pull, parts, rules=rules)


def _put(
    github: sticky.Comments,
    pull: PullRequest,
    parts: Sequence[comment.Section],
    *,
    rules: Rules,
    since: str = "",
) -> None:
    """Into the status comment; a conversation without one gets none for it."""
    sticky.put(
        github,
        pull.number,
        comment.STATUS,
        render=lambda old: comment.compose(old, *parts) if old else "",
        since=since,
        former=rules.former_bots,
    )
