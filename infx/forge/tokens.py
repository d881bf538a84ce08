"""Tokens: who calls, and what that caller may do."""

import secrets
from collections.abc import Mapping

from infx.forge.database import Row, pack, unpack
from infx.forge.problem import Problem, not_found, refused
from infx.forge.site import Site
from infx.forge.visit import NOBODY, Caller, Visit

JOB_LOGIN = "github-actions[bot]"
ROLES = ("none", "read", "triage", "write", "maintain", "admin")
PLAIN = {"maintain": "write", "triage": "read"}
"""What `permission` shows for the roles that only `role_name` tells apart."""
USER_ROLE = {
    "issues": "triage",
    "pull-requests": "triage",
    "administration": "admin",
    "variables": "admin",
    "environments": "admin",
    "secrets": "admin",
}
"""Role that a person needs to write, where it is not `write`."""
NEVER_FOR_JOBS = {"administration", "variables", "environments", "secrets", "members", "personal"}
"""Scopes that the public does not read either."""
ALWAYS_ADMIN = {"administration"}
"""Scopes that a person needs the admin role for even to read."""


def user_token(site: Site, login: str, *, token: str = "") -> str:
    """A personal token of that user; its rights are the user's roles."""
    login = site.user(login)["login"]
    token = token or f"ghp_{secrets.token_hex(18)}"
    site.db.run("INSERT OR REPLACE INTO tokens (token, login, kind) VALUES (?, ?, 'user')", token, login)
    return token


def job_token(at: Visit, *, run: int, job: int, permissions: Mapping[str, str]) -> str:
    """GITHUB_TOKEN of one job."""
    token = f"ghs_{secrets.token_hex(18)}"
    at.db.insert(
        "tokens",
        token=token,
        login=JOB_LOGIN,
        kind="job",
        repo=at.repo["id"],
        run=run,
        job=job,
        data=pack(dict(permissions)),
    )
    return token


def app_token(at: Visit, slug: str, *, permissions: Mapping[str, str]) -> str:
    """Installation token of a GitHub App in one repository, and in its organization for `members`."""
    token, login = f"ghs_{secrets.token_hex(18)}", f"{slug}[bot]"
    at.site.user(login)
    held = pack({"metadata": "read", **permissions})
    at.db.insert("tokens", token=token, login=login, kind="app", repo=at.repo["id"], data=held)
    return token


def caller_of(site: Site, authorization: str) -> Caller:
    """Who sends this header. 401 when the token is unknown or ended."""
    if not authorization:
        return NOBODY
    row = site.db.row("SELECT * FROM tokens WHERE token = ? AND ended = 0", authorization.split()[-1])
    if not row:
        raise Problem(401, "Bad credentials")
    return caller(row)


def caller(row: Row) -> Caller:
    """The owner of a row of `tokens`."""
    return Caller(
        login=row["login"],
        kind=row["kind"],
        repo=row["repo"] or 0,
        run=row["run"] or 0,
        job=row["job"] or 0,
        permissions=unpack(row["data"]) or {},
    )


def role_of(at: Visit, login: str) -> str:
    """Effective role of a user: `none` … `admin`. Everybody reads a public repository."""
    if login.lower() == at.repo["owner"].lower():
        return "admin"
    found = at.db.value("SELECT role FROM roles WHERE repo = ? AND login = ?", at.repo["id"], login)
    return found or ("none" if at.repo["private"] else "read")


def at_least(role: str, wanted: str) -> bool:
    return ROLES.index(role) >= ROLES.index(wanted)


def admit(at: Visit) -> None:
    """404 when the caller may not even know that the repository exists."""
    if not at.repo["private"] or (at.caller.by_app and at.caller.repo == at.repo["id"]):
        return
    if at.caller.by_app or role_of(at, at.caller.login) == "none":
        raise not_found()


def permit(at: Visit, need: str, *, role: str = "") -> None:
    """Refuse what the token lacks. `need` is `scope:level`, with `|` between scopes of which one will do.

    `role` overrides what a person needs; jobs and Apps are judged by their `permissions` alone.
    """
    scopes, _, level = need.partition(":")
    if at.caller.kind == "anonymous":
        if level == "write" or scopes in NEVER_FOR_JOBS:
            raise Problem(401, "Requires authentication")
    elif at.caller.by_app:
        permit_app(at, scopes.split("|"), level)
    else:
        permit_person(at, role or needed_role(scopes.split("|"), level))


def needed_role(scopes: list[str], level: str) -> str:
    """The lowest role that carries one of the scopes."""
    if level == "read":
        return "admin" if scopes[0] in ALWAYS_ADMIN else "read"
    return min((USER_ROLE.get(scope, "write") for scope in scopes), key=ROLES.index)


def permit_person(at: Visit, wanted: str) -> None:
    if not at_least(role_of(at, at.caller.login), wanted):
        admin = "Must have admin rights to Repository."
        raise refused(admin if wanted == "admin" else "Resource not accessible by personal access token")


def permit_app(at: Visit, scopes: list[str], level: str) -> None:
    """A job's or App's token acts in its own repository, within its permissions; it reads what is public."""
    open_to_all = not at.repo["private"] and scopes[0] not in NEVER_FOR_JOBS
    if level == "read" and (scopes == ["metadata"] or open_to_all):
        return
    held = [at.caller.permissions.get(scope, "none") for scope in scopes]
    enough = ("write",) if level == "write" else ("read", "write")
    if at.caller.repo != at.repo["id"] or not any(one in enough for one in held):
        raise refused()
