"""Teams of an organization and its members."""

import re

from infx.forge.database import Row
from infx.forge.problem import not_found
from infx.forge.site import Site

MEMBER = "SELECT 1 FROM members WHERE org = ? AND login = ?"


def slug_of(name: str) -> str:
    """`GPU Owners` → `gpu-owners`."""
    return re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-")


def add(site: Site, org: str, name: str, *, description: str = "") -> Row:
    """The team of that name, made when it is new."""
    put = "INSERT OR IGNORE INTO teams (org, slug, name, description, created_at) VALUES (?, ?, ?, ?, ?)"
    site.db.run(put, org, slug_of(name), name, description, site.stamp())
    return find(site, org, slug_of(name))


def find(site: Site, org: str, slug: str) -> Row:
    row = site.db.row("SELECT * FROM teams WHERE org = ? AND slug = ?", org, slug)
    if not row:
        raise not_found()
    return row


def join(site: Site, team: Row, login: str, *, role: str = "member") -> None:
    """Members of a team are members of its organization."""
    login = site.user(login)["login"]
    put = "INSERT OR REPLACE INTO team_members (team, login, role) VALUES (?, ?, ?)"
    site.db.run(put, team["id"], login, role)
    site.db.run("INSERT OR IGNORE INTO members (org, login) VALUES (?, ?)", team["org"], login)


def leave(site: Site, team: Row, login: str) -> bool:
    """False when nobody of that name was in it."""
    gone = site.db.run("DELETE FROM team_members WHERE team = ? AND login = ?", team["id"], login)
    return gone > 0


def role(site: Site, team: Row, login: str) -> str | None:
    """`member`, `maintainer`, or None."""
    sql = "SELECT role FROM team_members WHERE team = ? AND login = ?"
    found: str | None = site.db.value(sql, team["id"], login)
    return found


def is_member(site: Site, org: str, login: str) -> bool:
    return org.lower() == login.lower() or site.db.row(MEMBER, org, login) is not None
