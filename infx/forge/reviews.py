"""Reviews of a pull request and comments on its lines."""

from collections.abc import Sequence
from typing import Any

from infx.forge import duties, hooks, issues
from infx.forge.database import Row
from infx.forge.problem import invalid, not_found, wrong
from infx.forge.shapes import pull as pulls
from infx.forge.shapes import review as shapes
from infx.forge.site import Site
from infx.forge.visit import Visit

STATES = {"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}


def find(site: Site, row: Row, review_id: int) -> Row:
    one = site.db.row("SELECT * FROM reviews WHERE issue = ? AND id = ?", row["id"], review_id)
    if not one:
        raise not_found()
    return one


def create(
    at: Visit,
    row: Row,
    *,
    event: str,
    body: str,
    sha: str,
    inline: Sequence[Any] = (),
) -> Row:
    """A submitted review with its inline comments."""
    if event not in STATES:
        raise wrong("PullRequestReview", "event")
    if event == "APPROVE" and at.caller.login == row["author"]:
        raise invalid("Unprocessable Entity", "Can not approve your own pull request")
    if event != "APPROVE" and not body and not inline:
        raise wrong("PullRequestReview", "body", "missing_field")
    issues.check_body(body, "PullRequestReview")
    review_id = at.db.insert(
        "reviews",
        repo=at.repo["id"],
        issue=row["id"],
        author=at.caller.login,
        body=body,
        state=STATES[event],
        sha=sha,
        submitted_at=at.site.stamp(),
    )
    one = find(at.site, row, review_id)
    duties.forget(at, row, "user", at.caller.login)
    tell(at, row, one, "submitted")
    for given in inline:
        comment(at, row, {**given, "commit_id": sha}, review=review_id)
    return one


def edit(at: Visit, row: Row, one: Row, *, body: str) -> Row:
    text = issues.check_body(body, "PullRequestReview")
    at.db.change("reviews", one["id"], body=text, editor=at.caller.login, edited_at=at.site.stamp())
    new = find(at.site, row, one["id"])
    tell(at, row, new, "edited", changes={"body": {"from": one["body"]}})
    return new


def dismiss(at: Visit, row: Row, one: Row, *, message: str) -> Row:
    if one["state"] not in ("APPROVED", "CHANGES_REQUESTED"):
        raise invalid("Validation Failed", "Can not dismiss a commented pull request review")
    at.db.change("reviews", one["id"], state="DISMISSED")
    dismissed = {"state": "dismissed", "review_id": one["id"], "dismissal_message": message}
    issues.note(at, row, "review_dismissed", dismissed_review=dismissed)
    new = find(at.site, row, one["id"])
    tell(at, row, new, "dismissed")
    return new


def tell(at: Visit, row: Row, one: Row, action: str, **more: Any) -> None:
    review = {**shapes.review(at, row, one), "state": one["state"].lower()}
    payload = {"action": action, "review": review, "pull_request": pulls.simple(at, row), **more}
    hooks.about_pull(at, "pull_request_review", payload, row)


def comment(at: Visit, row: Row, given: dict[str, Any], *, review: int = 0) -> Row:
    """A comment on a line; alone it makes a review of its own."""
    body = issues.check_body(given.get("body"), "PullRequestReviewComment")
    sha, now = given.get("commit_id") or row["head_sha"], at.site.stamp()
    path = str(given.get("path", ""))
    if path not in {file.path for file in at.bare.files(row["base_sha"], row["head_sha"])}:
        raise wrong("PullRequestReviewComment", "path")
    if not review:
        review = at.db.insert(
            "reviews",
            repo=at.repo["id"],
            issue=row["id"],
            author=at.caller.login,
            body="",
            state="COMMENTED",
            sha=sha,
            submitted_at=now,
        )
    comment_id = at.db.insert(
        "review_comments",
        repo=at.repo["id"],
        issue=row["id"],
        review=review,
        author=at.caller.login,
        body=body,
        path=path,
        line=given.get("line") or given.get("position"),
        side=given.get("side", "RIGHT"),
        start_line=given.get("start_line"),
        start_side=given.get("start_side"),
        sha=sha,
        reply_to=given.get("in_reply_to"),
        created_at=now,
        updated_at=now,
    )
    one = find_comment(at, comment_id)
    tell_comment(at, row, one, "created")
    return one


def find_comment(at: Visit, comment_id: int) -> Row:
    one = at.db.row("SELECT * FROM review_comments WHERE repo = ? AND id = ?", at.repo["id"], comment_id)
    if not one:
        raise not_found()
    return one


def tell_comment(at: Visit, row: Row, one: Row, action: str, **more: Any) -> None:
    shape = shapes.comment(at, row, one)
    payload = {"action": action, "comment": shape, "pull_request": pulls.simple(at, row), **more}
    hooks.about_pull(at, "pull_request_review_comment", payload, row)


def edit_comment(at: Visit, row: Row, old: Row, body: Any) -> Row:
    text = issues.check_body(body, "PullRequestReviewComment")
    now = at.site.stamp()
    changed = {"body": text, "updated_at": now, "editor": at.caller.login, "edited_at": now}
    at.db.change("review_comments", old["id"], **changed)
    new = find_comment(at, old["id"])
    if text != old["body"]:
        tell_comment(at, row, new, "edited", changes={"body": {"from": old["body"]}})
    return new


def delete_comment(at: Visit, row: Row, old: Row) -> None:
    tell_comment(at, row, old, "deleted")
    at.db.run("DELETE FROM review_comments WHERE id = ?", old["id"])
