"""REST: one module for each resource; importing this package registers every route."""

from infx.forge.rest import (
    artifacts,
    checks,
    comments,
    commits,
    contents,
    git,
    issues,
    labels,
    pulls,
    repos,
    reviews,
    runners,
    runs,
    settings,
    users,
    workflows,
)
from infx.forge.rest.route import ROUTES

__all__ = [
    "ROUTES",
    "artifacts",
    "checks",
    "comments",
    "commits",
    "contents",
    "git",
    "issues",
    "labels",
    "pulls",
    "repos",
    "reviews",
    "runners",
    "runs",
    "settings",
    "users",
    "workflows",
]
