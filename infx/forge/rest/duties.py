"""Assignees, requested reviewers, locks of conversations."""

from typing import Any

from infx.forge import duties, issues, pulls
from infx.forge.problem import not_found, wrong
from infx.forge.rest.route import NOTHING, Call, R, Reply, created, route
from infx.forge.shapes import issue as shapes
from infx.forge.shapes import pull as pull_shapes
from infx.forge.shapes.user import user

WRITE = "issues|pull-requests:write"
ASSIGNEES, LOCK = f"{R}/issues/{{number}}/assignees", f"{R}/issues/{{number}}/lock"
REVIEWERS = f"{R}/pulls/{{number}}/requested_reviewers"


def names(call: Call, field: str) -> list[str]:
    """A list of text in the body, empty when it is not there."""
    found: Any = call.body.get(field) or []
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise wrong("Issue", field)
    return found


@route("GET", f"{R}/assignees", "metadata:read")
def assignable(call: Call) -> Reply:
    known = call.at.db.rows("SELECT login FROM users WHERE type != 'Organization' ORDER BY id")
    logins = [row["login"] for row in known if duties.assignable(call.at, row["login"])]
    return call.cut(logins, lambda login: user(call.site, login))


@route("GET", f"{R}/assignees/{{username}}", "metadata:read")
def is_assignable(call: Call) -> Reply:
    if not duties.assignable(call.at, call.params["username"]):
        raise not_found()
    return NOTHING


@route("POST", ASSIGNEES, WRITE)
def assign(call: Call) -> Reply:
    row = issues.find(call.at, call.number())
    duties.assign(call.at, row, names(call, "assignees"))
    return created(shapes.full(call.at, issues.again(call.at, row)))


@route("DELETE", ASSIGNEES, WRITE)
def unassign(call: Call) -> Reply:
    row = issues.find(call.at, call.number())
    duties.unassign(call.at, row, names(call, "assignees"))
    return Reply(shapes.full(call.at, issues.again(call.at, row)))


@route("PUT", LOCK, WRITE)
def lock(call: Call) -> Reply:
    duties.lock(call.at, issues.find(call.at, call.number()), call.body.get("lock_reason"))
    return NOTHING


@route("DELETE", LOCK, WRITE)
def unlock(call: Call) -> Reply:
    duties.unlock(call.at, issues.find(call.at, call.number()))
    return NOTHING


@route("GET", REVIEWERS, "pull-requests:read")
def reviewers(call: Call) -> Reply:
    row = pulls.find(call.at, call.number())
    found = pull_shapes.reviewers(call.at, row)
    return Reply({"users": found["requested_reviewers"], "teams": found["requested_teams"]})


@route("POST", REVIEWERS, "pull-requests:write", role="write")
def ask(call: Call) -> Reply:
    row = pulls.find(call.at, call.number())
    duties.ask(call.at, row, logins=names(call, "reviewers"), slugs=names(call, "team_reviewers"))
    return created(pull_shapes.simple(call.at, issues.again(call.at, row)))


@route("DELETE", REVIEWERS, "pull-requests:write", role="write")
def unask(call: Call) -> Reply:
    row = pulls.find(call.at, call.number())
    duties.unask(call.at, row, logins=names(call, "reviewers"), slugs=names(call, "team_reviewers"))
    return Reply(pull_shapes.simple(call.at, issues.again(call.at, row)))
