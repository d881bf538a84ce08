"""Reviews and review comments."""

from infx.forge.database import Row
from infx.forge.people import association
from infx.forge.shapes.issue import rollup
from infx.forge.shapes.user import user
from infx.forge.site import Json
from infx.forge.visit import Visit


def review(at: Visit, pull: Row, row: Row) -> Json:
    api = f"{at.api}/pulls/{pull['number']}"
    page = f"{at.page}/pull/{pull['number']}#pullrequestreview-{row['id']}"
    return {
        "id": row["id"],
        "node_id": f"PRR_{row['id']}",
        "user": user(at.site, row["author"]),
        "body": row["body"],
        "state": row["state"],
        "html_url": page,
        "pull_request_url": api,
        "author_association": association(at, row["author"]),
        "_links": {"html": {"href": page}, "pull_request": {"href": api}},
        "submitted_at": row["submitted_at"],
        "commit_id": row["sha"],
    }


def comment(at: Visit, pull: Row, row: Row) -> Json:
    here = f"{at.api}/pulls/comments/{row['id']}"
    api = f"{at.api}/pulls/{pull['number']}"
    page = f"{at.page}/pull/{pull['number']}#discussion_r{row['id']}"
    lines = {
        "line": row["line"],
        "original_line": row["line"],
        "start_line": row["start_line"],
        "original_start_line": row["start_line"],
    }
    shape = {
        "url": here,
        "pull_request_review_id": row["review"],
        "id": row["id"],
        "node_id": f"PRRC_{row['id']}",
        "diff_hunk": "",
        "path": row["path"],
        "position": row["line"],
        "original_position": row["line"],
        "commit_id": row["sha"],
        "original_commit_id": row["sha"],
        "user": user(at.site, row["author"]),
        "body": row["body"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "html_url": page,
        "pull_request_url": api,
        "author_association": association(at, row["author"]),
        "_links": {"self": {"href": here}, "html": {"href": page}, "pull_request": {"href": api}},
        **lines,
        "start_side": row["start_side"],
        "side": row["side"],
        "subject_type": "line",
        "reactions": rollup(at.site, here, "review_comment", row["id"]),
    }
    return {**shape, "in_reply_to_id": row["reply_to"]} if row["reply_to"] else shape
