"""Labels of a repository and of an issue."""

from infx.forge import issues
from infx.forge.problem import invalid, wrong
from infx.forge.rest.route import NOTHING, Call, R, Reply, created, route
from infx.forge.shapes import issue as shapes

ONE = f"{R}/issues/{{number}}/labels"
READ, WRITE = "issues|pull-requests:read", "issues|pull-requests:write"


@route("GET", f"{R}/labels", READ)
def listing(call: Call) -> Reply:
    sql = "SELECT * FROM labels WHERE repo = ? ORDER BY id"
    return call.rows(sql, call.repo["id"], shape=lambda row: shapes.label(call.site, call.repo, row))


@route("POST", f"{R}/labels", WRITE)
def create(call: Call) -> Reply:
    name = call.text("name", resource="Label")
    if call.site.db.row("SELECT 1 FROM labels WHERE repo = ? AND name = ?", call.repo["id"], name):
        raise wrong("Label", "name", "already_exists")
    color = call.text("color", default=issues.GREY).lstrip("#")
    row = issues.make_label(call.site, call.repo, name, color=color, description=call.body.get("description"))
    return created(shapes.label(call.site, call.repo, row))


@route("GET", f"{R}/labels/{{name}}", READ)
def get(call: Call) -> Reply:
    row = issues.find_label(call.site, call.repo, call.params["name"])
    return Reply(shapes.label(call.site, call.repo, row))


@route("PATCH", f"{R}/labels/{{name}}", WRITE)
def edit(call: Call) -> Reply:
    row = issues.find_label(call.site, call.repo, call.params["name"])
    changes = {
        column: str(call.body[field])
        for field, column in (("new_name", "name"), ("color", "color"), ("description", "description"))
        if call.body.get(field) is not None
    }
    if changes:
        call.site.db.change("labels", row["id"], **changes)
    row = issues.find_label(call.site, call.repo, changes.get("name", row["name"]))
    return Reply(shapes.label(call.site, call.repo, row))


@route("DELETE", f"{R}/labels/{{name}}", WRITE)
def delete(call: Call) -> Reply:
    row = issues.find_label(call.site, call.repo, call.params["name"])
    with call.site.db.transaction():
        call.site.db.run("DELETE FROM issue_labels WHERE label = ?", row["id"])
        call.site.db.run("DELETE FROM labels WHERE id = ?", row["id"])
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
    row = issues.find(call.site, call.repo, call.number())
    return Reply(shapes.labels(call.site, call.repo, row["id"]))


@route("GET", ONE, READ)
def of_issue(call: Call) -> Reply:
    row = issues.find(call.site, call.repo, call.number())
    return call.cut(shapes.labels(call.site, call.repo, row["id"]), lambda shape: shape)


@route("POST", ONE, WRITE)
def add(call: Call) -> Reply:
    row = issues.find(call.site, call.repo, call.number())
    issues.add_labels(call.site, call.caller, call.repo, row, names(call))
    return shown(call)


@route("PUT", ONE, WRITE)
def put(call: Call) -> Reply:
    row = issues.find(call.site, call.repo, call.number())
    issues.set_labels(call.site, call.caller, call.repo, row, names(call))
    return shown(call)


@route("DELETE", ONE, WRITE)
def clear(call: Call) -> Reply:
    row = issues.find(call.site, call.repo, call.number())
    issues.set_labels(call.site, call.caller, call.repo, row, ())
    return NOTHING


@route("DELETE", f"{ONE}/{{name}}", WRITE)
def remove(call: Call) -> Reply:
    row = issues.find(call.site, call.repo, call.number())
    issues.remove_label(call.site, call.caller, call.repo, row, call.params["name"])
    return shown(call)
