"""Variables of a repository and of an environment."""

from collections.abc import Callable

from infx.forge import environments, settings
from infx.forge.database import Row
from infx.forge.problem import Problem, not_found
from infx.forge.rest.route import NOTHING, Call, R, Reply, route
from infx.forge.site import Json

Kind = Callable[[Call], str]
"""Under what kind of setting the variables of a path are kept."""


def shape(row: Row) -> Json:
    return {name: row[name] for name in ("name", "value", "created_at", "updated_at")}


def offer(path: str, kind: Kind, *, scope: str) -> None:
    """List, read, make, change and remove under one path."""
    one, read, write = f"{path}/{{variable}}", f"{scope}:read", f"{scope}:write"

    def find(call: Call) -> Row:
        row = settings.find(call.at, kind(call), call.params["variable"])
        if not row:
            raise not_found()
        return row

    def listing(call: Call) -> Reply:
        sql = f"{settings.SETTING} ORDER BY name"
        return call.rows(sql, call.repo["id"], kind(call), shape=shape, envelope="variables")

    def get(call: Call) -> Reply:
        return Reply(shape(find(call)))

    def create(call: Call) -> Reply:
        of, name = kind(call), call.text("name")
        if settings.find(call.at, of, name):
            raise Problem(409, "Already exists - Variable already exists")
        settings.put(call.at, of, name, value=call.text("value"))
        return Reply({}, 201)

    def change(call: Call) -> Reply:
        row = find(call)
        settings.put(call.at, kind(call), row["name"], value=call.text("value", default=row["value"]))
        return NOTHING

    def delete(call: Call) -> Reply:
        settings.remove(call.at, kind(call), find(call)["name"])
        return NOTHING

    route("GET", path, read, role="write")(listing)
    route("POST", path, write)(create)
    route("GET", one, read, role="write")(get)
    route("PATCH", one, write)(change)
    route("DELETE", one, write)(delete)


offer(f"{R}/actions/variables", lambda call: "variable", scope="variables")
offer(
    f"{R}/environments/{{name}}/variables",
    lambda call: environments.held(call.at, call.params["name"], "variable"),
    scope="environments",
)
