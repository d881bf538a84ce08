"""Statuses and check runs of a commit."""

from typing import Any

from infx.forge import hooks
from infx.forge.database import Row, pack, unpack
from infx.forge.problem import Problem, not_found, wrong
from infx.forge.rest import git
from infx.forge.rest.route import Call, R, Reply, created, route
from infx.forge.shapes import commit as shapes
from infx.forge.shapes import run as run_shapes
from infx.forge.shapes.repo import minimal
from infx.forge.site import Json

STATES = ("error", "failure", "pending", "success")
DESCRIPTION_LIMIT = 140
MOST_ANNOTATIONS = 50
"""In one request (docs: Create a check run)."""
JOB_CHECKS = """
SELECT jobs.id AS id, jobs.sha AS sha, jobs.name AS name, jobs.status AS status,
  jobs.conclusion AS conclusion, coalesce(jobs.started_at, jobs.created_at) AS started_at,
  jobs.completed_at AS completed_at, jobs.repo AS repo, NULL AS details_url, NULL AS external_id,
  'github-actions' AS app, NULL AS data, jobs.run + 1000000000 AS suite, jobs.run AS run
FROM jobs JOIN runs ON runs.id = jobs.run AND runs.attempt = jobs.attempt
"""
OWN_CHECKS = """
SELECT id, sha, name, status, conclusion, started_at, completed_at, repo, details_url, external_id,
  app, data, id AS suite, NULL AS run FROM checks
"""
CHECKS = f"SELECT * FROM ({JOB_CHECKS} UNION ALL {OWN_CHECKS})"
"""Jobs of the newest attempt of each run, and check runs made by API."""


def commit_of(call: Call, name: str = "ref") -> str:
    sha = call.at.bare.sha(call.params[name])
    if not sha:
        raise Problem(422, f"No commit found for SHA: {call.params[name]}")
    return sha


@route("POST", f"{R}/statuses/{{sha}}", "statuses:write")
def create(call: Call) -> Reply:
    sha, description = commit_of(call, "sha"), call.body.get("description")
    if call.body.get("state") not in STATES:
        raise wrong("Status", "state")
    if description is not None and len(str(description)) > DESCRIPTION_LIMIT:
        problem = f"description is too long (maximum is {DESCRIPTION_LIMIT} characters)"
        error = {"resource": "Status", "code": "custom", "field": "description", "message": problem}
        raise Problem(422, "Validation Failed", errors=[error])
    columns = {
        "state": call.body["state"],
        "context": call.text("context", default="default"),
        "description": description,
        "target_url": call.body.get("target_url"),
    }
    status_id = call.at.db.insert(
        "statuses",
        repo=call.repo["id"],
        sha=sha,
        author=call.caller.login,
        created_at=call.site.stamp(),
        **columns,
    )
    row = call.at.db.row("SELECT * FROM statuses WHERE id = ?", status_id)
    assert row
    tell(call, row)
    return created(shapes.status(call.at, row))


def branches_at(call: Call, sha: str) -> list[Json]:
    """Branches whose tip is the commit (GitHub lists ten at most)."""
    sql = "SELECT ref FROM refs WHERE repo = ? AND sha = ? AND ref LIKE 'refs/heads/%' ORDER BY ref LIMIT 10"
    return [git.short_branch(call, one["ref"], sha) for one in call.at.db.rows(sql, call.repo["id"], sha)]


def tell(call: Call, row: Row) -> None:
    """The `status` webhook."""
    commit = call.at.bare.commit(row["sha"])
    payload: dict[str, Any] = {
        **{name: row[name] for name in ("id", "sha", "state", "description", "target_url", "context")},
        "name": call.repo["full_name"],
        "avatar_url": None,
        "commit": shapes.commit(call.at, commit),
        "branches": branches_at(call, row["sha"]),
        "created_at": row["created_at"],
        "updated_at": row["created_at"],
    }
    hooks.send(call.at, "status", payload)


@route("GET", f"{R}/commits/{{ref:path}}/statuses", "statuses:read")
def listing(call: Call) -> Reply:
    sql = "SELECT * FROM statuses WHERE repo = ? AND sha = ? ORDER BY id DESC"
    return call.rows(sql, call.repo["id"], commit_of(call), shape=lambda row: shapes.status(call.at, row))


@route("GET", f"{R}/commits/{{ref:path}}/status", "statuses:read")
def combined(call: Call) -> Reply:
    """The newest status of each context, and the worst of them."""
    at, sha = call.at, commit_of(call)
    newest = "SELECT max(id) FROM statuses WHERE repo = ? AND sha = ? GROUP BY context"
    rows = at.db.rows(f"SELECT * FROM statuses WHERE id IN ({newest}) ORDER BY id", at.repo["id"], sha)
    states = {row["state"] for row in rows}
    state = (
        "failure"
        if states & {"failure", "error"}
        else "pending"
        if "pending" in states or not rows
        else "success"
    )
    here = f"{call.at.api}/commits/{sha}"
    page, size = call.paging
    body = {
        "state": state,
        "statuses": [shapes.simple_status(at, row) for row in rows[(page - 1) * size : page * size]],
        "sha": sha,
        "total_count": len(rows),
        "repository": minimal(at),
        "commit_url": here,
        "url": f"{here}/status",
    }
    return Reply(body, headers=call.link(len(rows)))


def shape(call: Call, row: Row) -> Any:
    page = f"{call.at.page}/actions/runs/{row['run']}/job/{row['id']}"
    return run_shapes.check_run(
        call.at, {**row, "details_url": row["details_url"] or (page if row["run"] else None)}
    )


@route("GET", f"{R}/commits/{{ref:path}}/check-runs", "checks:read")
def check_runs(call: Call) -> Reply:
    sql, values = f"{CHECKS} WHERE repo = ? AND sha = ?", [call.repo["id"], commit_of(call)]
    for field, column in (("check_name", "name"), ("status", "status")):
        if field in call.query:
            sql, values = f"{sql} AND {column} = ?", [*values, call.query[field]]
    return call.rows(
        f"{sql} ORDER BY id DESC", *values, shape=lambda row: shape(call, row), envelope="check_runs"
    )


@route("GET", f"{R}/check-runs/{{id}}", "checks:read")
def check_run(call: Call) -> Reply:
    row = call.at.db.row(f"{CHECKS} WHERE repo = ? AND id = ?", call.repo["id"], call.number("id"))
    if not row:
        raise not_found()
    return Reply(shape(call, row))


@route("POST", f"{R}/check-runs/{{id}}/rerequest", "checks:write")
def rerequest(call: Call) -> Reply:
    """The App that made the check hears that it shall be done again."""
    check_run(call)
    tell_check(call, "rerequested")
    return created({})


@route("GET", f"{R}/check-runs/{{id}}/annotations", "checks:read")
def annotations(call: Call) -> Reply:
    check_run(call)
    data = call.at.db.value("SELECT data FROM checks WHERE id = ?", call.number("id"))
    found = (unpack(data) or {}).get("annotations") or []
    blank = dict.fromkeys(("start_column", "end_column", "title", "raw_details"))
    page = f"{call.at.page}/blob/{check_run(call).body['head_sha']}"
    return call.cut(found, lambda one: {**blank, **one, "blob_href": f"{page}/{one.get('path')}"})


def only_apps(call: Call) -> None:
    if not call.caller.by_app:
        raise Problem(403, "You must authenticate via a GitHub App.")


def output(given: Json, old: Json) -> Json:
    """Title, summary and text anew; annotations come to those that were there, as on GitHub."""
    texts = {name: given.get(name) for name in ("title", "summary", "text")}
    new = given.get("annotations") or []
    if not isinstance(new, list) or len(new) > MOST_ANNOTATIONS:
        raise wrong("CheckRun", "annotations")
    kept: list[Json] = old.get("annotations") or []
    return {**texts, "annotations": [*kept, *(one for one in new if isinstance(one, dict))]}


def columns(call: Call, old: Json) -> dict[str, Any]:
    """What the caller sets, with times filled in as GitHub does. `old` is the output that was there."""
    body, now = call.body, call.site.stamp()
    found: dict[str, Any] = {
        name: body[name]
        for name in (
            "name",
            "status",
            "conclusion",
            "details_url",
            "external_id",
            "started_at",
            "completed_at",
        )
        if name in body
    }
    if isinstance(body.get("output"), dict):
        found["data"] = pack(output(body["output"], old))
    if "conclusion" in body:
        found = {"completed_at": now, **found, "status": "completed"}
    return found


@route("POST", f"{R}/check-runs", "checks:write")
def create_check(call: Call) -> Reply:
    only_apps(call)
    sha = call.text("head_sha", resource="CheckRun")
    call.text("name", resource="CheckRun")
    if not call.at.bare.sha(sha):
        raise Problem(422, f"No commit found for SHA: {sha}")
    given = {"status": "queued", "started_at": call.site.stamp(), **columns(call, {})}
    app = call.caller.login.removesuffix("[bot]")
    check_id = call.at.db.insert("checks", repo=call.repo["id"], sha=sha, app=app, **given)
    call.params["id"] = str(check_id)
    return created(tell_check(call, "created"))


def tell_check(call: Call, action: str) -> Json:
    """The `check_run` webhook of the check in the path; the check. Jobs send none: Actions made them."""
    body: Json = check_run(call).body
    suite = run_shapes.check_suite(call.at, body)
    hooks.send(call.at, "check_run", {"action": action, "check_run": {**body, "check_suite": suite}})
    return body


@route("PATCH", f"{R}/check-runs/{{id}}", "checks:write")
def edit_check(call: Call) -> Reply:
    only_apps(call)
    check_run(call)
    before = check_run(call).body["status"]
    old = unpack(call.at.db.value("SELECT data FROM checks WHERE id = ?", call.number("id"))) or {}
    new = columns(call, old)
    call.at.db.change("checks", call.number("id"), **new)
    ended = before != "completed" and new.get("status") == "completed"
    return Reply(tell_check(call, "completed") if ended else check_run(call).body)
