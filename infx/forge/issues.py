"""Issues and what hangs on them: labels, comments, reactions, timeline. Pull requests use all of it."""

import re
from collections.abc import Sequence
from typing import Any

from infx.forge import hooks
from infx.forge.database import Row, pack
from infx.forge.problem import Problem, invalid, not_found, wrong
from infx.forge.shapes import issue as shapes
from infx.forge.visit import Visit

BODY_LIMIT = 65536
"""Characters of a comment or description (docs: the error GitHub answers with)."""
GREY = "ededed"


def find(at: Visit, number: int) -> Row:
    row = at.db.row("SELECT * FROM issues WHERE repo = ? AND number = ?", at.repo["id"], number)
    if not row:
        raise not_found()
    return row


def again(at: Visit, row: Row) -> Row:
    """The row as it stands now."""
    found = at.db.row("SELECT * FROM issues WHERE id = ?", row["id"])
    assert found
    return found


def next_number(at: Visit) -> int:
    """Issues and pull requests share one count."""
    top = at.db.value("SELECT max(number) FROM issues WHERE repo = ?", at.repo["id"])
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


def note(at: Visit, row: Row, event: str, **data: Any) -> None:
    """One timeline entry."""
    now = at.site.stamp()
    at.db.insert(
        "timeline",
        repo=row["repo"],
        issue=row["id"],
        event=event,
        actor=at.caller.login,
        created_at=now,
        data=pack(data),
    )
    at.db.change("issues", row["id"], updated_at=now)


def create(at: Visit, *, title: str, body: str | None) -> Row:
    """A plain issue."""
    now = at.site.stamp()
    with at.db.transaction():
        issue_id = at.db.insert(
            "issues",
            repo=at.repo["id"],
            number=next_number(at),
            pull=0,
            title=title,
            body=body,
            author=at.caller.login,
            state="open",
            created_at=now,
            updated_at=now,
        )
    row = again(at, {"id": issue_id})
    hooks.issue(at, "opened", row)
    return row


def set_state(at: Visit, row: Row, state: str) -> Row:
    """Close or reopen; nothing when it is so already."""
    if state not in ("open", "closed"):
        raise wrong("Issue", "state")
    if row["state"] == state:
        return row
    closed = state == "closed"
    reason = ("completed" if closed else "reopened") if not row["pull"] else None
    at.db.change(
        "issues",
        row["id"],
        state=state,
        state_reason=reason,
        closed_at=at.site.stamp() if closed else None,
        closed_by=at.caller.login if closed else None,
    )
    note(at, row, "closed" if closed else "reopened")
    row = again(at, row)
    hooks.of_issue(at, "closed" if closed else "reopened", row)
    return row


def find_label(at: Visit, name: str) -> Row:
    row = at.db.row("SELECT * FROM labels WHERE repo = ? AND name = ?", at.repo["id"], name)
    if not row:
        raise not_found()
    return row


def check_label(name: str, color: str) -> None:
    """Refused unless it has 1 to 50 characters and six hexadecimal digits."""
    if not name or len(name) > 50:
        raise wrong("Label", "name")
    if not re.fullmatch("[0-9a-fA-F]{6}", color):
        raise wrong("Label", "color")


def make_label(at: Visit, name: str, *, color: str = GREY, description: str | None = None) -> Row:
    """The repository's label of that name, made when it is new."""
    check_label(name, color)
    at.db.run(
        "INSERT OR IGNORE INTO labels (repo, name, color, description) VALUES (?, ?, ?, ?)",
        at.repo["id"],
        name,
        color,
        description,
    )
    return find_label(at, name)


def add_labels(at: Visit, row: Row, names: Sequence[str]) -> None:
    """One `labeled` event for each label that was not there."""
    for name in names:
        for label in attach_labels(at, row, [name]):
            tell_label(at, row, label, "labeled")


def attach_labels(at: Visit, row: Row, names: Sequence[str]) -> list[Row]:
    """The labels of these names that were not there; nobody is told yet."""
    put = "INSERT OR IGNORE INTO issue_labels (issue, label) VALUES (?, ?)"
    labels = [make_label(at, name) for name in names]
    return [label for label in labels if at.db.run(put, row["id"], label["id"])]


def remove_label(at: Visit, row: Row, name: str) -> None:
    label = at.db.row("SELECT * FROM labels WHERE repo = ? AND name = ?", at.repo["id"], name)
    taken = label and at.db.run(
        "DELETE FROM issue_labels WHERE issue = ? AND label = ?", row["id"], label["id"]
    )
    if not label or not taken:
        raise Problem(404, "Label does not exist")
    tell_label(at, row, label, "unlabeled")


def set_labels(at: Visit, row: Row, names: Sequence[str]) -> None:
    """Exactly these labels."""
    wanted = {name.lower() for name in names}
    for label in shapes.labels(at, row["id"]):
        if label["name"].lower() not in wanted:
            remove_label(at, row, label["name"])
    add_labels(at, row, names)


def tell_label(at: Visit, row: Row, label: Row, action: str) -> None:
    note(at, row, action, label={"name": label["name"], "color": label["color"]})
    hooks.of_issue(at, action, again(at, row), label=shapes.label(at, label))


COMMENT = (
    "SELECT comments.*, number, pull FROM comments "
    "JOIN issues ON issues.id = comments.issue WHERE +comments.repo = ?"
)
"""The plus keeps SQLite from walking through all comments of the repository to find those of one issue."""


def find_comment(at: Visit, comment_id: int) -> Row:
    row = at.db.row(f"{COMMENT} AND comments.id = ?", at.repo["id"], comment_id)
    if not row:
        raise not_found()
    return row


def tell_comment(at: Visit, comment: Row, action: str, **more: Any) -> None:
    row = find(at, comment["number"])
    payload = {
        "action": action,
        "issue": shapes.issue(at, row),
        "comment": shapes.comment(at, comment),
        **more,
    }
    hooks.send(at, "issue_comment", payload)


def comment(at: Visit, row: Row, body: Any) -> Row:
    """A new comment in the conversation."""
    text = check_body(body, "IssueComment")
    if not text.strip():
        raise invalid(
            "Validation Failed", {"resource": "IssueComment", "code": "missing_field", "field": "body"}
        )
    now = at.site.stamp()
    comment_id = at.db.insert(
        "comments",
        repo=at.repo["id"],
        issue=row["id"],
        author=at.caller.login,
        body=text,
        created_at=now,
        updated_at=now,
    )
    at.db.change("issues", row["id"], updated_at=now)
    made = find_comment(at, comment_id)
    tell_comment(at, made, "created")
    return made


def edit_comment(at: Visit, old: Row, body: Any) -> Row:
    text = check_body(body, "IssueComment")
    now = at.site.stamp()
    at.db.change("comments", old["id"], body=text, editor=at.caller.login, edited_at=now, updated_at=now)
    new = find_comment(at, old["id"])
    if old["body"] != text:
        tell_comment(at, new, "edited", changes={"body": {"from": old["body"]}})
    return new


def delete_comment(at: Visit, old: Row) -> None:
    tell_comment(at, old, "deleted")
    at.db.run("DELETE FROM comments WHERE id = ?", old["id"])


def react(at: Visit, kind: str, subject: int, *, content: Any) -> tuple[Row, bool]:
    """The caller's reaction, and whether it is new. `kind`: issue or comment."""
    if content not in shapes.CONTENTS:
        raise wrong("Reaction", "content")
    key = (kind, subject, at.caller.login, content)
    put = (
        "INSERT OR IGNORE INTO reactions (kind, subject, author, content, created_at) VALUES (?, ?, ?, ?, ?)"
    )
    new = at.db.run(put, *key, at.site.stamp()) > 0
    row = at.db.row(
        "SELECT * FROM reactions WHERE kind = ? AND subject = ? AND author = ? AND content = ?", *key
    )
    assert row
    return row, new
