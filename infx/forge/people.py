"""People: roles in a repository, and how GitHub names a person's relation to it."""

from infx.errors import BadInput
from infx.forge.site import Site
from infx.forge.tokens import PLAIN, ROLES, role_of
from infx.forge.visit import Visit


def set_role(at: Visit, login: str, *, role: str, custom: str = "") -> None:
    """Give a role; `custom` is the name of a custom role built on it."""
    if role not in ROLES:
        raise BadInput(f"{role!r} is no role", todo=f"choose one of {', '.join(ROLES)}")
    login = at.site.user(login)["login"]
    put = "INSERT OR REPLACE INTO roles (repo, login, role, custom) VALUES (?, ?, ?, ?)"
    at.db.run(put, at.repo["id"], login, role, custom)


def add_member(site: Site, organization: str, login: str, *, role: str = "member") -> None:
    """`role`: member or admin (an owner)."""
    login = site.user(login)["login"]
    put = "INSERT OR REPLACE INTO members (org, login, role) VALUES (?, ?, ?)"
    site.db.run(put, organization, login, role)


def permission(at: Visit, login: str) -> tuple[str, str]:
    """`permission` and `role_name` of the collaborator endpoint."""
    role = role_of(at, login)
    custom = at.db.value("SELECT custom FROM roles WHERE repo = ? AND login = ?", at.repo["id"], login)
    return PLAIN.get(role, role), custom or role


def association(at: Visit, login: str) -> str:
    """`author_association` of what this user wrote."""
    if login.lower() == at.repo["owner"].lower():
        return "OWNER"
    if at.db.row("SELECT 1 FROM members WHERE org = ? AND login = ?", at.repo["owner"], login):
        return "MEMBER"
    if at.db.row("SELECT 1 FROM roles WHERE repo = ? AND login = ? AND role != 'none'", at.repo["id"], login):
        return "COLLABORATOR"
    merged = "SELECT 1 FROM issues WHERE repo = ? AND author = ? AND merged_at IS NOT NULL"
    return "CONTRIBUTOR" if at.db.row(merged, at.repo["id"], login) else "NONE"


def outsider(at: Visit, login: str) -> bool:
    """True when runs of this person's fork pull requests wait for approval."""
    known = association(at, login)
    if known in ("OWNER", "MEMBER", "COLLABORATOR") or at.repo["approval"] == "none":
        return False
    return known == "NONE" or at.repo["approval"] == "all_external_contributors"
