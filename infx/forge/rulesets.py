"""Rulesets of a repository: which of them are in force on a branch."""

from fnmatch import fnmatchcase

from infx.forge import documents
from infx.forge.database import Row
from infx.forge.site import Json
from infx.forge.visit import Visit

KIND = "ruleset"
ADMIN_ROLE = 5
"""The number of the admin role among bypass actors (docs: Rules)."""


def every(at: Visit) -> list[Row]:
    return documents.every(at.site, documents.of_repo(at), KIND)


def in_force(at: Visit, branch: str) -> list[Row]:
    """Active rulesets whose conditions name the branch."""
    return [row for row in every(at) if names(at, documents.data(row), branch)]


def active(at: Visit, branch: str) -> list[Json]:
    return [documents.data(row) for row in in_force(at, branch)]


def names(at: Visit, ruleset: Json, branch: str) -> bool:
    if ruleset.get("enforcement") != "active" or ruleset.get("target", "branch") != "branch":
        return False
    wanted = (ruleset.get("conditions") or {}).get("ref_name") or {}
    return matches(at, branch, wanted.get("include") or ()) and not matches(
        at, branch, wanted.get("exclude") or ()
    )


def matches(at: Visit, branch: str, patterns: list[str] | tuple[str, ...]) -> bool:
    """`~ALL`, `~DEFAULT_BRANCH`, or patterns of full names."""
    ref = f"refs/heads/{branch}"
    special = {"~ALL", "~DEFAULT_BRANCH"} if branch == at.branch else {"~ALL"}
    return any(pattern in special or fnmatchcase(ref, pattern) for pattern in patterns)


def admins_bypass(ruleset: Json) -> bool:
    return any(
        one.get("actor_type") == "OrganizationAdmin"
        or (one.get("actor_type") == "RepositoryRole" and one.get("actor_id") == ADMIN_ROLE)
        for one in ruleset.get("bypass_actors") or ()
    )
