"""Self-hosted runners; hosted ones are GitHub's own and not listed."""

from infx.forge.database import Row
from infx.forge.problem import not_found
from infx.forge.rest.route import Call, R, Reply, route
from infx.forge.shapes import run as shapes
from infx.forge.site import Json

RUNNERS = "SELECT * FROM runners WHERE (repo = ? OR repo IS NULL) AND hosted = 0"


@route("GET", f"{R}/actions/runners", "administration:read")
def listing(call: Call) -> Reply:
    sql, values = RUNNERS, [call.repo["id"]]
    if "name" in call.query:
        sql, values = f"{sql} AND name = ?", [*values, call.query["name"]]
    return call.rows(f"{sql} ORDER BY id", *values, shape=lambda row: shape(call, row), envelope="runners")


def shape(call: Call, row: Row) -> Json:
    return shapes.runner(call.site, row, org=call.repo["owner"])


@route("GET", f"{R}/actions/runners/{{id}}", "administration:read")
def get(call: Call) -> Reply:
    row = call.at.db.row(f"{RUNNERS} AND id = ?", call.repo["id"], call.number("id"))
    if not row:
        raise not_found()
    return Reply(shape(call, row))
