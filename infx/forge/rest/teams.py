"""Organizations: members and teams, shown to members and to Apps with `members`, and to nobody else."""

from infx.forge import teams
from infx.forge.database import Row
from infx.forge.problem import Problem, not_found, refused
from infx.forge.rest.route import NOTHING, Call, Reply, created, route
from infx.forge.shapes import team as shapes
from infx.forge.shapes.user import user
from infx.forge.site import Json

ORG, TEAM = "/orgs/{org}", "/orgs/{org}/teams/{team}"
ENOUGH = {"read": ("read", "write"), "write": ("write",)}


def org_of(call: Call, level: str = "read") -> str:
    """Login of the organization, once the caller may look into it (`level`: read, write)."""
    row = call.site.db.row("SELECT * FROM users WHERE login = ?", call.params["org"])
    if not row or row["type"] != "Organization":
        raise not_found()
    caller, org = call.caller, str(row["login"])
    if caller.kind == "anonymous":
        raise Problem(401, "Requires authentication")
    if caller.by_app:
        admit_app(call, org, level)
    elif not teams.is_member(call.site, org, caller.login):
        raise not_found() if level == "read" else refused("Must have admin rights to Organization.")
    return org


def admit_app(call: Call, org: str, level: str) -> None:
    """No `permissions` of a workflow reach `members`: only an App installed in the organization may."""
    home = call.site.repo_by_id(call.caller.repo)["owner"]
    held = call.caller.permissions.get("members", "none")
    if home.lower() != org.lower() or held not in ENOUGH[level]:
        raise refused()


def team_of(call: Call, level: str = "read") -> Row:
    return teams.find(call.site, org_of(call, level), call.params["team"])


@route("GET", f"{ORG}/members")
def members(call: Call) -> Reply:
    sql = "SELECT login FROM members WHERE org = ? ORDER BY login"
    return call.rows(sql, org_of(call), shape=lambda row: user(call.site, row["login"]))


@route("GET", f"{ORG}/members/{{username}}")
def is_member(call: Call) -> Reply:
    if not call.site.db.row(teams.MEMBER, org_of(call), call.params["username"]):
        raise not_found()
    return NOTHING


@route("GET", f"{ORG}/memberships/{{username}}")
def membership(call: Call) -> Reply:
    is_member(call)
    return Reply(shapes.org_membership(call.site, org_of(call), call.params["username"]))


@route("GET", f"{ORG}/teams")
def listing(call: Call) -> Reply:
    sql = "SELECT * FROM teams WHERE org = ? ORDER BY id"
    return call.rows(sql, org_of(call), shape=lambda row: shapes.team(call.site, row))


@route("POST", f"{ORG}/teams")
def create(call: Call) -> Reply:
    org, name = org_of(call, "write"), call.text("name", resource="Team")
    description = call.text("description", default="")
    return created(shapes.full(call.site, teams.add(call.site, org, name, description=description)))


@route("GET", TEAM)
def get(call: Call) -> Reply:
    return Reply(shapes.full(call.site, team_of(call)))


@route("GET", f"{TEAM}/members")
def team_members(call: Call) -> Reply:
    sql, values = "SELECT login, role FROM team_members WHERE team = ?", [team_of(call)["id"]]
    if call.query.get("role", "all") != "all":
        sql, values = f"{sql} AND role = ?", [*values, call.query["role"]]
    return call.rows(f"{sql} ORDER BY login", *values, shape=lambda row: in_team(call, row))


def in_team(call: Call, row: Row) -> Json:
    return {**user(call.site, row["login"]), "role": row["role"], "inherited": False}


ONE = f"{TEAM}/memberships/{{username}}"


@route("GET", ONE)
def team_membership(call: Call) -> Reply:
    team, login = team_of(call), call.params["username"]
    role = teams.role(call.site, team, login)
    if not role:
        raise not_found()
    return Reply(shapes.membership(call.site, team, login, role))


@route("PUT", ONE)
def put_membership(call: Call) -> Reply:
    teams.join(
        call.site, team_of(call, "write"), call.params["username"], role=call.text("role", default="member")
    )
    return team_membership(call)


@route("DELETE", ONE)
def delete_membership(call: Call) -> Reply:
    if not teams.leave(call.site, team_of(call, "write"), call.params["username"]):
        raise not_found()
    return NOTHING
