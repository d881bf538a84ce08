"""Variables, and the settings of Actions that `infx doctor` reads."""

from infx.forge import settings
from infx.forge.database import Row
from infx.forge.problem import Problem, not_found
from infx.forge.rest.route import NOTHING, Call, R, Reply, route
from infx.forge.site import Json

VARIABLES = f"{R}/actions/variables"


def shape(row: Row) -> Json:
    return {name: row[name] for name in ("name", "value", "created_at", "updated_at")}


def find(call: Call, kind: str) -> Row:
    row = settings.find(call.at, kind, call.params["name"])
    if not row:
        raise not_found()
    return row


@route("GET", VARIABLES, "variables:read", role="write")
def variables(call: Call) -> Reply:
    return call.rows(
        f"{settings.SETTING} ORDER BY name", call.repo["id"], "variable", shape=shape, envelope="variables"
    )


@route("GET", f"{VARIABLES}/{{name}}", "variables:read", role="write")
def variable(call: Call) -> Reply:
    return Reply(shape(find(call, "variable")))


@route("POST", VARIABLES, "variables:write")
def create_variable(call: Call) -> Reply:
    name = call.text("name")
    if settings.find(call.at, "variable", name):
        raise Problem(409, "Already exists - Variable already exists")
    settings.put(call.at, "variable", name, value=call.text("value"))
    return Reply({}, 201)


@route("PATCH", f"{VARIABLES}/{{name}}", "variables:write")
def change_variable(call: Call) -> Reply:
    row = find(call, "variable")
    settings.put(call.at, "variable", row["name"], value=call.text("value", default=row["value"]))
    return NOTHING


@route("DELETE", f"{VARIABLES}/{{name}}", "variables:write")
def delete_variable(call: Call) -> Reply:
    settings.remove(call.at, "variable", find(call, "variable")["name"])
    return NOTHING


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
