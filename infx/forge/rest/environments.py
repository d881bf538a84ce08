"""Environments and their branch rules."""

from infx.forge import environments, settings
from infx.forge.database import Row
from infx.forge.problem import Problem, not_found
from infx.forge.rest.route import NOTHING, Call, R, Reply, route
from infx.forge.shapes.team import team
from infx.forge.shapes.user import user
from infx.forge.site import Json

HERE = f"{R}/environments"
ONE = f"{HERE}/{{name}}"
POLICIES = f"{ONE}/deployment-branch-policies"
MOST_MINUTES, MOST_REVIEWERS = 43_200, 6
"""Limits of an environment's rules (docs: Create or update an environment)."""
TAGS = "refs/tags/"
BOTH = ("protected_branches", "custom_branch_policies")


def find(call: Call) -> Row:
    row = settings.find(call.at, "environment", call.params["name"])
    if not row:
        raise not_found()
    return row


def protection_rules(call: Call, row: Row) -> list[Json]:
    """A waiting time, reviewers, the branch rule: each that there is."""
    rules, found = environments.rules(row), []
    if rules.get("wait_timer"):
        found.append({"type": "wait_timer", "wait_timer": rules["wait_timer"]})
    if rules.get("reviewers"):
        people = [reviewer(call, one["type"], one["id"]) for one in rules["reviewers"]]
        own = {"prevent_self_review": rules.get("prevent_self_review", False)}
        found.append({"type": "required_reviewers", **own, "reviewers": people})
    if environments.has_rule(row):
        found.append({"type": "branch_policy"})
    numbered = ((row["id"] * 10 + place, one) for place, one in enumerate(found))
    return [{"id": number, "node_id": f"GA_{number}", **one} for number, one in numbered]


def reviewer(call: Call, kind: str, number: int) -> Json:
    """A person or team by id; 422 for who is not there."""
    table = "teams" if kind == "Team" else "users"
    row = call.at.db.row(f"SELECT * FROM {table} WHERE id = ?", number)
    if not row:
        raise Problem(422, f"Invalid reviewer: {kind} {number}")
    return {
        "type": kind,
        "reviewer": team(call.site, row) if kind == "Team" else user(call.site, row["login"]),
    }


def rules_in(call: Call) -> Json:
    """What the body asks for beside branches; 422 for what cannot be."""
    minutes, people = call.body.get("wait_timer") or 0, call.body.get("reviewers") or []
    if type(minutes) is not int or not 0 <= minutes <= MOST_MINUTES:
        raise Problem(422, "Wait timer must be between 0 and 43200 minutes")
    if not isinstance(people, list) or len(people) > MOST_REVIEWERS:
        raise Problem(422, f"You can list up to {MOST_REVIEWERS} users or teams as reviewers")
    kept: list[Json] = [{name: one.get(name) for name in ("type", "id")} for one in people]
    for one in kept:
        reviewer(call, one["type"], one["id"])
    return {
        "wait_timer": minutes,
        "reviewers": kept,
        "prevent_self_review": bool(call.body.get("prevent_self_review")),
    }


def shape(call: Call, row: Row) -> Json:
    limited, own = environments.has_rule(row), environments.patterns(row) is not None
    policy = {"protected_branches": not own, "custom_branch_policies": own}
    return {
        "id": row["id"],
        "node_id": f"EN_{row['id']}",
        "name": row["name"],
        "url": f"{call.at.api}/environments/{row['name']}",
        "html_url": f"{call.at.page}/deployments/activity_log?environments_filter={row['name']}",
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "protection_rules": protection_rules(call, row),
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
    environments.put(call.at, call.params["name"], policy=policy, more=rules_in(call))
    return get(call)


@route("DELETE", ONE, "environments:write")
def delete(call: Call) -> Reply:
    settings.remove(call.at, "environment", find(call)["name"])
    return NOTHING


def policy_shape(number: str, pattern: str) -> Json:
    kind = "tag" if pattern.startswith(TAGS) else "branch"
    return {"id": int(number), "node_id": f"GBP_{number}", "name": pattern.removeprefix(TAGS), "type": kind}


@route("GET", POLICIES, "actions:read")
def policies(call: Call) -> Reply:
    kept = list((environments.patterns(find(call)) or {}).items())
    return call.cut(kept, lambda pair: policy_shape(*pair), envelope="branch_policies")


@route("POST", POLICIES, "environments:write")
def add_policy(call: Call) -> Reply:
    row = find(call)
    if environments.patterns(row) is None:
        raise not_found()
    kind = call.text("type", default="branch")
    if kind not in ("branch", "tag"):
        raise Problem(422, f"{kind} is not a type of branch policy")
    pattern = (TAGS if kind == "tag" else "") + call.text("name")
    return Reply(policy_shape(str(environments.add_pattern(call.at, row, pattern)), pattern))


@route("DELETE", f"{POLICIES}/{{policy}}", "environments:write")
def remove_policy(call: Call) -> Reply:
    if not environments.remove_pattern(call.at, find(call), call.params["policy"]):
        raise not_found()
    return NOTHING
