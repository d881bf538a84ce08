"""Issues, their timeline and events."""

from infx.forge import issues, pulls
from infx.forge.rest.pulls import own_or_triage
from infx.forge.rest.route import Call, R, Reply, created, route
from infx.forge.shapes import commit as commits
from infx.forge.shapes import issue as shapes
from infx.forge.site import Json

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
    return call.rows(sql, *values, shape=lambda row: shapes.issue(call.site, call.repo, row))


@route("POST", f"{R}/issues", "issues:write", role="read")
def create(call: Call) -> Reply:
    body = issues.check_body(call.body.get("body") or "", "Issue")
    title = call.text("title", resource="Issue")
    row = issues.create(call.site, call.caller, call.repo, title=title, body=body)
    if call.body.get("labels"):
        issues.add_labels(call.site, call.caller, call.repo, row, call.body["labels"])
    return created(shapes.full(call.site, call.repo, issues.again(call.site, row)))


@route("GET", f"{R}/issues/{{number}}", "issues|pull-requests:read")
def get(call: Call) -> Reply:
    row = issues.find(call.site, call.repo, call.number())
    return Reply(shapes.full(call.site, call.repo, row))


@route("PATCH", f"{R}/issues/{{number}}", "issues|pull-requests:write", role="read")
def edit(call: Call) -> Reply:
    site, caller, repo = call.site, call.caller, call.repo
    row = issues.find(site, repo, call.number())
    own_or_triage(call, row)
    row = pulls.edit(site, caller, repo, row, {k: v for k, v in call.body.items() if k in ("title", "body")})
    if call.body.get("labels") is not None:
        issues.set_labels(site, caller, repo, row, [str(name) for name in call.body["labels"]])
    if "state" in call.body:
        change = pulls.set_state if row["pull"] else issues.set_state
        change(site, caller, repo, row, call.text("state"))
    return Reply(shapes.full(site, repo, issues.again(site, row)))


def entries(call: Call) -> list[tuple[str, Json]]:
    """Everything on the timeline, by time."""
    site, repo = call.site, call.repo
    row = issues.find(site, repo, call.number())
    found = [
        (one["created_at"], shapes.event(site, repo, one))
        for one in site.db.rows("SELECT * FROM timeline WHERE issue = ? ORDER BY id", row["id"])
    ]
    comments = site.db.rows(
        f"{issues.COMMENT} AND comments.issue = ? ORDER BY comments.id", repo["id"], row["id"]
    )
    for one in comments:
        shape = shapes.comment(site, repo, one)
        found.append((one["created_at"], {**shape, "event": "commented", "actor": shape["user"]}))
    if row["pull"]:
        span = f"{row['base_sha']}..{row['head_sha']}"
        for commit in site.bare(repo).log("--topo-order", "--reverse", span):
            found.append(
                (commit.committer.date, {**commits.git_commit(site, repo, commit), "event": "committed"})
            )
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
    row = call.site.db.row(
        "SELECT * FROM timeline WHERE repo = ? AND id = ?", call.repo["id"], call.number("id")
    )
    if not row:
        raise issues.not_found()
    return Reply(shapes.event(call.site, call.repo, row))
