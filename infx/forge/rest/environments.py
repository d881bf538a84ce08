"""Environments and their branch rules."""

from infx.forge import environments, settings
from infx.forge.database import Row
from infx.forge.problem import Problem, not_found
from infx.forge.rest.route import NOTHING, Call, R, Reply, route
from infx.forge.site import Json

HERE = f"{R}/environments"
ONE = f"{HERE}/{{name}}"
POLICIES = f"{ONE}/deployment-branch-policies"
BOTH = ("protected_branches", "custom_branch_policies")


def find(call: Call) -> Row:
    row = settings.find(call.at, "environment", call.params["name"])
    if not row:
        raise not_found()
    return row


def shape(call: Call, row: Row) -> Json:
    limited, own = environments.has_rule(row), environments.patterns(row) is not None
    rule = {"id": row["id"], "node_id": f"GA_{row['id']}", "type": "branch_policy"}
    policy = {"protected_branches": not own, "custom_branch_policies": own}
    return {
        "id": row["id"],
        "node_id": f"EN_{row['id']}",
        "name": row["name"],
        "url": f"{call.at.api}/environments/{row['name']}",
        "html_url": f"{call.at.page}/deployments/activity_log?environments_filter={row['name']}",
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "protection_rules": [rule] if limited else [],
        "deployment_branch_policy": policy if limited else None,
    }


@route("GET", HERE, "actions:read")
def listing(call: Call) -> Reply:
    sql = f"{settings.SETTING} ORDER BY name"
    values = (call.repo["id"], "environment")
    return call.rows(sql, *values, shape=lambda row: shape(call, row), envelope="environments")


@route("GET", ONE, "actions:read")
def get(call: Call) -> Reply:
    return Reply(shape(call, find(call)))


@route("PUT", ONE, "environments:write")
def put(call: Call) -> Reply:
    policy = call.body.get("deployment_branch_policy")
    if policy is not None and (not isinstance(policy, dict) or policy.get(BOTH[0]) == policy.get(BOTH[1])):
        raise Problem(422, f"{BOTH[0]} and {BOTH[1]} cannot have the same value")
    environments.put(call.at, call.params["name"], policy=policy)
    return get(call)


@route("DELETE", ONE, "environments:write")
def delete(call: Call) -> Reply:
    settings.remove(call.at, "environment", find(call)["name"])
    return NOTHING


def policy_shape(number: str, pattern: str) -> Json:
    return {"id": int(number), "node_id": f"GBP_{number}", "name": pattern, "type": "branch"}


@route("GET", POLICIES, "actions:read")
def policies(call: Call) -> Reply:
    kept = list((environments.patterns(find(call)) or {}).items())
    return call.cut(kept, lambda pair: policy_shape(*pair), envelope="branch_policies")


@route("POST", POLICIES, "environments:write")
def add_policy(call: Call) -> Reply:
    row = find(call)
    if environments.patterns(row) is None:
        raise not_found()
    pattern = call.text("name")
    return Reply(policy_shape(str(environments.add_pattern(call.at, row, pattern)), pattern))


@route("DELETE", f"{POLICIES}/{{policy}}", "environments:write")
def remove_policy(call: Call) -> Reply:
    if not environments.remove_pattern(call.at, find(call), call.params["policy"]):
        raise not_found()
    return NOTHING
