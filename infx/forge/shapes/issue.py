"""Issues, labels, comments, reactions and timeline events. A pull request is an issue too."""

from urllib.parse import quote

from infx.forge.database import Row, unpack
from infx.forge.people import association
from infx.forge.shapes.milestone import of_issue
from infx.forge.shapes.user import maybe, user
from infx.forge.site import Json, Site
from infx.forge.visit import Visit

CONTENTS = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")


DEFAULT_LABELS = {
    *("bug", "documentation", "duplicate", "enhancement", "good first issue"),
    *("help wanted", "invalid", "question", "wontfix"),
}
"""Names that a new repository on GitHub has from the start."""


def label(at: Visit, row: Row) -> Json:
    return {
        "id": row["id"],
        "node_id": f"LA_{row['id']}",
        "url": f"{at.api}/labels/{quote(row['name'])}",
        "name": row["name"],
        "color": row["color"],
        "default": row["name"].lower() in DEFAULT_LABELS,
        "description": row["description"],
        "archived_at": None,
        "archived_by": None,
    }


def labels(at: Visit, issue: int) -> list[Json]:
    rows = at.db.rows(
        "SELECT labels.* FROM issue_labels JOIN labels ON labels.id = label "
        "WHERE issue = ? ORDER BY issue_labels.rowid",
        issue,
    )
    return [label(at, row) for row in rows]


def assignees(at: Visit, issue: int) -> list[Json]:
    rows = at.db.rows("SELECT login FROM assignees WHERE issue = ? ORDER BY rowid", issue)
    return [user(at.site, row["login"]) for row in rows]


def on_duty(at: Visit, issue: int) -> Json:
    """`assignees`, and the first of them alone."""
    found = assignees(at, issue)
    return {"assignee": found[0] if found else None, "assignees": found}


def rollup(site: Site, url: str, kind: str, subject: int) -> Json:
    """Counts of reactions."""
    rows = site.db.rows(
        "SELECT content, count(*) AS n FROM reactions WHERE kind = ? AND subject = ? GROUP BY content",
        kind,
        subject,
    )
    found = {row["content"]: row["n"] for row in rows}
    counts = {content: found.get(content, 0) for content in CONTENTS}
    return {"url": f"{url}/reactions", "total_count": sum(counts.values()), **counts}


def issue(at: Visit, row: Row) -> Json:
    here, page = f"{at.api}/issues/{row['number']}", at.page
    place = "pull" if row["pull"] else "issues"
    shape = {
        "url": here,
        "repository_url": at.api,
        "labels_url": f"{here}/labels{{/name}}",
        "comments_url": f"{here}/comments",
        "events_url": f"{here}/events",
        "timeline_url": f"{here}/timeline",
        "html_url": f"{page}/{place}/{row['number']}",
        "id": row["id"],
        "node_id": f"I_{row['id']}",
        "number": row["number"],
        "title": row["title"],
        "user": user(at.site, row["author"]),
        "labels": labels(at, row["id"]),
        "state": row["state"],
        "state_reason": row["state_reason"],
        "locked": bool(row["locked"]),
        "active_lock_reason": row["lock_reason"],
        **on_duty(at, row["id"]),
        "milestone": of_issue(at, row),
        "comments": at.db.value("SELECT count(*) FROM comments WHERE issue = ?", row["id"]),
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "closed_at": row["closed_at"],
        "author_association": association(at, row["author"]),
        "body": row["body"],
        "reactions": rollup(at.site, here, "issue", row["id"]),
        "performed_via_github_app": None,
    }
    return {**shape, **part_of_pull(at, row)} if row["pull"] else shape


def part_of_pull(at: Visit, row: Row) -> Json:
    page = f"{at.page}/pull/{row['number']}"
    links = {
        "url": f"{at.api}/pulls/{row['number']}",
        "html_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "merged_at": row["merged_at"],
    }
    return {"draft": bool(row["draft"]), "pull_request": links}


def full(at: Visit, row: Row) -> Json:
    """An issue, as its own endpoint shows it."""
    return {**issue(at, row), "closed_by": maybe(at.site, row["closed_by"])}


def comment(at: Visit, row: Row) -> Json:
    """`number` and `pull` of the row are those of the issue it stands under."""
    here = f"{at.api}/issues/comments/{row['id']}"
    place = "pull" if row["pull"] else "issues"
    return {
        "id": row["id"],
        "node_id": f"IC_{row['id']}",
        "url": here,
        "html_url": f"{at.page}/{place}/{row['number']}#issuecomment-{row['id']}",
        "issue_url": f"{at.api}/issues/{row['number']}",
        "body": row["body"],
        "user": user(at.site, row["author"]),
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "author_association": association(at, row["author"]),
        "reactions": rollup(at.site, here, "comment", row["id"]),
        "performed_via_github_app": None,
    }


def reaction(site: Site, row: Row) -> Json:
    return {
        "id": row["id"],
        "node_id": f"REA_{row['id']}",
        "user": user(site, row["author"]),
        "content": row["content"],
        "created_at": row["created_at"],
    }


def event(at: Visit, row: Row) -> Json:
    """One entry of the timeline or of the events list."""
    data = unpack(row["data"])
    if row["event"] == "committed":
        return {"event": "committed", **data}
    return {
        "id": row["id"],
        "node_id": f"EV_{row['id']}",
        "url": f"{at.api}/issues/events/{row['id']}",
        "actor": user(at.site, row["actor"]),
        "event": row["event"],
        "commit_id": None,
        "commit_url": None,
        "created_at": row["created_at"],
        "performed_via_github_app": None,
        **data,
    }
