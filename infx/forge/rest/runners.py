"""Self-hosted runners; hosted ones are GitHub's own and not listed."""

from infx.forge.database import Row, pack, unpack
from infx.forge.problem import not_found, wrong
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


ONE = f"{R}/actions/runners/{{id}}"
LABELS = f"{ONE}/labels"


def find(call: Call) -> Row:
    row = call.at.db.row(f"{RUNNERS} AND id = ?", call.repo["id"], call.number("id"))
    if not row:
        raise not_found()
    return row


@route("GET", ONE, "administration:read")
def get(call: Call) -> Reply:
    return Reply(shape(call, find(call)))


@route("GET", LABELS, "administration:read")
def labels(call: Call) -> Reply:
    return labelled(call, find(call))


@route("POST", LABELS, "administration:write")
def add(call: Call) -> Reply:
    row = find(call)
    return keep(call, row, [*unpack(row["labels"]), *given(call)])


@route("PUT", LABELS, "administration:write")
def replace(call: Call) -> Reply:
    return keep(call, find(call), given(call))


@route("DELETE", LABELS, "administration:write")
def clear(call: Call) -> Reply:
    return keep(call, find(call), [])


@route("DELETE", f"{LABELS}/{{name}}", "administration:write")
def remove(call: Call) -> Reply:
    row = find(call)
    held, name = unpack(row["labels"]), call.params["name"]
    if name not in held:
        raise not_found()
    return keep(call, row, [one for one in held if one != name])


def given(call: Call) -> list[str]:
    listed = call.body.get("labels")
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise wrong("Runner", "labels")
    return listed


def keep(call: Call, row: Row, held: list[str]) -> Reply:
    """A runner's labels from now on; which waiting jobs it takes is looked at anew."""
    call.at.db.change("runners", row["id"], labels=pack(list(dict.fromkeys(held))))
    call.site.runners_changed()
    return labelled(call, find(call))


def labelled(call: Call, row: Row) -> Reply:
    held = shape(call, row)["labels"]
    return Reply({"total_count": len(held), "labels": held})
