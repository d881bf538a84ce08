"""Artifacts of runs."""

from infx.forge import artifacts
from infx.forge.problem import Problem
from infx.forge.rest.route import NOTHING, Call, R, Reply, redirect, route
from infx.forge.rest.runs import find as find_run
from infx.forge.shapes import run as shapes

ONE = f"{R}/actions/artifacts/{{id}}"


def listing(call: Call, where: str, *values: object) -> Reply:
    sql = f"{artifacts.ARTIFACT} WHERE {where} AND final = 1"
    if "name" in call.query:
        sql, values = f"{sql} AND artifacts.name = ?", (*values, call.query["name"])
    return call.rows(
        f"{sql} ORDER BY artifacts.id DESC",
        *values,
        shape=lambda row: shapes.artifact(call.at, row),
        envelope="artifacts",
    )


@route("GET", f"{R}/actions/artifacts", "actions:read")
def of_repository(call: Call) -> Reply:
    return listing(call, "artifacts.repo = ?", call.repo["id"])


@route("GET", f"{R}/actions/runs/{{id}}/artifacts", "actions:read")
def of_run(call: Call) -> Reply:
    return listing(call, "artifacts.run = ?", find_run(call)["id"])


@route("GET", ONE, "actions:read")
def get(call: Call) -> Reply:
    row = artifacts.find(call.at, call.number("id"))
    return Reply(shapes.artifact(call.at, row))


@route("GET", f"{ONE}/zip", "actions:read")
def download(call: Call) -> Reply:
    """302 to the bytes; nobody downloads without a token, not even from a public repository."""
    row = artifacts.find(call.at, call.number("id"))
    if call.caller.kind == "anonymous":
        raise Problem(401, "Requires authentication")
    if row["expires_at"] <= call.site.stamp():
        raise Problem(410, "Artifact has expired")
    return redirect(call.services.files.link(row["id"], "r"))


@route("DELETE", ONE, "actions:write")
def delete(call: Call) -> Reply:
    call.services.files.remove(artifacts.find(call.at, call.number("id")))
    return NOTHING
