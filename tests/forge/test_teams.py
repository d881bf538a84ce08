"""Teams and memberships are shown to members and to Apps with `members`, and to nobody else."""

import pytest

from tests.forge.client import REPO, Client

pytestmark = pytest.mark.forge

TEAM = "/orgs/acme/teams/gpu/members"


@pytest.fixture
def teams(world):
    world.forge.team("acme", "GPU", "mia")
    return world


def test_who_sees_a_team(teams):
    app = Client(teams.forge.api, teams.forge.app(REPO, "reader", members="read"))
    blind = Client(teams.forge.api, teams.forge.app(REPO, "blind", contents="write"))
    seen = {
        "member": teams.client("mia"),
        "app": app,
        "stranger": teams.client("will"),
        "blind": blind,
        "job": teams.job_client(contents="write", actions="write"),
        "nobody": Client(teams.forge.api),
    }
    statuses = {who: client("GET", TEAM).status for who, client in seen.items()}
    assert statuses == {"member": 200, "app": 200, "stranger": 404, "blind": 403, "job": 403, "nobody": 401}
    assert [(one["login"], one["role"]) for one in app("GET", TEAM).json] == [("mia", "member")]


def test_an_app_that_reads_does_not_write(teams):
    app = Client(teams.forge.api, teams.forge.app(REPO, "reader", members="read"))
    assert app("PUT", "/orgs/acme/teams/gpu/memberships/will", {}).status == 403
    assert app("POST", "/orgs/acme/teams", {"name": "more"}).status == 403


def test_an_owner_is_told_from_a_member(teams):
    teams.forge.member("acme", "olga", role="admin")
    mia = teams.client("mia")
    roles = {login: mia("GET", f"/orgs/acme/memberships/{login}").json["role"] for login in ("mia", "olga")}
    assert roles == {"mia": "member", "olga": "admin"}
    assert mia("GET", "/orgs/acme/memberships/will").status == 404
