"""Repositories, collaborators, dispatches to the repository."""

from typing import Any

from infx.forge import documents, forks, hooks, people
from infx.forge.problem import not_found, wrong
from infx.forge.rest.route import NOTHING, Call, R, Reply, route
from infx.forge.shapes import repo as shapes
from infx.forge.shapes.user import user
from infx.forge.site import Json
from infx.forge.tokens import at_least, role_of

PAYLOAD_LIMIT = 65535
"""Characters of `client_payload` (docs: Create a repository dispatch event)."""
MOST_PROPERTIES = 10


@route("GET", R, "metadata:read")
def get(call: Call) -> Reply:
    role = "write" if call.caller.by_app else role_of(call.at, call.caller.login)
    return Reply(shapes.full(call.at, role=role))


@route("PATCH", R, "administration:write")
def edit(call: Call) -> Reply:
    """Description, visibility, and the flags of `shapes.FLAGS`; other fields pass without effect."""
    flags = {name: call.body[name] for name in shapes.FLAGS if name in call.body}
    if not all(isinstance(value, bool) for value in flags.values()):
        raise wrong("Repository", next(name for name, value in flags.items() if not isinstance(value, bool)))
    place = documents.of_repo(call.at)
    documents.put(call.site, place, "flags", value={**documents.read(call.site, place, "flags"), **flags})
    columns: dict[str, Any] = {name: call.body[name] for name in ("description",) if name in call.body}
    if "private" in call.body:
        columns["private"] = bool(call.body["private"])
    call.at.db.change("repos", call.repo["id"], **columns, updated_at=call.site.stamp())
    return Reply(shapes.full(call.at.of(call.site.repo_by_id(call.repo["id"])), role="admin"))


@route("GET", f"{R}/collaborators", "metadata:read", role="write")
def collaborators(call: Call) -> Reply:
    rows = call.at.db.rows("SELECT login FROM roles WHERE repo = ? ORDER BY login", call.repo["id"])
    return call.cut([row["login"] for row in rows], lambda login: collaborator(call, login))


def collaborator(call: Call, login: str) -> Json:
    role = role_of(call.at, login)
    _, role_name = people.permission(call.at, login)
    rights = {"pull": "read", "triage": "triage", "push": "write", "maintain": "maintain", "admin": "admin"}
    held = {right: at_least(role, needed) for right, needed in rights.items()}
    return {**user(call.site, login), "permissions": held, "role_name": role_name}


@route("GET", f"{R}/collaborators/{{username}}", "metadata:read")
def is_collaborator(call: Call) -> Reply:
    if not at_least(role_of(call.at, call.params["username"]), "triage"):
        raise not_found()
    return NOTHING


@route("GET", f"{R}/collaborators/{{username}}/permission", "metadata:read")
def permission(call: Call) -> Reply:
    login = call.params["username"]
    if not call.at.db.row("SELECT 1 FROM users WHERE login = ?", login):
        raise not_found()
    plain, role_name = people.permission(call.at, login)
    return Reply({"permission": plain, "role_name": role_name, "user": collaborator(call, login)})


@route("POST", f"{R}/forks", "metadata:read")
def fork(call: Call) -> Reply:
    made = forks.fork(call.at)
    return Reply(shapes.full(call.at.of(made), role="admin"), 202)


@route("GET", f"{R}/forks", "metadata:read")
def listing(call: Call) -> Reply:
    sql = "SELECT * FROM repos WHERE parent = ? ORDER BY id DESC"
    return call.rows(sql, call.repo["id"], shape=lambda row: shapes.repository(call.at.of(row)))


@route("POST", f"{R}/dispatches", "contents:write")
def dispatch(call: Call) -> Reply:
    kind, client = call.text("event_type"), call.body.get("client_payload") or {}
    if not isinstance(client, dict) or len(client) > MOST_PROPERTIES:
        raise wrong("RepositoryDispatch", "client_payload")
    if len(str(client)) > PAYLOAD_LIMIT:
        raise wrong("RepositoryDispatch", "client_payload", "too_large")
    payload = {"action": kind, "branch": call.at.branch, "client_payload": client}
    hooks.send(call.at, "repository_dispatch", payload)
    return NOTHING
