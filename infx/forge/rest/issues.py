"""Issues, their timeline and events."""

from typing import Any

from infx.forge import duties, issues, pulls
from infx.forge.database import Row
from infx.forge.problem import not_found
from infx.forge.rest import labels
from infx.forge.rest.duties import names
from infx.forge.rest.pulls import own_or_triage
from infx.forge.rest.route import Call, R, Reply, created, route
from infx.forge.shapes import commit as commits
from infx.forge.shapes import issue as shapes
from infx.forge.site import Json
from infx.forge.tokens import at_least, role_of

NOT_EVENTS = ("commented", "committed", "reviewed")
"""Timeline entries that the events list leaves out."""


@route("GET", f"{R}/issues", "issues:read")
def listing(call: Call) -> Reply:
    state = call.query.get("state", "open")
    where, values = ["repo = ?"], [call.repo["id"]]
    if state != "all":
        where, values = [*where, "state = ?"], [*values, state]
    for name in filter(None, call.query.get("labels", "").split(",")):
        where.append("id IN (SELECT issue FROM issue_labels JOIN labels ON labels.id = label WHERE name = ?)")
        values.append(name)
    sql = f"SELECT * FROM issues WHERE {' AND '.join(where)} ORDER BY id DESC"
    return call.rows(sql, *values, shape=lambda row: shapes.full(call.at, row))


@route("POST", f"{R}/issues", "issues:write", role="read")
def create(call: Call) -> Reply:
    given = call.body.get("body")
    body = None if given is None else issues.check_body(given, "Issue")
    title = call.text("title", resource="Issue")
    wanted = labels.names(call) if call.body.get("labels") else []
    row = issues.create(call.at, title=title, body=body)
    issues.add_labels(call.at, row, wanted)
    at_work(call, row)
    return created(shapes.full(call.at, issues.again(call.at, row)))


def at_work(call: Call, row: Row) -> None:
    """`assignees` and `milestone` of the body; who may not triage has them passed over, as on GitHub."""
    if call.caller.by_app or at_least(role_of(call.at, call.caller.login), "triage"):
        if call.body.get("assignees") is not None:
            duties.set_assignees(call.at, row, names(call, "assignees"))
        if "milestone" in call.body:
            duties.set_milestone(call.at, row, call.body["milestone"])


@route("GET", f"{R}/issues/{{number}}", "issues|pull-requests:read")
def get(call: Call) -> Reply:
    row = issues.find(call.at, call.number())
    return Reply(shapes.full(call.at, row))


@route("PATCH", f"{R}/issues/{{number}}", "issues|pull-requests:write", role="read")
def edit(call: Call) -> Reply:
    row = issues.find(call.at, call.number())
    own_or_triage(call, row)
    wanted = None if call.body.get("labels") is None else labels.names(call)
    texts: dict[str, Any] = {name: call.body[name] for name in ("title", "body") if name in call.body}
    row = pulls.edit(call.at, row, texts)
    if wanted is not None:
        issues.set_labels(call.at, row, wanted)
    if "state" in call.body:
        change = pulls.set_state if row["pull"] else issues.set_state
        change(call.at, row, call.text("state"))
    at_work(call, issues.again(call.at, row))
    return Reply(shapes.full(call.at, issues.again(call.at, row)))


def entries(call: Call) -> list[tuple[str, Json]]:
    """Everything on the timeline, by time."""
    at = call.at
    row = issues.find(at, call.number())
    happened = at.db.rows("SELECT * FROM timeline WHERE issue = ? ORDER BY id", row["id"])
    found = [(one["created_at"], shapes.event(at, one)) for one in happened]
    said = f"{issues.COMMENT} AND comments.issue = ? ORDER BY comments.id"
    for one in at.db.rows(said, at.repo["id"], row["id"]):
        shape = shapes.comment(at, one)
        found.append((one["created_at"], {**shape, "event": "commented", "actor": shape["user"]}))
    if row["pull"]:
        for commit in at.bare.log("--topo-order", "--reverse", f"{row['base_sha']}..{row['head_sha']}"):
            shape = {**commits.git_commit(at, commit), "event": "committed"}
            found.append((commit.committer.date, shape))
    return sorted(found, key=lambda pair: pair[0])


@route("GET", f"{R}/issues/{{number}}/timeline", "issues|pull-requests:read")
def timeline(call: Call) -> Reply:
    return call.cut(entries(call), lambda pair: pair[1])


@route("GET", f"{R}/issues/{{number}}/events", "issues|pull-requests:read")
def events(call: Call) -> Reply:
    found = [shape for _, shape in entries(call) if shape["event"] not in NOT_EVENTS]
    return call.cut(found, lambda shape: shape)


@route("GET", f"{R}/issues/events/{{id}}", "issues|pull-requests:read")
def event(call: Call) -> Reply:
    row = call.at.db.row(
        "SELECT * FROM timeline WHERE repo = ? AND id = ?", call.repo["id"], call.number("id")
    )
    if not row:
        raise not_found()
    issue = shapes.issue(call.at, issues.again(call.at, {"id": row["issue"]}))
    return Reply({**shapes.event(call.at, row), "issue": issue})
