"""Variables, environments, and the settings of Actions that `infx doctor` reads."""

from infx.forge.database import Row
from infx.forge.problem import Problem, not_found
from infx.forge.rest.route import NOTHING, Call, R, Reply, route
from infx.forge.shapes.repo import api_of, html_of
from infx.forge.site import Json

VARIABLES = f"{R}/actions/variables"
ENVIRONMENTS = f"{R}/environments"
SETTING = "SELECT * FROM settings WHERE repo = ? AND kind = ?"


def shape(row: Row) -> Json:
    return {name: row[name] for name in ("name", "value", "created_at", "updated_at")}


def find(call: Call, kind: str) -> Row:
    row = call.site.db.row(f"{SETTING} AND name = ?", call.repo["id"], kind, call.params["name"])
    if not row:
        raise not_found()
    return row


def put(call: Call, kind: str, name: str, value: str) -> None:
    now = call.site.stamp()
    call.site.db.run(
        "INSERT INTO settings (repo, kind, name, value, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (repo, kind, name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at",
        *(call.repo["id"], kind, name, value, now, now),
    )


@route("GET", VARIABLES, "variables:read", role="write")
def variables(call: Call) -> Reply:
    return call.rows(
        f"{SETTING} ORDER BY name", call.repo["id"], "variable", shape=shape, envelope="variables"
    )


@route("GET", f"{VARIABLES}/{{name}}", "variables:read", role="write")
def variable(call: Call) -> Reply:
    return Reply(shape(find(call, "variable")))


@route("POST", VARIABLES, "variables:write")
def create_variable(call: Call) -> Reply:
    call.params["name"] = call.text("name")
    if call.site.db.row(f"{SETTING} AND name = ?", call.repo["id"], "variable", call.params["name"]):
        raise Problem(409, "Already exists - Variable already exists")
    put(call, "variable", call.params["name"], call.text("value"))
    return Reply({}, 201)


@route("PATCH", f"{VARIABLES}/{{name}}", "variables:write")
def change_variable(call: Call) -> Reply:
    row = find(call, "variable")
    put(call, "variable", row["name"], call.text("value", default=row["value"]))
    return NOTHING


@route("DELETE", f"{VARIABLES}/{{name}}", "variables:write")
def delete_variable(call: Call) -> Reply:
    row = find(call, "variable")
    call.site.db.run(
        "DELETE FROM settings WHERE repo = ? AND kind = 'variable' AND name = ?", row["repo"], row["name"]
    )
    return NOTHING


def environment(call: Call, row: Row) -> Json:
    here = f"{api_of(call.site, call.repo)}/environments/{row['name']}"
    return {
        "id": 1,
        "node_id": f"EN_{row['name']}",
        "name": row["name"],
        "url": here,
        "html_url": f"{html_of(call.site, call.repo)}/deployments/activity_log?environments_filter={row['name']}",
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "protection_rules": [],
        "deployment_branch_policy": None,
    }


@route("GET", ENVIRONMENTS, "actions:read")
def environments(call: Call) -> Reply:
    return call.rows(
        f"{SETTING} ORDER BY name",
        call.repo["id"],
        "environment",
        shape=lambda row: environment(call, row),
        envelope="environments",
    )


@route("GET", f"{ENVIRONMENTS}/{{name}}", "actions:read")
def get_environment(call: Call) -> Reply:
    return Reply(environment(call, find(call, "environment")))


@route("PUT", f"{ENVIRONMENTS}/{{name}}", "environments:write")
def put_environment(call: Call) -> Reply:
    put(call, "environment", call.params["name"], "")
    return get_environment(call)


@route("GET", f"{R}/actions/permissions/workflow", "administration:read")
def default_permissions(call: Call) -> Reply:
    body = {
        "default_workflow_permissions": call.repo["default_permissions"],
        "can_approve_pull_request_reviews": False,
    }
    return Reply(body)


@route("GET", f"{R}/actions/permissions/fork-pr-contributor-approval", "administration:read")
def fork_approval(call: Call) -> Reply:
    return Reply({"approval_policy": call.repo["approval"]})
