"""Faults of the CODEOWNERS file."""

from infx.forge import owners
from infx.forge.problem import not_found
from infx.forge.rest.route import Call, R, Reply, route


@route("GET", f"{R}/codeowners/errors", "contents:read")
def errors(call: Call) -> Reply:
    """404 where there is no file, as for a ref that does not exist."""
    commit = call.at.bare.sha(call.query.get("ref", call.at.branch))
    path = owners.path_at(call.at, commit) if commit else None
    if not commit or not path:
        raise not_found()
    return Reply({"errors": owners.errors(call.at, commit, path)})
