"""Milestones of a repository."""

from typing import Any

from infx.forge.database import Row
from infx.forge.problem import not_found, wrong
from infx.forge.rest.route import NOTHING, Call, R, Reply, created, route
from infx.forge.shapes.milestone import milestone

HERE, ONE = f"{R}/milestones", f"{R}/milestones/{{number}}"
READ, WRITE = "issues|pull-requests:read", "issues|pull-requests:write"
STATES = ("open", "closed")


def find(call: Call, number: int) -> Row:
    row = call.at.db.row("SELECT * FROM milestones WHERE repo = ? AND number = ?", call.repo["id"], number)
    if not row:
        raise not_found()
    return row


def columns(call: Call) -> dict[str, Any]:
    """What the body sets; 422 for what a milestone cannot have."""
    fields = ("title", "state", "description", "due_on")
    found: dict[str, Any] = {name: call.body[name] for name in fields if call.body.get(name) is not None}
    for name, value in found.items():
        if not isinstance(value, str) or (name == "state" and value not in STATES):
            raise wrong("Milestone", name)
    if "state" in found:
        found["closed_at"] = call.site.stamp() if found["state"] == "closed" else None
    return found


@route("GET", HERE, READ)
def listing(call: Call) -> Reply:
    sql, values = "SELECT * FROM milestones WHERE repo = ?", [call.repo["id"]]
    state = call.query.get("state", "open")
    if state != "all":
        sql, values = f"{sql} AND state = ?", [*values, state]
    return call.rows(f"{sql} ORDER BY number", *values, shape=lambda row: milestone(call.at, row))


@route("POST", HERE, WRITE)
def create(call: Call) -> Reply:
    title, now = call.text("title", resource="Milestone"), call.site.stamp()
    known = "SELECT 1 FROM milestones WHERE repo = ? AND title = ?"
    if call.at.db.row(known, call.repo["id"], title):
        raise wrong("Milestone", "title", "already_exists")
    last = call.at.db.value("SELECT max(number) FROM milestones WHERE repo = ?", call.repo["id"])
    number, who = (last or 0) + 1, call.caller.login
    given = {"state": "open", **columns(call), "repo": call.repo["id"], "number": number, "author": who}
    call.at.db.insert("milestones", **given, created_at=now, updated_at=now)
    return created(milestone(call.at, find(call, number)))


@route("GET", ONE, READ)
def get(call: Call) -> Reply:
    return Reply(milestone(call.at, find(call, call.number())))


@route("PATCH", ONE, WRITE)
def edit(call: Call) -> Reply:
    row = find(call, call.number())
    call.at.db.change("milestones", row["id"], **columns(call), updated_at=call.site.stamp())
    return get(call)


@route("DELETE", ONE, WRITE)
def delete(call: Call) -> Reply:
    row = find(call, call.number())
    with call.at.db.transaction():
        call.at.db.run("UPDATE issues SET milestone = NULL WHERE milestone = ?", row["id"])
        call.at.db.run("DELETE FROM milestones WHERE id = ?", row["id"])
    return NOTHING
