"""Workflows and their dispatch."""

from infx.forge import hooks, workflows
from infx.forge.database import Row
from infx.forge.problem import invalid, not_found
from infx.forge.rest.route import NOTHING, Call, R, Reply, route
from infx.forge.shapes import run as shapes

ONE = f"{R}/actions/workflows/{{workflow}}"
MOST_INPUTS = 25
WAIT_S = 30.0
"""How long a dispatch waits for the engine, which checks the inputs."""


@route("GET", f"{R}/actions/workflows", "actions:read")
def listing(call: Call) -> Reply:
    found = workflows.listing(call.at)
    return call.cut(found, lambda row: shapes.workflow(call.at, row), envelope="workflows")


def find(call: Call) -> Row:
    row = workflows.find(call.at, call.params["workflow"])
    if not row:
        raise not_found()
    return row


@route("GET", ONE, "actions:read")
def get(call: Call) -> Reply:
    return Reply(shapes.workflow(call.at, find(call)))


@route("POST", f"{ONE}/dispatches", "actions:write")
def dispatch(call: Call) -> Reply:
    row, ref, inputs = find(call), call.text("ref"), call.body.get("inputs") or {}
    bare = call.at.bare
    full = next((name for name in (ref, f"refs/heads/{ref}", f"refs/tags/{ref}") if bare.ref(name)), None)
    if not full or not full.startswith("refs/"):
        raise invalid(f"No ref found for: {ref}")
    text = bare.show(full, row["path"])
    if text is None:
        raise not_found()
    if b"workflow_dispatch" not in text:
        raise invalid("Workflow does not have 'workflow_dispatch' trigger")
    if not isinstance(inputs, dict) or len(inputs) > MOST_INPUTS:
        raise invalid("Invalid inputs")
    payload = {"inputs": inputs, "ref": full, "workflow": row["path"]}
    started = hooks.send(call.at, "workflow_dispatch", payload, ref=full)
    runs = started.result(WAIT_S)
    if not call.body.get("return_run_details") or not runs:
        return NOTHING
    run = runs[0]
    urls = {"run_url": f"{call.at.api}/actions/runs/{run}"}
    return Reply({"workflow_run_id": run, **urls, "html_url": f"{call.at.page}/actions/runs/{run}"})


def set_state(call: Call, state: str) -> Reply:
    call.at.db.change("workflows", find(call)["id"], state=state)
    return NOTHING


@route("PUT", f"{ONE}/disable", "actions:write")
def disable(call: Call) -> Reply:
    return set_state(call, "disabled_manually")


@route("PUT", f"{ONE}/enable", "actions:write")
def enable(call: Call) -> Reply:
    return set_state(call, "active")
