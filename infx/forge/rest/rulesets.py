"""Rulesets, and the rules that are in force on a branch."""

from infx.forge import documents, rulesets
from infx.forge.database import Row
from infx.forge.problem import invalid
from infx.forge.rest.route import NOTHING, Call, R, Reply, created, route
from infx.forge.site import Json

HERE, ONE = f"{R}/rulesets", f"{R}/rulesets/{{id}}"
FIELDS = ("target", "enforcement", "bypass_actors", "conditions", "rules")
TARGETS, LEVELS = ("branch", "tag", "push"), ("disabled", "active", "evaluate")


def find(call: Call) -> Row:
    return documents.by_id(call.site, documents.of_repo(call.at), rulesets.KIND, number=call.number("id"))


def short(call: Call, row: Row) -> Json:
    """A ruleset, as the list has it."""
    data = documents.data(row)
    return {
        "id": row["id"],
        "name": row["name"],
        "target": data["target"],
        "source_type": "Repository",
        "source": call.repo["full_name"],
        "enforcement": data["enforcement"],
        "node_id": f"RRS_{row['id']}",
        "_links": {
            "self": {"href": f"{call.at.api}/rulesets/{row['id']}"},
            "html": {"href": f"{call.at.page}/rules/{row['id']}"},
        },
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
    }


def full(call: Call, row: Row) -> Json:
    return {**short(call, row), **documents.data(row)}


def wanted(call: Call, old: Json) -> Json:
    """The body over what was there; 422 for what GitHub does not know."""
    new = {**old, **{name: call.body[name] for name in FIELDS if name in call.body}}
    if new["target"] not in TARGETS or new.get("enforcement") not in LEVELS:
        raise invalid(
            "Invalid request.", f"{new.get('enforcement')!r} is no enforcement of a {new['target']!r}"
        )
    rules = new.get("rules")
    if not isinstance(rules, list) or not all(isinstance(one, dict) and "type" in one for one in rules):
        raise invalid("Invalid request.", "Every rule has a type.")
    return new


@route("GET", HERE, "metadata:read")
def listing(call: Call) -> Reply:
    return call.cut(rulesets.every(call.at), lambda row: short(call, row))


@route("POST", HERE, "administration:write")
def create(call: Call) -> Reply:
    name = call.text("name", resource="RepositoryRuleset")
    place = documents.of_repo(call.at)
    if documents.find(call.site, place, rulesets.KIND, name=name):
        raise invalid("Validation Failed", "Name must be unique")
    value = wanted(call, {"target": "branch", "bypass_actors": [], "conditions": {}, "rules": []})
    call.params["id"] = str(documents.put(call.site, place, rulesets.KIND, name=name, value=value))
    return created(full(call, find(call)))


@route("GET", ONE, "metadata:read")
def get(call: Call) -> Reply:
    return Reply(full(call, find(call)))


@route("PUT", ONE, "administration:write")
def edit(call: Call) -> Reply:
    row = find(call)
    name = call.text("name", default=row["name"])
    documents.change(call.site, row, name=name, value=wanted(call, documents.data(row)))
    return get(call)


@route("DELETE", ONE, "administration:write")
def delete(call: Call) -> Reply:
    documents.remove(call.site, find(call))
    return NOTHING


@route("GET", f"{R}/rules/branches/{{branch:path}}", "metadata:read")
def in_force(call: Call) -> Reply:
    """Each rule with the ruleset that it comes from."""
    found = [
        {
            **rule,
            "ruleset_source_type": "Repository",
            "ruleset_source": call.repo["full_name"],
            "ruleset_id": row["id"],
        }
        for row in rulesets.in_force(call.at, call.params["branch"])
        for rule in documents.data(row)["rules"]
    ]
    return call.cut(found, lambda one: one)
