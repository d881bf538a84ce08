"""Pull requests, their files and commits."""

from infx.forge.database import Row
from infx.forge.people import association
from infx.forge.shapes.issue import labels
from infx.forge.shapes.repo import api_of, html_of, repository
from infx.forge.shapes.user import maybe, user
from infx.forge.site import Json, Site


def side(site: Site, repo: Row | None, ref: str, sha: str, *, owner: str) -> Json:
    """`head` or `base`. A deleted head repository is null."""
    return {
        "label": f"{owner}:{ref}",
        "ref": ref,
        "sha": sha,
        "user": user(site, owner),
        "repo": repository(site, repo) if repo else None,
    }


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


def simple(site: Site, repo: Row, row: Row) -> Json:
    """A pull request, as lists carry it."""
    here, page = f"{api_of(site, repo)}/pulls/{row['number']}", f"{html_of(site, repo)}/pull/{row['number']}"
    issue = f"{api_of(site, repo)}/issues/{row['number']}"
    head_repo = site.db.row("SELECT * FROM repos WHERE id = ?", row["head_repo"])
    hrefs = links(here, issue, page, row["head_sha"], f"{api_of(site, repo)}/statuses")
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
        "locked": False,
        "title": row["title"],
        "user": user(site, row["author"]),
        "body": row["body"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "closed_at": row["closed_at"],
        "merged_at": row["merged_at"],
        "merge_commit_sha": row["merge_sha"],
        "assignee": None,
        "assignees": [],
        "requested_reviewers": [],
        "requested_teams": [],
        "labels": labels(site, repo, row["id"]),
        "milestone": None,
        "draft": bool(row["draft"]),
        "head": side(
            site,
            head_repo,
            row["head_ref"],
            row["head_sha"],
            owner=(head_repo or {}).get("owner", row["author"]),
        ),
        "base": side(site, repo, row["base_ref"], row["base_sha"], owner=repo["owner"]),
        "_links": hrefs,
        "author_association": association(site, repo, row["author"]),
        "auto_merge": None,
        "active_lock_reason": None,
    }


def mergeable_state(row: Row) -> str:
    """`unknown` until the test merge is done and told."""
    if row["mergeable"] is None or not row["told"]:
        return "unknown"
    if not row["mergeable"]:
        return "dirty"
    return "draft" if row["draft"] else "clean"


def full(site: Site, repo: Row, row: Row) -> Json:
    """A pull request, as its own endpoint and webhooks show it."""
    bare = site.bare(repo)
    files = bare.files(row["base_sha"], row["head_sha"])
    count = "SELECT count(*) FROM {} WHERE issue = ?"
    known = row["told"] and row["mergeable"] is not None and row["state"] == "open"
    mergeable = bool(row["mergeable"]) if known else None
    return {
        **simple(site, repo, row),
        "merged": row["merged_at"] is not None,
        "mergeable": mergeable,
        "rebaseable": mergeable,
        "mergeable_state": mergeable_state(row),
        "merged_by": maybe(site, row["merged_by"]),
        "comments": site.db.value(count.format("comments"), row["id"]),
        "review_comments": site.db.value(count.format("review_comments"), row["id"]),
        "maintainer_can_modify": row["head_repo"] != repo["id"],
        "commits": bare.distance(row["base_sha"], row["head_sha"]),
        "additions": sum(file.additions for file in files),
        "deletions": sum(file.deletions for file in files),
        "changed_files": len(files),
    }


def brief(site: Site, repo: Row, row: Row) -> Json:
    """A pull request, as workflow runs and check runs carry it."""

    def end(of: Row, ref: str, sha: str) -> Json:
        return {
            "ref": ref,
            "sha": sha,
            "repo": {"id": of["id"], "url": api_of(site, of), "name": of["name"]},
        }

    head_repo = site.db.row("SELECT * FROM repos WHERE id = ?", row["head_repo"]) or repo
    return {
        "url": f"{api_of(site, repo)}/pulls/{row['number']}",
        "id": row["id"] + 1_000_000,
        "number": row["number"],
        "head": end(head_repo, row["head_ref"], row["head_sha"]),
        "base": end(repo, row["base_ref"], row["base_sha"]),
    }
