"""Teams and memberships."""

from infx.forge.database import Row
from infx.forge.shapes.user import organization, user
from infx.forge.site import Json, Site

ROLE = "SELECT role FROM members WHERE org = ? AND login = ?"


def team(site: Site, row: Row) -> Json:
    org = site.user(row["org"])
    here = f"{site.api}/organizations/{org['id']}/team/{row['id']}"
    return {
        "id": row["id"],
        "node_id": f"T_{row['id']}",
        "name": row["name"],
        "slug": row["slug"],
        "description": row["description"],
        "privacy": "closed",
        "notification_setting": "notifications_enabled",
        "permission": "pull",
        "url": here,
        "html_url": f"{site.url}/orgs/{org['login']}/teams/{row['slug']}",
        "members_url": f"{here}/members{{/member}}",
        "repositories_url": f"{here}/repos",
        "type": "organization",
        "organization_id": org["id"],
        "parent": None,
    }


def full(site: Site, row: Row) -> Json:
    """A team, as its own endpoint shows it."""
    org = site.user(row["org"])
    members = site.db.value("SELECT count(*) FROM team_members WHERE team = ?", row["id"])
    return {
        **team(site, row),
        "members_count": members,
        "repos_count": 0,
        "created_at": row["created_at"],
        "updated_at": row["created_at"],
        "organization": {
            **organization(site, org["login"]),
            "name": org["name"],
            "html_url": f"{site.url}/{org['login']}",
            "has_organization_projects": False,
            "has_repository_projects": False,
            "public_repos": 0,
            "public_gists": 0,
            "followers": 0,
            "following": 0,
            "created_at": org["created_at"],
            "updated_at": org["created_at"],
            "archived_at": None,
            "type": "Organization",
        },
    }


def membership(site: Site, row: Row, login: str, role: str) -> Json:
    url = f"{team(site, row)['url']}/memberships/{login}"
    return {"url": url, "role": role, "state": "active"}


def org_membership(site: Site, org: str, login: str) -> Json:
    here = organization(site, org)
    return {
        "url": f"{here['url']}/memberships/{login}",
        "state": "active",
        "role": site.db.value(ROLE, org, login) or "member",
        "organization_url": here["url"],
        "organization": here,
        "user": user(site, login),
    }
