"""Pull requests, their files and commits."""

from infx.forge import protection, teams
from infx.forge.database import Row
from infx.forge.people import association
from infx.forge.shapes.issue import labels, on_duty
from infx.forge.shapes.milestone import of_issue
from infx.forge.shapes.repo import repository
from infx.forge.shapes.team import team
from infx.forge.shapes.user import maybe, user
from infx.forge.site import Json
from infx.forge.visit import Visit


def side(at: Visit, ref: str, sha: str) -> Json:
    """`head` or `base`, a branch of the repository `at`."""
    owner = at.repo["owner"]
    return {
        "label": f"{owner}:{ref}",
        "ref": ref,
        "sha": sha,
        "user": user(at.site, owner),
        "repo": repository(at),
    }


def head(at: Visit, row: Row) -> Json:
    """`head` of a pull request; a deleted repository is null."""
    repo = at.db.row("SELECT * FROM repos WHERE id = ?", row["head_repo"])
    if repo:
        return side(at.of(repo), row["head_ref"], row["head_sha"])
    return {**side(at, row["head_ref"], row["head_sha"]), "user": user(at.site, row["author"]), "repo": None}


def links(here: str, issue: str, page: str, sha: str, statuses: str) -> Json:
    """The same addresses twice: as `_links` and as fields."""
    return {
        "self": {"href": here},
        "html": {"href": page},
        "issue": {"href": issue},
        "comments": {"href": f"{issue}/comments"},
        "review_comments": {"href": f"{here}/comments"},
        "review_comment": {"href": f"{here.rsplit('/', 1)[0]}/comments{{/number}}"},
        "commits": {"href": f"{here}/commits"},
        "statuses": {"href": f"{statuses}/{sha}"},
    }


def reviewers(at: Visit, row: Row) -> Json:
    """Who is asked for a review and gave none yet."""
    asked = at.db.rows("SELECT kind, name FROM reviewers WHERE issue = ? ORDER BY rowid", row["id"])
    slugs = [one["name"] for one in asked if one["kind"] == "team"]
    return {
        "requested_reviewers": [user(at.site, one["name"]) for one in asked if one["kind"] == "user"],
        "requested_teams": [team(at.site, teams.find(at.site, at.repo["owner"], slug)) for slug in slugs],
    }


def simple(at: Visit, row: Row) -> Json:
    """A pull request, as lists carry it."""
    here, page = f"{at.api}/pulls/{row['number']}", f"{at.page}/pull/{row['number']}"
    issue = f"{at.api}/issues/{row['number']}"
    hrefs = links(here, issue, page, row["head_sha"], f"{at.api}/statuses")
    return {
        "url": here,
        "id": row["id"] + 1_000_000,
        "node_id": f"PR_{row['id']}",
        "html_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "issue_url": issue,
        **{f"{name}_url": hrefs[name]["href"] for name in ("commits", "comments", "statuses")},
        "review_comments_url": hrefs["review_comments"]["href"],
        "review_comment_url": hrefs["review_comment"]["href"],
        "number": row["number"],
        "state": row["state"],
        "locked": bool(row["locked"]),
        "title": row["title"],
        "user": user(at.site, row["author"]),
        "body": row["body"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "closed_at": row["closed_at"],
        "merged_at": row["merged_at"],
        "merge_commit_sha": row["merge_sha"],
        **on_duty(at, row["id"]),
        **reviewers(at, row),
        "labels": labels(at, row["id"]),
        "milestone": of_issue(at, row),
        "draft": bool(row["draft"]),
        "head": head(at, row),
        "base": side(at, row["base_ref"], row["base_sha"]),
        "_links": hrefs,
        "author_association": association(at, row["author"]),
        "auto_merge": None,
        "active_lock_reason": row["lock_reason"],
    }


def mergeable_state(at: Visit, row: Row) -> str:
    """`unknown` until the test merge is done and told."""
    if row["mergeable"] is None or not row["told"]:
        return "unknown"
    if not row["mergeable"]:
        return "dirty"
    if row["draft"]:
        return "draft"
    asked = protection.in_force(at, row["base_ref"])
    return "blocked" if protection.against_merge(at, row, asked) else "clean"


def full(at: Visit, row: Row) -> Json:
    """A pull request, as its own endpoint and webhooks show it."""
    bare = at.bare
    files = bare.files(row["base_sha"], row["head_sha"])
    count = "SELECT count(*) FROM {} WHERE issue = ?"
    known = row["told"] and row["mergeable"] is not None and row["state"] == "open"
    mergeable = bool(row["mergeable"]) if known else None
    return {
        **simple(at, row),
        "merged": row["merged_at"] is not None,
        "mergeable": mergeable,
        "rebaseable": mergeable,
        "mergeable_state": mergeable_state(at, row),
        "merged_by": maybe(at.site, row["merged_by"]),
        "comments": at.db.value(count.format("comments"), row["id"]),
        "review_comments": at.db.value(count.format("review_comments"), row["id"]),
        "maintainer_can_modify": row["head_repo"] != at.repo["id"],
        "commits": bare.distance(row["base_sha"], row["head_sha"]),
        "additions": sum(file.additions for file in files),
        "deletions": sum(file.deletions for file in files),
        "changed_files": len(files),
    }


def brief(at: Visit, row: Row) -> Json:
    """A pull request, as workflow runs and check runs carry it."""

    def end(of: Row, ref: str, sha: str) -> Json:
        return {
            "ref": ref,
            "sha": sha,
            "repo": {"id": of["id"], "url": at.of(of).api, "name": of["name"]},
        }

    head_repo = at.db.row("SELECT * FROM repos WHERE id = ?", row["head_repo"]) or at.repo
    return {
        "url": f"{at.api}/pulls/{row['number']}",
        "id": row["id"] + 1_000_000,
        "number": row["number"],
        "head": end(head_repo, row["head_ref"], row["head_sha"]),
        "base": end(at.repo, row["base_ref"], row["base_sha"]),
    }
