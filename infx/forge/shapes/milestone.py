"""Milestones."""

from infx.forge.database import Row
from infx.forge.shapes.user import user
from infx.forge.site import Json
from infx.forge.visit import Visit


def milestone(at: Visit, row: Row) -> Json:
    here = f"{at.api}/milestones/{row['number']}"
    count = "SELECT count(*) FROM issues WHERE milestone = ? AND state = ?"
    return {
        "url": here,
        "html_url": f"{at.page}/milestone/{row['number']}",
        "labels_url": f"{here}/labels",
        "id": row["id"],
        "node_id": f"MI_{row['id']}",
        "number": row["number"],
        "title": row["title"],
        "description": row["description"],
        "creator": user(at.site, row["author"]),
        "open_issues": at.db.value(count, row["id"], "open"),
        "closed_issues": at.db.value(count, row["id"], "closed"),
        "state": row["state"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "due_on": row["due_on"],
        "closed_at": row["closed_at"],
    }


def of_issue(at: Visit, row: Row) -> Json | None:
    """The milestone that an issue belongs to."""
    found = row["milestone"] and at.db.row("SELECT * FROM milestones WHERE id = ?", row["milestone"])
    return milestone(at, found) if found else None
