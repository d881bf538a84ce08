"""Talk: what happened under a pull request or issue, by time."""

from infx.forge import issues
from infx.forge.database import Row, unpack
from infx.forge.site import Json
from infx.forge.visit import Visit

SAID = f"{issues.COMMENT} AND comments.issue = ? ORDER BY comments.id"


def entries(at: Visit, row: Row) -> list[Json]:
    """Comments, reviews, commits and events. Each has `kind`, `at` and `who`."""
    found = [*commits(at, row), *reviews(at, row)] if row["pull"] else []
    for one in at.db.rows(SAID, at.repo["id"], row["id"]):
        found.append({**one, "kind": "comment", "at": one["created_at"], "who": one["author"]})
    for one in at.db.rows("SELECT * FROM timeline WHERE issue = ? ORDER BY id", row["id"]):
        data = unpack(one["data"]) or {}
        found.append({"kind": one["event"], "at": one["created_at"], "who": one["actor"], "data": data})
    return sorted(found, key=lambda entry: str(entry["at"]))


def commits(at: Visit, row: Row) -> list[Json]:
    span = f"{row['base_sha']}..{row['head_sha']}"
    return [
        {
            "kind": "commit",
            "at": one.committer.date,
            "who": at.site.by_email(one.author.email) or one.author.name,
            "sha": one.sha,
            "title": one.message.partition("\n")[0],
        }
        for one in at.bare.log("--topo-order", "--reverse", span, limit=250)
    ]


def reviews(at: Visit, row: Row) -> list[Json]:
    """Each with its comments on lines."""
    inline = at.db.rows("SELECT * FROM review_comments WHERE issue = ? ORDER BY id", row["id"])
    return [
        {
            **one,
            "kind": "review",
            "at": one["submitted_at"],
            "who": one["author"],
            "inline": [comment for comment in inline if comment["review"] == one["id"]],
        }
        for one in at.db.rows("SELECT * FROM reviews WHERE issue = ? ORDER BY id", row["id"])
    ]
