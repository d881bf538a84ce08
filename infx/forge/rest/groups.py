"""Runner groups of an organization, and its runners."""

from typing import Any

from infx.forge import groups
from infx.forge.groups import Group
from infx.forge.problem import wrong
from infx.forge.rest.route import NOTHING, Call, Reply, created, route
from infx.forge.rest.teams import org_of
from infx.forge.shapes.repo import repository
from infx.forge.shapes.run import runner
from infx.forge.site import Json
from infx.forge.visit import Visit

HERE = "/orgs/{org}/actions/runner-groups"
ONE = f"{HERE}/{{id}}"


def shape(call: Call, org: str, group: Group) -> Json:
    number, name, kept = group
    here = f"{call.site.api}/orgs/{org}/actions/runner-groups/{number}"
    chosen = {"selected_repositories_url": f"{here}/repositories"}
    shown = ("visibility", "allows_public_repositories", "restricted_to_workflows", "selected_workflows")
    return {
        "id": number,
        "name": name,
        "default": number == groups.DEFAULT,
        **(chosen if kept["visibility"] == "selected" else {}),
        "runners_url": f"{here}/runners",
        "hosted_runners_url": f"{here}/hosted-runners",
        "inherited": False,
        **{field: kept[field] for field in shown},
        "workflow_restrictions_read_only": False,
    }


def of_path(call: Call, level: str = "read") -> tuple[str, Group]:
    org = org_of(call, level)
    return org, groups.find(call.site, org, call.number("id"))


def lists(body: Json) -> Json:
    """The body; 422 where a list of ids is something else."""
    for name in ("runners", "selected_repository_ids"):
        value: Any = body.get(name, [])
        if not isinstance(value, list) or not all(isinstance(one, int) for one in value):
            raise wrong("RunnerGroup", name)
    return body


@route("GET", HERE)
def listing(call: Call) -> Reply:
    org = org_of(call)
    found = groups.every(call.site, org)
    return call.cut(found, lambda group: shape(call, org, group), envelope="runner_groups")


@route("POST", HERE)
def create(call: Call) -> Reply:
    org, name = org_of(call, "write"), call.text("name", resource="RunnerGroup")
    number = groups.make(call.site, org, name, lists(call.body))
    return created(shape(call, org, groups.find(call.site, org, number)))


@route("GET", ONE)
def get(call: Call) -> Reply:
    return Reply(shape(call, *of_path(call)))


@route("PATCH", ONE)
def edit(call: Call) -> Reply:
    org, group = of_path(call, "write")
    groups.change(call.site, org, group[0], lists(call.body))
    return get(call)


@route("DELETE", ONE)
def delete(call: Call) -> Reply:
    org, group = of_path(call, "write")
    groups.remove(call.site, org, group[0])
    return NOTHING


@route("GET", f"{ONE}/repositories")
def repositories(call: Call) -> Reply:
    _, (_, _, kept) = of_path(call)
    found = [call.site.repo_by_id(number) for number in kept["selected_repository_ids"]]
    return call.cut(
        found, lambda row: repository(Visit(call.site, row, call.caller)), envelope="repositories"
    )


@route("PUT", f"{ONE}/repositories")
def set_repositories(call: Call) -> Reply:
    edit(call)
    return NOTHING


@route("GET", f"{ONE}/runners")
def runners(call: Call) -> Reply:
    org, group = of_path(call)
    found = groups.runners(call.site, org, group[0])
    return call.cut(found, lambda row: runner(call.site, row, org=org), envelope="runners")


@route("PUT", f"{ONE}/runners")
def set_runners(call: Call) -> Reply:
    edit(call)
    return NOTHING


@route("GET", "/orgs/{org}/actions/runners")
def of_organization(call: Call) -> Reply:
    org = org_of(call)
    sql = "SELECT * FROM runners WHERE repo IS NULL AND hosted = 0 ORDER BY id"
    return call.rows(sql, shape=lambda row: runner(call.site, row, org=org), envelope="runners")
