"""Branch protection: required checks and reviews, and who may go round them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from infx.forge.database import Row, pack, unpack
from infx.forge.tokens import at_least, role_of
from infx.forge.visit import Visit

PASSED = ("success", "neutral", "skipped")
"""A required check that was skipped counts as passed (docs: Troubleshooting required status checks)."""
NEWEST_STATUS = "SELECT state FROM statuses WHERE repo = ? AND sha = ? AND context = ? ORDER BY id DESC"
NEWEST_CHECK = """
SELECT status, conclusion FROM (
  SELECT jobs.id AS id, jobs.status AS status, jobs.conclusion AS conclusion FROM jobs
    JOIN runs ON runs.id = jobs.run AND runs.attempt = jobs.attempt
    WHERE jobs.repo = ?1 AND jobs.sha = ?2 AND jobs.name = ?3
  UNION ALL SELECT id, status, conclusion FROM checks WHERE repo = ?1 AND sha = ?2 AND name = ?3
) ORDER BY id DESC
"""
APPROVALS = """
SELECT author, state FROM reviews WHERE id IN (
  SELECT max(id) FROM reviews WHERE issue = ? AND state != 'COMMENTED' GROUP BY author)
"""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What one branch asks for."""

    contexts: tuple[str, ...] | None = None
    """Names of required checks; None when the branch requires none."""
    strict: bool = False
    """The head must hold the tip of the base."""
    approvals: int | None = None
    """Number of approving reviews; None when no review is asked for."""
    admins: bool = False
    """Admins are bound too."""


def find(at: Visit, branch: str) -> Rules | None:
    data = at.db.value("SELECT data FROM protection WHERE repo = ? AND branch = ?", at.repo["id"], branch)
    if not data:
        return None
    kept: dict[str, Any] = unpack(data)
    contexts = kept.pop("contexts")
    return Rules(contexts=None if contexts is None else tuple(contexts), **kept)


def put(at: Visit, branch: str, rules: Rules) -> None:
    sql = "INSERT OR REPLACE INTO protection (repo, branch, data) VALUES (?, ?, ?)"
    at.db.run(sql, at.repo["id"], branch, pack(vars(rules)))


def remove(at: Visit, branch: str) -> None:
    at.db.run("DELETE FROM protection WHERE repo = ? AND branch = ?", at.repo["id"], branch)


def bound(at: Visit, rules: Rules) -> bool:
    """False for an admin where admins may go round the rules."""
    return rules.admins or at.caller.by_app or not at_least(role_of(at, at.caller.login), "admin")


def against_merge(at: Visit, row: Row) -> list[str]:
    """Why this pull request may not be merged yet, in GitHub's words; whoever asks."""
    rules = find(at, row["base_ref"])
    if not rules:
        return []
    found = [*checks_missing(at, rules, row["head_sha"])]
    if rules.approvals and approvals(at, row) < rules.approvals:
        count = (
            "1 approving review is" if rules.approvals == 1 else f"{rules.approvals} approving reviews are"
        )
        found.append(f"At least {count} required by reviewers with write access.")
    if rules.strict and not at.bare.contains(row["base_sha"], row["head_sha"]):
        found.append("The head branch is not up to date with the base branch.")
    return found


def against_push(at: Visit, branch: str, sha: str) -> list[str]:
    """Why the branch may not move to that commit; empty for one whose checks have passed."""
    rules = find(at, branch)
    if not rules or not bound(at, rules):
        return []
    reviews = ["Changes must be made through a pull request."] if rules.approvals is not None else []
    return [*reviews, *checks_missing(at, rules, sha)]


def checks_missing(at: Visit, rules: Rules, sha: str) -> Iterator[str]:
    for context in rules.contexts or ():
        state = check_state(at, sha, context)
        if state != "passed":
            yield f'Required status check "{context}" is {state}.'


def check_state(at: Visit, sha: str, context: str) -> str:
    """`passed`, `failing`, `pending`, or `expected` where nothing of that name was ever reported."""
    key = (at.repo["id"], sha, context)
    status: str | None = at.db.value(NEWEST_STATUS, *key)
    if status:
        return {"success": "passed", "pending": "pending"}.get(status, "failing")
    check = at.db.row(NEWEST_CHECK, *key)
    if not check:
        return "expected"
    if check["status"] != "completed":
        return "pending"
    return "passed" if check["conclusion"] in PASSED else "failing"


def approvals(at: Visit, row: Row) -> int:
    """Approving reviews that stand, of people with write access; 0 while one of them asks for changes."""
    said = [
        one["state"]
        for one in at.db.rows(APPROVALS, row["id"])
        if at_least(role_of(at, one["author"]), "write")
    ]
    return 0 if "CHANGES_REQUESTED" in said else said.count("APPROVED")
