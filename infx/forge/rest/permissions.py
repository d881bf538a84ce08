"""What Actions may do: which actions run, what their token may, who approves the runs of forks."""

from dataclasses import dataclass, field
from typing import Any

from infx.forge import documents
from infx.forge.problem import invalid
from infx.forge.rest.route import NOTHING, Call, R, Reply, route
from infx.forge.rest.teams import org_of
from infx.forge.site import Json

HERE, THERE = f"{R}/actions/permissions", "/orgs/{org}/actions/permissions"
APPROVALS = ("first_time_contributors_new_to_github", "first_time_contributors", "all_external_contributors")
LEVELS = ("read", "write")
MOST_DAYS = {"public": 90, "private": 400}
"""Retention at most (docs: Configuring the retention period)."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One page of settings: its fields with their defaults, and the closed lists among them."""

    kind: str
    fields: Json
    choices: dict[str, tuple[str, ...]] = field(default_factory=dict)


ALLOWED = ("all", "local_only", "selected")
SELECTED = Setting(
    kind="selected-actions",
    fields={"github_owned_allowed": True, "verified_allowed": False, "patterns_allowed": []},
)
ACCESS = Setting(
    kind="access",
    fields={"access_level": "none"},
    choices={"access_level": ("none", "user", "organization", "enterprise")},
)
FORKS = Setting(
    kind="fork-pr-workflows-private-repos",
    fields={
        "run_workflows_from_fork_pull_requests": False,
        "send_write_tokens_to_workflows": False,
        "send_secrets_and_variables": False,
        "require_approval_for_fork_pr_workflows": False,
    },
)
OF_REPO = Setting(
    kind="permissions",
    fields={"enabled": True, "allowed_actions": "all", "sha_pinning_required": False},
    choices={"allowed_actions": ALLOWED},
)
OF_ORG = Setting(
    kind="permissions",
    fields={"enabled_repositories": "all", "allowed_actions": "all", "sha_pinning_required": False},
    choices={"allowed_actions": ALLOWED, "enabled_repositories": ("all", "none", "selected")},
)
OF_TOKENS = Setting(
    kind="workflow",
    fields={"default_workflow_permissions": "read", "can_approve_pull_request_reviews": False},
    choices={"default_workflow_permissions": LEVELS},
)


def read(call: Call, place: str, setting: Setting) -> Json:
    return {**setting.fields, **documents.read(call.site, place, setting.kind)}


def write(call: Call, place: str, setting: Setting) -> Reply:
    """What the body names changes; 422 for a value of another kind."""
    new = {name: call.body[name] for name in setting.fields if name in call.body}
    for name, value in new.items():
        choice = setting.choices.get(name, (value,))
        if type(value) is not type(setting.fields[name]) or value not in choice:
            raise invalid("Invalid request.", f"{value!r} is not a value of {name}.")
    documents.put(call.site, place, setting.kind, value={**read(call, place, setting), **new})
    return NOTHING


def offer(path: str, setting: Setting) -> None:
    """GET and PUT of one page of a repository's settings."""

    def get(call: Call) -> Reply:
        return Reply(read(call, documents.of_repo(call.at), setting))

    def put(call: Call) -> Reply:
        return write(call, documents.of_repo(call.at), setting)

    route("GET", path, "administration:read")(get)
    route("PUT", path, "administration:write")(put)


for page in (SELECTED, ACCESS, FORKS):
    offer(f"{HERE}/{page.kind}", page)


def with_selection(body: Json, here: str) -> Json:
    chosen = {"selected_actions_url": f"{here}/selected-actions"}
    return {**body, **(chosen if body["allowed_actions"] == "selected" else {})}


@route("GET", HERE, "administration:read")
def of_repository(call: Call) -> Reply:
    body = read(call, documents.of_repo(call.at), OF_REPO)
    return Reply(with_selection(body, f"{call.at.api}/actions/permissions"))


@route("PUT", HERE, "administration:write")
def put_repository(call: Call) -> Reply:
    if not isinstance(call.body.get("enabled"), bool):
        raise invalid("Invalid request.", '"enabled" wasn\'t supplied.')
    return write(call, documents.of_repo(call.at), OF_REPO)


def change_repo(call: Call, column: str, value: Any, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise invalid("Invalid request.", f"{value!r} is not one of {', '.join(choices)}.")
    call.at.db.change("repos", call.repo["id"], **{column: value})


@route("GET", f"{HERE}/workflow", "administration:read")
def default_permissions(call: Call) -> Reply:
    kept = read(call, documents.of_repo(call.at), OF_TOKENS)
    return Reply({**kept, "default_workflow_permissions": call.repo["default_permissions"]})


@route("PUT", f"{HERE}/workflow", "administration:write")
def put_default_permissions(call: Call) -> Reply:
    level = call.body.get("default_workflow_permissions", call.repo["default_permissions"])
    change_repo(call, "default_permissions", level, LEVELS)
    return write(call, documents.of_repo(call.at), OF_TOKENS)


@route("GET", f"{HERE}/fork-pr-contributor-approval", "administration:read")
def fork_approval(call: Call) -> Reply:
    return Reply({"approval_policy": call.repo["approval"]})


@route("PUT", f"{HERE}/fork-pr-contributor-approval", "administration:write")
def put_fork_approval(call: Call) -> Reply:
    change_repo(call, "approval", call.body.get("approval_policy"), APPROVALS)
    return NOTHING


@route("GET", f"{HERE}/artifact-and-log-retention", "administration:read")
def retention(call: Call) -> Reply:
    most = MOST_DAYS["private" if call.repo["private"] else "public"]
    kept = documents.read(call.site, documents.of_repo(call.at), "retention")
    return Reply({"days": kept.get("days", min(90, most)), "maximum_allowed_days": most})


@route("PUT", f"{HERE}/artifact-and-log-retention", "administration:write")
def put_retention(call: Call) -> Reply:
    days, most = call.body.get("days"), retention(call).body["maximum_allowed_days"]
    if type(days) is not int or not 1 <= days <= most:
        raise invalid(f"Retention days must be between 1 and {most}.")
    documents.put(call.site, documents.of_repo(call.at), "retention", value={"days": days})
    return NOTHING


@route("GET", THERE)
def of_organization(call: Call) -> Reply:
    org = org_of(call)
    body = read(call, documents.of_org(org), OF_ORG)
    return Reply(with_selection(body, f"{call.site.api}/orgs/{org}/actions/permissions"))


@route("PUT", THERE)
def put_organization(call: Call) -> Reply:
    return write(call, documents.of_org(org_of(call, "write")), OF_ORG)


@route("GET", f"{THERE}/workflow")
def organization_tokens(call: Call) -> Reply:
    return Reply(read(call, documents.of_org(org_of(call)), OF_TOKENS))


@route("PUT", f"{THERE}/workflow")
def put_organization_tokens(call: Call) -> Reply:
    return write(call, documents.of_org(org_of(call, "write")), OF_TOKENS)
