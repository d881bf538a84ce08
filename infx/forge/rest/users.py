"""Users, the caller, the rate limit, the root."""

from infx.forge.problem import Problem, not_found
from infx.forge.rest.route import Call, Reply, route
from infx.forge.shapes import user as shapes

OTHERS = {
    "search": 30,
    "integration_manifest": 5000,
    "source_import": 100,
    "actions_runner_registration": 10_000,
    "scim": 15_000,
    "dependency_snapshots": 100,
    "code_search": 10,
    "code_scanning_autofix": 10,
}
"""Budgets of what the forge does not offer, never used."""


@route("GET", "/user")
def me(call: Call) -> Reply:
    if call.caller.by_app:
        raise Problem(403, "Resource not accessible by integration")
    if not call.caller.login:
        raise Problem(401, "Requires authentication")
    return Reply(shapes.full(call.site, call.caller.login))


@route("GET", "/users/{username}")
def get(call: Call) -> Reply:
    if not call.site.db.row("SELECT 1 FROM users WHERE login = ?", call.params["username"]):
        raise not_found()
    return Reply(shapes.full(call.site, call.params["username"]))


@route("GET", "/rate_limit")
def rate_limit(call: Call) -> Reply:
    budget = call.services.budget.state(call.caller)
    fresh = {"used": 0, "reset": budget["reset"]}
    others = {name: {"limit": most, "remaining": most, **fresh} for name, most in OTHERS.items()}
    return Reply({"resources": {"core": budget, "graphql": budget, **others}, "rate": budget})


@route("GET", "/meta")
def meta(call: Call) -> Reply:
    return Reply({"verifiable_password_authentication": False})
