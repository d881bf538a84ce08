"""People: roles in a repository, and how GitHub names a person's relation to it."""

from infx.forge.database import Row
from infx.forge.site import Site
from infx.forge.tokens import PLAIN, ROLES, role_of


def set_role(site: Site, repo: Row, login: str, *, role: str, custom: str = "") -> None:
    """Give a role; `custom` is the name of a custom role built on it."""
    if role not in ROLES:
        raise ValueError(f"no such role: {role}")
    login = site.user(login)["login"]
    site.db.run(
        "INSERT OR REPLACE INTO roles (repo, login, role, custom) VALUES (?, ?, ?, ?)",
        repo["id"],
        login,
        role,
        custom,
    )


def permission(site: Site, repo: Row, login: str) -> tuple[str, str]:
    """`permission` and `role_name` of the collaborator endpoint."""
    role = role_of(site, repo, login)
    custom = site.db.value("SELECT custom FROM roles WHERE repo = ? AND login = ?", repo["id"], login)
    return PLAIN.get(role, role), custom or role


def association(site: Site, repo: Row, login: str) -> str:
    """`author_association` of what this user wrote."""
    if login.lower() == repo["owner"].lower():
        return "OWNER"
    if site.db.row("SELECT 1 FROM members WHERE org = ? AND login = ?", repo["owner"], login):
        return "MEMBER"
    if site.db.row("SELECT 1 FROM roles WHERE repo = ? AND login = ? AND role != 'none'", repo["id"], login):
        return "COLLABORATOR"
    merged = "SELECT 1 FROM issues WHERE repo = ? AND author = ? AND merged_at IS NOT NULL"
    return "CONTRIBUTOR" if site.db.row(merged, repo["id"], login) else "NONE"


def outsider(site: Site, repo: Row, login: str) -> bool:
    """True when runs of this person's fork pull requests wait for approval."""
    known = association(site, repo, login)
    if known in ("OWNER", "MEMBER", "COLLABORATOR") or repo["approval"] == "none":
        return False
    return known == "NONE" or repo["approval"] == "all_external_contributors"
