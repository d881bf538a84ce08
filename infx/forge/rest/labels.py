"""Labels of a repository and of an issue."""

from typing import Any

from infx.forge import issues
from infx.forge.problem import invalid, wrong
from infx.forge.rest.route import NOTHING, Call, R, Reply, created, route
from infx.forge.shapes import issue as shapes

ONE = f"{R}/issues/{{number}}/labels"
SAME = "SELECT 1 FROM labels WHERE repo = ? AND name = ?"
READ, WRITE = "issues|pull-requests:read", "issues|pull-requests:write"


@route("GET", f"{R}/labels", READ)
def listing(call: Call) -> Reply:
    sql = "SELECT * FROM labels WHERE repo = ? ORDER BY id"
    return call.rows(sql, call.repo["id"], shape=lambda row: shapes.label(call.at, row))


@route("POST", f"{R}/labels", WRITE)
def create(call: Call) -> Reply:
    name = call.text("name", resource="Label")
    if call.at.db.row(SAME, call.repo["id"], name):
        raise wrong("Label", "name", "already_exists")
    color = call.text("color", default=issues.GREY).lstrip("#")
    row = issues.make_label(call.at, name, color=color, description=call.body.get("description"))
    return created(shapes.label(call.at, row))


@route("GET", f"{R}/labels/{{name}}", READ)
def get(call: Call) -> Reply:
    row = issues.find_label(call.at, call.params["name"])
    return Reply(shapes.label(call.at, row))


@route("PATCH", f"{R}/labels/{{name}}", WRITE)
def edit(call: Call) -> Reply:
    row = issues.find_label(call.at, call.params["name"])
    changes: dict[str, Any] = {
        column: call.text(field, resource="Label").removeprefix("#" if field == "color" else "")
        for field, column in (("new_name", "name"), ("color", "color"), ("description", "description"))
        if call.body.get(field) is not None
    }
    new = {**row, **changes}
    issues.check_label(new["name"], new["color"])
    if call.at.db.row(f"{SAME} AND id <> ?", call.repo["id"], new["name"], row["id"]):
        raise wrong("Label", "name", "already_exists")
    if changes:
        call.at.db.change("labels", row["id"], **changes)
    return Reply(shapes.label(call.at, issues.find_label(call.at, new["name"])))


@route("DELETE", f"{R}/labels/{{name}}", WRITE)
def delete(call: Call) -> Reply:
    row = issues.find_label(call.at, call.params["name"])
    with call.at.db.transaction():
        call.at.db.run("DELETE FROM issue_labels WHERE label = ?", row["id"])
        call.at.db.run("DELETE FROM labels WHERE id = ?", row["id"])
    return NOTHING


def names(call: Call) -> list[str]:
    """Label names of the body: a list, or `labels`; entries are strings or objects with a name."""
    given = call.body.get("labels")
    found = (
        [one.get("name") if isinstance(one, dict) else one for one in given]
        if isinstance(given, list)
        else []
    )
    if not isinstance(given, list) or not all(isinstance(name, str) for name in found):
        raise invalid('Invalid request.\n\nNo subschema in "anyOf" matched.')
    return [str(name) for name in found]


def shown(call: Call) -> Reply:
    row = issues.find(call.at, call.number())
    return Reply(shapes.labels(call.at, row["id"]))


@route("GET", ONE, READ)
def of_issue(call: Call) -> Reply:
    row = issues.find(call.at, call.number())
    return call.cut(shapes.labels(call.at, row["id"]), lambda shape: shape)


@route("POST", ONE, WRITE)
def add(call: Call) -> Reply:
    row = issues.find(call.at, call.number())
    issues.add_labels(call.at, row, names(call))
    return shown(call)


@route("PUT", ONE, WRITE)
def put(call: Call) -> Reply:
    row = issues.find(call.at, call.number())
    issues.set_labels(call.at, row, names(call))
    return shown(call)


@route("DELETE", ONE, WRITE)
def clear(call: Call) -> Reply:
    row = issues.find(call.at, call.number())
    issues.set_labels(call.at, row, ())
    return NOTHING


@route("DELETE", f"{ONE}/{{name}}", WRITE)
def remove(call: Call) -> Reply:
    row = issues.find(call.at, call.number())
    issues.remove_label(call.at, row, call.params["name"])
    return shown(call)
