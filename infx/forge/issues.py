"""Issues and what hangs on them: labels, comments, reactions, timeline. Pull requests use all of it."""

from collections.abc import Sequence
from typing import Any

from infx.forge import hooks
from infx.forge.database import Row, pack
from infx.forge.problem import Problem, invalid, not_found, wrong
from infx.forge.shapes import issue as shapes
from infx.forge.site import Site
from infx.forge.tokens import Caller

BODY_LIMIT = 65536
"""Characters of a comment or description (docs: the error GitHub answers with)."""
GREY = "ededed"


def find(site: Site, repo: Row, number: int) -> Row:
    row = site.db.row("SELECT * FROM issues WHERE repo = ? AND number = ?", repo["id"], number)
    if not row:
        raise not_found()
    return row


def again(site: Site, row: Row) -> Row:
    """The row as it stands now."""
    found = site.db.row("SELECT * FROM issues WHERE id = ?", row["id"])
    assert found
    return found


def next_number(site: Site, repo: Row) -> int:
    """Issues and pull requests share one count."""
    top = site.db.value("SELECT max(number) FROM issues WHERE repo = ?", repo["id"])
    return (top or 0) + 1


def check_body(body: Any, resource: str) -> str:
    """Text that GitHub takes; 422 when it is no text or too long."""
    if not isinstance(body, str):
        raise wrong(resource, "body")
    if len(body) > BODY_LIMIT:
        problem = f"body is too long (maximum is {BODY_LIMIT} characters)"
        error = {"resource": resource, "code": "unprocessable", "field": "data", "message": problem}
        raise invalid("Validation Failed", error)
    return body.replace("\0", "")


def note(site: Site, row: Row, caller: Caller, event: str, **data: Any) -> None:
    """One timeline entry."""
    now = site.stamp()
    site.db.insert(
        "timeline",
        repo=row["repo"],
        issue=row["id"],
        event=event,
        actor=caller.login,
        created_at=now,
        data=pack(data),
    )
    site.db.change("issues", row["id"], updated_at=now)


def create(site: Site, caller: Caller, repo: Row, *, title: str, body: str | None) -> Row:
    """A plain issue."""
    now = site.stamp()
    with site.db.transaction():
        issue_id = site.db.insert(
            "issues",
            repo=repo["id"],
            number=next_number(site, repo),
            pull=0,
            title=title,
            body=body,
            author=caller.login,
            state="open",
            created_at=now,
            updated_at=now,
        )
    row = again(site, {"id": issue_id})
    hooks.issue(site, repo, caller, "opened", row)
    return row


def set_state(site: Site, caller: Caller, repo: Row, row: Row, state: str) -> Row:
    """Close or reopen; nothing when it is so already."""
    if state not in ("open", "closed"):
        raise wrong("Issue", "state")
    if row["state"] == state:
        return row
    closed = state == "closed"
    reason = ("completed" if closed else "reopened") if not row["pull"] else None
    site.db.change(
        "issues",
        row["id"],
        state=state,
        state_reason=reason,
        closed_at=site.stamp() if closed else None,
        closed_by=caller.login if closed else None,
    )
    note(site, row, caller, "closed" if closed else "reopened")
    row = again(site, row)
    hooks.of_issue(site, repo, caller, "closed" if closed else "reopened", row)
    return row


def find_label(site: Site, repo: Row, name: str) -> Row:
    row = site.db.row("SELECT * FROM labels WHERE repo = ? AND name = ?", repo["id"], name)
    if not row:
        raise not_found()
    return row


def make_label(site: Site, repo: Row, name: str, *, color: str = GREY, description: str | None = None) -> Row:
    """The repository's label of that name, made when it is new."""
    if not name or len(name) > 50:
        raise wrong("Label", "name")
    site.db.run(
        "INSERT OR IGNORE INTO labels (repo, name, color, description) VALUES (?, ?, ?, ?)",
        repo["id"],
        name,
        color,
        description,
    )
    return find_label(site, repo, name)


def add_labels(site: Site, caller: Caller, repo: Row, row: Row, names: Sequence[str]) -> None:
    """One `labeled` event for each label that was not there."""
    for name in names:
        label = make_label(site, repo, name)
        put = "INSERT OR IGNORE INTO issue_labels (issue, label) VALUES (?, ?)"
        if site.db.run(put, row["id"], label["id"]):
            tell_label(site, caller, repo, row, label, "labeled")


def remove_label(site: Site, caller: Caller, repo: Row, row: Row, name: str) -> None:
    label = site.db.row("SELECT * FROM labels WHERE repo = ? AND name = ?", repo["id"], name)
    taken = label and site.db.run(
        "DELETE FROM issue_labels WHERE issue = ? AND label = ?", row["id"], label["id"]
    )
    if not label or not taken:
        raise Problem(404, "Label does not exist")
    tell_label(site, caller, repo, row, label, "unlabeled")


def set_labels(site: Site, caller: Caller, repo: Row, row: Row, names: Sequence[str]) -> None:
    """Exactly these labels."""
    wanted = {name.lower() for name in names}
    for label in shapes.labels(site, repo, row["id"]):
        if label["name"].lower() not in wanted:
            remove_label(site, caller, repo, row, label["name"])
    add_labels(site, caller, repo, row, names)


def tell_label(site: Site, caller: Caller, repo: Row, row: Row, label: Row, action: str) -> None:
    note(site, row, caller, action, label={"name": label["name"], "color": label["color"]})
    hooks.of_issue(site, repo, caller, action, again(site, row), label=shapes.label(site, repo, label))


COMMENT = "SELECT comments.*, number, pull FROM comments JOIN issues ON issues.id = comments.issue WHERE comments.repo = ?"


def find_comment(site: Site, repo: Row, comment_id: int) -> Row:
    row = site.db.row(f"{COMMENT} AND comments.id = ?", repo["id"], comment_id)
    if not row:
        raise not_found()
    return row


def tell_comment(site: Site, caller: Caller, repo: Row, comment: Row, action: str, **more: Any) -> None:
    row = find(site, repo, comment["number"])
    payload = {
        "action": action,
        "issue": shapes.issue(site, repo, row),
        "comment": shapes.comment(site, repo, comment),
        **more,
    }
    hooks.send(site, repo, caller, "issue_comment", payload)


def comment(site: Site, caller: Caller, repo: Row, row: Row, body: Any) -> Row:
    """A new comment in the conversation."""
    text = check_body(body, "IssueComment")
    if not text.strip():
        raise invalid(
            "Validation Failed", {"resource": "IssueComment", "code": "missing_field", "field": "body"}
        )
    now = site.stamp()
    comment_id = site.db.insert(
        "comments",
        repo=repo["id"],
        issue=row["id"],
        author=caller.login,
        body=text,
        created_at=now,
        updated_at=now,
    )
    site.db.change("issues", row["id"], updated_at=now)
    made = find_comment(site, repo, comment_id)
    tell_comment(site, caller, repo, made, "created")
    return made


def edit_comment(site: Site, caller: Caller, repo: Row, old: Row, body: Any) -> Row:
    text = check_body(body, "IssueComment")
    site.db.change("comments", old["id"], body=text, editor=caller.login, updated_at=site.stamp())
    new = find_comment(site, repo, old["id"])
    if old["body"] != text:
        tell_comment(site, caller, repo, new, "edited", changes={"body": {"from": old["body"]}})
    return new


def delete_comment(site: Site, caller: Caller, repo: Row, old: Row) -> None:
    tell_comment(site, caller, repo, old, "deleted")
    site.db.run("DELETE FROM comments WHERE id = ?", old["id"])


def react(site: Site, caller: Caller, kind: str, subject: int, content: Any) -> tuple[Row, bool]:
    """The caller's reaction, and whether it is new."""
    if content not in shapes.CONTENTS:
        raise wrong("Reaction", "content")
    put = (
        "INSERT OR IGNORE INTO reactions (kind, subject, author, content, created_at) VALUES (?, ?, ?, ?, ?)"
    )
    new = site.db.run(put, kind, subject, caller.login, content, site.stamp()) > 0
    row = site.db.row(
        "SELECT * FROM reactions WHERE kind = ? AND subject = ? AND author = ? AND content = ?",
        kind,
        subject,
        caller.login,
        content,
    )
    assert row
    return row, new
