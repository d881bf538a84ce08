"""Users, bots and organizations."""

from typing import Any

from infx.forge.site import Json, Site

LINKS = {
    "followers_url": "/followers",
    "following_url": "/following{/other_user}",
    "gists_url": "/gists{/gist_id}",
    "starred_url": "/starred{/owner}{/repo}",
    "subscriptions_url": "/subscriptions",
    "organizations_url": "/orgs",
    "repos_url": "/repos",
    "events_url": "/events{/privacy}",
    "received_events_url": "/received_events",
}


def user(site: Site, login: str) -> Json:
    """A simple user."""
    row = site.user(login)
    here = f"{site.api}/users/{row['login']}"
    return {
        "login": row["login"],
        "id": row["id"],
        "node_id": f"U_{row['id']}",
        "avatar_url": f"{site.url}/avatars/u/{row['id']}",
        "gravatar_id": "",
        "url": here,
        "html_url": f"{site.url}/{row['login']}",
        **{name: here + path for name, path in LINKS.items()},
        "type": row["type"],
        "site_admin": False,
    }


def maybe(site: Site, login: str | None) -> Json | None:
    return user(site, login) if login else None


def full(site: Site, login: str) -> Json:
    """A public user, as `/users/{username}` shows it."""
    row = site.user(login)
    blanks: dict[str, Any] = dict.fromkeys(("company", "email", "hireable", "bio", "twitter_username"))
    counts = dict.fromkeys(("public_repos", "public_gists", "followers", "following"), 0)
    return {
        **user(site, login),
        **blanks,
        **counts,
        "name": row["name"],
        "blog": "",
        "location": None,
        "created_at": row["created_at"],
        "updated_at": row["created_at"],
    }


def organization(site: Site, login: str) -> Json:
    """An organization, as webhooks carry it."""
    row = site.user(login)
    here = f"{site.api}/orgs/{row['login']}"
    return {
        "login": row["login"],
        "id": row["id"],
        "node_id": f"O_{row['id']}",
        "url": here,
        "repos_url": f"{here}/repos",
        "events_url": f"{here}/events",
        "hooks_url": f"{here}/hooks",
        "issues_url": f"{here}/issues",
        "members_url": f"{here}/members{{/member}}",
        "public_members_url": f"{here}/public_members{{/member}}",
        "avatar_url": f"{site.url}/avatars/u/{row['id']}",
        "description": "",
    }
