"""Duties: who is assigned to an issue or asked for a review, its milestone, and whether it is locked."""

from collections.abc import Iterable, Sequence

from infx.forge import hooks, issues, teams
from infx.forge.database import Row
from infx.forge.people import association
from infx.forge.problem import Problem, invalid, wrong
from infx.forge.shapes import issue as shapes
from infx.forge.shapes.milestone import milestone
from infx.forge.shapes.team import team as team_shape
from infx.forge.shapes.user import user
from infx.forge.tokens import at_least, role_of
from infx.forge.visit import Visit

MOST_ASSIGNEES = 10
"""GitHub leaves further ones out (docs: Add assignees to an issue)."""
REASONS = ("off-topic", "too heated", "resolved", "spam")


def assignable(at: Visit, login: str) -> bool:
    """Who may write in the repository's issues (docs: Assigning issues)."""
    known = at.db.row("SELECT 1 FROM users WHERE login = ? AND type != 'Organization'", login)
    return known is not None and at_least(role_of(at, login), "triage")


def assign(at: Visit, row: Row, logins: Iterable[str]) -> None:
    """One `assigned` event for each that is new; who may not be assigned is passed over, as on GitHub."""
    for login in logins:
        full = len(shapes.assignees(at, row["id"])) >= MOST_ASSIGNEES
        put = "INSERT OR IGNORE INTO assignees (issue, login) VALUES (?, ?)"
        if not full and assignable(at, login) and at.db.run(put, row["id"], login):
            tell_assignee(at, row, login, "assigned")


def unassign(at: Visit, row: Row, logins: Iterable[str]) -> None:
    for login in logins:
        if at.db.run("DELETE FROM assignees WHERE issue = ? AND login = ?", row["id"], login):
            tell_assignee(at, row, login, "unassigned")


def set_assignees(at: Visit, row: Row, logins: Sequence[str]) -> None:
    """Exactly these."""
    wanted = {login.lower() for login in logins}
    now = [one["login"] for one in shapes.assignees(at, row["id"])]
    unassign(at, row, [login for login in now if login.lower() not in wanted])
    assign(at, row, logins)


def tell_assignee(at: Visit, row: Row, login: str, action: str) -> None:
    whom = user(at.site, login)
    issues.note(at, row, action, assignee=whom)
    hooks.of_issue(at, action, issues.again(at, row), assignee=whom)


def ask(at: Visit, row: Row, *, logins: Sequence[str], slugs: Sequence[str]) -> None:
    """Ask for reviews. 422 for the author, and for who may not read the repository."""
    for login in logins:
        if login.lower() == row["author"].lower():
            raise invalid("Review cannot be requested from pull request author.")
        if association(at, login) not in ("OWNER", "MEMBER", "COLLABORATOR"):
            raise invalid(
                "Reviews may only be requested from collaborators. One or more of the users or teams "
                f"you specified is not a collaborator of the {at.repo['full_name']} repository."
            )
    found = [teams.find(at.site, at.repo["owner"], slug) for slug in slugs]
    for kind, name in [*(("user", login) for login in logins), *(("team", one["slug"]) for one in found)]:
        put = "INSERT OR IGNORE INTO reviewers (issue, kind, name) VALUES (?, ?, ?)"
        if at.db.run(put, row["id"], kind, name):
            tell_reviewer(at, row, kind, name, action="review_requested")


def forget(at: Visit, row: Row, kind: str, name: str) -> bool:
    """False when nobody had asked."""
    gone = "DELETE FROM reviewers WHERE issue = ? AND kind = ? AND name = ?"
    return at.db.run(gone, row["id"], kind, name) > 0


def unask(at: Visit, row: Row, *, logins: Sequence[str], slugs: Sequence[str]) -> None:
    for kind, name in [*(("user", login) for login in logins), *(("team", slug) for slug in slugs)]:
        if forget(at, row, kind, name):
            tell_reviewer(at, row, kind, name, action="review_request_removed")


def tell_reviewer(at: Visit, row: Row, kind: str, name: str, *, action: str) -> None:
    if kind == "user":
        whom = {"requested_reviewer": user(at.site, name)}
    else:
        whom = {"requested_team": team_shape(at.site, teams.find(at.site, at.repo["owner"], name))}
    issues.note(at, row, action, review_requester=user(at.site, at.caller.login), **whom)
    hooks.pull_request(at, action, issues.again(at, row), **whom)


def lock(at: Visit, row: Row, reason: str | None) -> None:
    if reason is not None and reason not in REASONS:
        raise wrong("Issue", "lock_reason")
    at.db.change("issues", row["id"], locked=1, lock_reason=reason)
    if not row["locked"]:
        issues.note(at, row, "locked", lock_reason=reason)
        hooks.of_issue(at, "locked", issues.again(at, row))


def unlock(at: Visit, row: Row) -> None:
    at.db.change("issues", row["id"], locked=0, lock_reason=None)
    if row["locked"]:
        issues.note(at, row, "unlocked")
        hooks.of_issue(at, "unlocked", issues.again(at, row))


def refuse_locked(at: Visit, row: Row) -> None:
    """In a locked conversation only who may write in the repository goes on (docs: Locking conversations)."""
    if row["locked"] and not at.caller.by_app and not at_least(role_of(at, at.caller.login), "write"):
        raise Problem(403, "Unable to create comment because issue is locked.")


def set_milestone(at: Visit, row: Row, number: int | None) -> None:
    """`milestoned` or `demilestoned`, when it changes anything."""
    new = at.db.row("SELECT * FROM milestones WHERE repo = ? AND number = ?", at.repo["id"], number)
    if number is not None and not new:
        raise wrong("Issue", "milestone")
    old = at.db.row("SELECT * FROM milestones WHERE id = ?", row["milestone"])
    if (old and old["id"]) == (new and new["id"]):
        return
    at.db.change("issues", row["id"], milestone=new and new["id"])
    for one, action in ((old, "demilestoned"), (new, "milestoned")):
        if one:
            issues.note(at, row, action, milestone={"title": one["title"]})
            hooks.of_issue(at, action, issues.again(at, row), milestone=milestone(at, one))
