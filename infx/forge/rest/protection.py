"""Branch protection."""

from typing import Any

from infx.forge import protection
from infx.forge.problem import Problem, invalid
from infx.forge.protection import Rules
from infx.forge.rest.route import NOTHING, Call, R, Reply, route
from infx.forge.site import Json

HERE = f"{R}/branches/{{branch:path}}/protection"
REQUIRED = ("required_status_checks", "enforce_admins", "required_pull_request_reviews", "restrictions")


SWITCHES = (
    *("required_linear_history", "allow_force_pushes", "allow_deletions", "block_creations"),
    *("required_conversation_resolution", "lock_branch", "allow_fork_syncing"),
)
FLAGS = ("dismiss_stale_reviews", "require_code_owner_reviews", "require_last_push_approval")
Checks = list[tuple[str, int | None]]


def branch_of(call: Call) -> str:
    name = call.params["branch"]
    if not call.at.tip(f"refs/heads/{name}"):
        raise Problem(404, "Branch not found")
    return name


def rules_of(call: Call) -> Rules:
    rules = protection.find(call.at, branch_of(call))
    if not rules:
        raise Problem(404, "Branch not protected")
    return rules


def checks_shape(call: Call, rules: Rules) -> Json:
    here = f"{call.at.api}/branches/{call.params['branch']}/protection/required_status_checks"
    contexts = list(rules.contexts or ())
    return {
        "url": here,
        "strict": rules.strict,
        "contexts": contexts,
        "contexts_url": f"{here}/contexts",
        "checks": [{"context": name, "app_id": rules.apps.get(name)} for name in contexts],
    }


def shape(call: Call, rules: Rules) -> Json:
    here = f"{call.at.api}/branches/{call.params['branch']}/protection"
    body: Json = {
        "url": here,
        "enforce_admins": {"url": f"{here}/enforce_admins", "enabled": rules.admins},
        **{name: {"enabled": rules.switches.get(name, False)} for name in SWITCHES},
        "required_signatures": {"url": f"{here}/required_signatures", "enabled": False},
    }
    if rules.contexts is not None:
        body["required_status_checks"] = checks_shape(call, rules)
    if rules.approvals is not None:
        body["required_pull_request_reviews"] = {
            "url": f"{here}/required_pull_request_reviews",
            **{name: rules.review.get(name, False) for name in FLAGS},
            "required_approving_review_count": rules.approvals,
        }
    return body


def checks_in(wanted: Json) -> Checks:
    """Name and App from `checks`, or names from the older `contexts`."""
    named: list[Any] = [one for one in wanted.get("checks") or () if isinstance(one, dict)]
    if named:
        return [(str(one.get("context")), one.get("app_id")) for one in named]
    return [(str(name), None) for name in wanted.get("contexts") or ()]


@route("GET", HERE, "administration:read")
def get(call: Call) -> Reply:
    return Reply(shape(call, rules_of(call)))


@route("PUT", HERE, "administration:write")
def put(call: Call) -> Reply:
    missing = [name for name in REQUIRED if name not in call.body]
    if missing:
        raise invalid("Invalid request.", *(f'"{name}" wasn\'t supplied.' for name in missing))
    checks, reviews = call.body["required_status_checks"], call.body["required_pull_request_reviews"]
    named = checks_in(checks or {})
    rules = Rules(
        contexts=None if checks is None else tuple(name for name, _ in named),
        apps={name: app for name, app in named if app},
        strict=bool(checks and checks.get("strict")),
        approvals=None if reviews is None else int(reviews.get("required_approving_review_count", 1)),
        review={name: bool(reviews[name]) for name in FLAGS if reviews and name in reviews},
        switches={name: bool(call.body[name]) for name in SWITCHES if name in call.body},
        admins=bool(call.body["enforce_admins"]),
    )
    protection.put(call.at, branch_of(call), rules)
    return Reply(shape(call, rules))


@route("DELETE", HERE, "administration:write")
def delete(call: Call) -> Reply:
    rules_of(call)
    protection.remove(call.at, branch_of(call))
    return NOTHING


@route("GET", f"{HERE}/required_status_checks", "administration:read")
def required_checks(call: Call) -> Reply:
    rules = rules_of(call)
    if rules.contexts is None:
        raise Problem(404, "Required status checks not enabled")
    return Reply(checks_shape(call, rules))
