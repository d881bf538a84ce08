"""Branch protection and rulesets: required checks and reviews, and who may go round them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from infx.forge import apps, rulesets
from infx.forge.database import Row, pack, unpack
from infx.forge.site import Json
from infx.forge.tokens import at_least, role_of
from infx.forge.visit import Visit

PASSED = ("success", "neutral", "skipped")
"""A required check that was skipped counts as passed (docs: Troubleshooting required status checks)."""
NEWEST_STATUS = """
SELECT state FROM statuses
WHERE repo = ?1 AND sha = ?2 AND context = ?3 AND (?4 = '' OR author = ?4 || '[bot]') ORDER BY id DESC
"""
NEWEST_CHECK = """
SELECT status, conclusion FROM (
  SELECT jobs.id AS id, jobs.status AS status, jobs.conclusion AS conclusion FROM jobs
    JOIN runs ON runs.id = jobs.run AND runs.attempt = jobs.attempt
    WHERE jobs.repo = ?1 AND jobs.sha = ?2 AND jobs.name = ?3 AND ?4 IN ('', 'github-actions')
  UNION ALL SELECT id, status, conclusion FROM checks
    WHERE repo = ?1 AND sha = ?2 AND name = ?3 AND ?4 IN ('', app)
) ORDER BY id DESC
"""
"""The fourth value is the App that must have reported it; empty for any."""
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
    apps: Mapping[str, int] = field(default_factory=dict)
    """Required check → id of the App that must report it; what is not here may come from anybody."""
    review: Mapping[str, bool] = field(default_factory=dict)
    """Further flags of required reviews, kept and shown: owners, stale reviews, last push."""
    switches: Mapping[str, bool] = field(default_factory=dict)
    """Further switches of a branch, kept and shown: linear history, deletions, conversations, locks."""
    queue: bool = False
    """Nothing is merged but by the merge queue."""


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


def in_force(at: Visit, branch: str) -> list[Rules]:
    """The branch's own rules, and those of every active ruleset that names it."""
    own = find(at, branch)
    return [*([own] if own else []), *(as_rules(data) for data in rulesets.active(at, branch))]


def as_rules(ruleset: Json) -> Rules:
    """What a ruleset asks of merges, in the words of branch protection."""
    parts = {one["type"]: one.get("parameters") or {} for one in ruleset.get("rules") or ()}
    checks, reviews = parts.get("required_status_checks"), parts.get("pull_request")
    wanted = (checks or {}).get("required_status_checks") or ()
    return Rules(
        contexts=None if checks is None else tuple(one["context"] for one in wanted),
        strict=bool(checks and checks.get("strict_required_status_checks_policy")),
        approvals=None if reviews is None else int(reviews.get("required_approving_review_count") or 0),
        admins=not rulesets.admins_bypass(ruleset),
        apps={one["context"]: one["integration_id"] for one in wanted if one.get("integration_id")},
        queue="merge_queue" in parts,
    )


def binding(at: Visit, branch: str) -> list[Rules]:
    """The rules that bind the caller."""
    return [rules for rules in in_force(at, branch) if bound(at, rules)]


def remove(at: Visit, branch: str) -> None:
    at.db.run("DELETE FROM protection WHERE repo = ? AND branch = ?", at.repo["id"], branch)


def bound(at: Visit, rules: Rules) -> bool:
    """False for an admin where admins may go round the rules."""
    return rules.admins or at.caller.by_app or not at_least(role_of(at, at.caller.login), "admin")


def against_merge(at: Visit, row: Row, asked: Sequence[Rules]) -> list[str]:
    """Why this pull request may not be merged yet by the rules `asked`, in GitHub's words."""
    return list(dict.fromkeys(reason for rules in asked for reason in missing(at, row, rules)))


def missing(at: Visit, row: Row, rules: Rules) -> list[str]:
    found = [*checks_missing(at, rules, row["head_sha"])]
    if rules.queue:
        found.append("Changes must be made through the merge queue")
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
    found: list[str] = []
    for rules in binding(at, branch):
        if rules.approvals is not None:
            found.append("Changes must be made through a pull request.")
        found += checks_missing(at, rules, sha)
    return list(dict.fromkeys(found))


def checks_missing(at: Visit, rules: Rules, sha: str) -> Iterator[str]:
    for context in rules.contexts or ():
        state = check_state(at, sha, context, app=rules.apps.get(context, 0))
        if state != "passed":
            yield f'Required status check "{context}" is {state}.'


def check_state(at: Visit, sha: str, context: str, *, app: int = 0) -> str:
    """`passed`, `failing`, `pending`, or `expected` where nothing of that name was ever reported."""
    key = (at.repo["id"], sha, context, apps.slug_of(at.site, app))
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
