"""Builders: nouns with defaults, so that a test names only what it is about."""

from dataclasses import replace
from functools import cache
from typing import Any

from infx.edge import settings
from infx.event import PullRequest, Run, Title, Webhook
from infx.facts import Facts
from infx.rules import Rules

A, B, C = "a" * 40, "b" * 40, "c" * 40
"""Commits: A the head, B the base, C another."""
FAIL_FAST, FULL, FREE = "full-sweep-fail-fast", "full-sweep-enabled", "non-canary-full-sweep-enabled"
REPO = "acme/bench"


@cache
def rules(text: str = "") -> Rules:
    """Shipped rules with `text` laid over them."""
    return settings.parse(text)


def pull(**changes: Any) -> PullRequest:
    base: dict[str, Any] = {"number": 7, "open": True, "head_sha": A, "head_ref": "topic", "head_repo": REPO}
    return PullRequest(**{**base, "base_sha": B, "base_ref": "main", "base_repo": REPO, **changes})


def webhook(action: str = "labeled", label: str = "", **changes: Any) -> Webhook:
    """A pull request event; `changes` are those of the pull request."""
    return Webhook(
        name="pull_request", action=action, label=label, repository=REPO, sender="ada", pull=pull(**changes)
    )


def dispatched(mode: str, **changes: Any) -> Webhook:
    meant = Title(**{"pr": 7, "action": mode, "head_sha": A, "base_sha": B, **changes})
    return Webhook(name="workflow_dispatch", repository=REPO, sender="github-actions[bot]", dispatch=meant)


def event(action: str = "labeled", label: str = "", labels: tuple[str, ...] = (), **facts: Any) -> Facts:
    """Facts of a pull request event on a head that has these labels."""
    return Facts(webhook=webhook(action, label, labels=labels), **facts)


def run_of(run_id: int, facts: Facts, *, status: str = "in_progress", **changes: Any) -> Run:
    """The sweep run that the event of `facts` started."""
    title = facts.webhook.title
    assert title is not None
    return Run(id=run_id, status=status, title=title, pr=title.pr, head_sha=title.head_sha, **changes)


def on_head(facts: Facts, head: str) -> Facts:
    """The same event on another head."""
    assert facts.webhook.pull is not None
    there = replace(facts.webhook.pull, head_sha=head)
    return replace(facts, webhook=replace(facts.webhook, pull=there))
