"""Tokens: who calls, and what that caller may do (SPEC section 13)."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from infx.forge.database import Row, pack, unpack
from infx.forge.problem import Problem, not_found, refused
from infx.forge.site import Site

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
}
"""Role that a person needs to write, where it is not `write`."""
NEVER_FOR_JOBS = {"administration", "variables", "environments", "members", "personal"}
ALWAYS_ADMIN = {"administration"}
"""Scopes that a person needs the admin role for even to read."""


@dataclass(frozen=True, kw_only=True)
class Caller:
    """The owner of the token of one request. No login: nobody."""

    login: str = ""
    kind: str = "anonymous"
    """`anonymous`, `user` or `job`."""
    repo: int = 0
    run: int = 0
    job: int = 0
    permissions: Mapping[str, str] = field(default_factory=dict)

    @property
    def by_job(self) -> bool:
        return self.kind == "job"


def user_token(site: Site, login: str, *, token: str = "") -> str:
    """A personal token of that user; its rights are the user's roles."""
    login = site.user(login)["login"]
    token = token or f"ghp_{secrets.token_hex(18)}"
    site.db.run("INSERT OR REPLACE INTO tokens (token, login, kind) VALUES (?, ?, 'user')", token, login)
    return token


def job_token(site: Site, repo: Row, *, run: int, job: int, permissions: Mapping[str, str]) -> str:
    """GITHUB_TOKEN of one job."""
    token = f"ghs_{secrets.token_hex(18)}"
    site.db.insert(
        "tokens",
        token=token,
        login=JOB_LOGIN,
        kind="job",
        repo=repo["id"],
        run=run,
        job=job,
        data=pack(dict(permissions)),
    )
    return token


def caller_of(site: Site, authorization: str) -> Caller:
    """Who sends this header. 401 when the token is unknown or ended."""
    if not authorization:
        return Caller()
    row = site.db.row("SELECT * FROM tokens WHERE token = ? AND ended = 0", authorization.split()[-1])
    if not row:
        raise Problem(401, "Bad credentials")
    return Caller(
        login=row["login"],
        kind=row["kind"],
        repo=row["repo"] or 0,
        run=row["run"] or 0,
        job=row["job"] or 0,
        permissions=unpack(row["data"]) or {},
    )


def role_of(site: Site, repo: Row, login: str) -> str:
    """Effective role of a user: `none` … `admin`. Everybody reads a public repository."""
    if login.lower() == repo["owner"].lower():
        return "admin"
    found = site.db.value("SELECT role FROM roles WHERE repo = ? AND login = ?", repo["id"], login)
    return found or ("none" if repo["private"] else "read")


def at_least(role: str, wanted: str) -> bool:
    return ROLES.index(role) >= ROLES.index(wanted)


def admit(site: Site, caller: Caller, repo: Row) -> None:
    """404 when the caller may not even know that the repository exists."""
    if not repo["private"] or (caller.by_job and caller.repo == repo["id"]):
        return
    if caller.by_job or role_of(site, repo, caller.login) == "none":
        raise not_found()


def permit(site: Site, caller: Caller, repo: Row, need: str, *, role: str = "") -> None:
    """Refuse what the token lacks. `need` is `scope:level`, with `|` between scopes of which one will do.

    `role` overrides what a person needs; a job is judged by its `permissions` alone.
    """
    scopes, _, level = need.partition(":")
    if caller.kind == "anonymous":
        if level == "write" or scopes in NEVER_FOR_JOBS:
            raise Problem(401, "Requires authentication")
        return
    if caller.by_job:
        permit_job(caller, repo, scopes.split("|"), level)
        return
    wanted = role or needed_role(scopes.split("|"), level)
    if not at_least(role_of(site, repo, caller.login), wanted):
        raise (
            refused("Must have admin rights to Repository.")
            if wanted == "admin"
            else refused("Resource not accessible by personal access token")
        )


def needed_role(scopes: list[str], level: str) -> str:
    """The lowest role that carries one of the scopes."""
    if level == "read":
        return "admin" if scopes[0] in ALWAYS_ADMIN else "read"
    return min((USER_ROLE.get(scope, "write") for scope in scopes), key=ROLES.index)


def permit_job(caller: Caller, repo: Row, scopes: list[str], level: str) -> None:
    """A job's token acts in its own repository, within its permissions; what is public it may read anywhere."""
    open_to_all = not repo["private"] and scopes[0] not in NEVER_FOR_JOBS
    if level == "read" and (scopes == ["metadata"] or open_to_all):
        return
    held = [caller.permissions.get(scope, "none") for scope in scopes]
    enough = ("write",) if level == "write" else ("read", "write")
    if caller.repo != repo["id"] or not any(one in enough for one in held):
        raise refused()
