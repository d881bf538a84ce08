"""Commits, changed files, statuses."""

from urllib.parse import quote

from infx.forge.changes import Changed
from infx.forge.commit import Commit, Person
from infx.forge.database import Row
from infx.forge.shapes.user import maybe, user
from infx.forge.site import Json
from infx.forge.visit import Visit

UNSIGNED = {"verified": False, "reason": "unsigned", "signature": None, "payload": None, "verified_at": None}


def person(who: Person) -> Json:
    return {"name": who.name, "email": who.email, "date": who.date}


def git_commit(at: Visit, commit: Commit) -> Json:
    """The commit object itself (`/git/commits/{sha}`)."""
    here, page = at.api, at.page
    return {
        "sha": commit.sha,
        "node_id": f"C_{commit.sha}",
        "url": f"{here}/git/commits/{commit.sha}",
        "html_url": f"{page}/commit/{commit.sha}",
        "author": person(commit.author),
        "committer": person(commit.committer),
        "tree": {"sha": commit.tree, "url": f"{here}/git/trees/{commit.tree}"},
        "message": commit.message,
        "parents": [
            {"sha": sha, "url": f"{here}/git/commits/{sha}", "html_url": f"{page}/commit/{sha}"}
            for sha in commit.parents
        ],
        "verification": UNSIGNED,
    }


def commit(at: Visit, one: Commit) -> Json:
    """A commit, as lists carry it."""
    here, page = f"{at.api}/commits", f"{at.page}/commit"
    return {
        "sha": one.sha,
        "node_id": f"C_{one.sha}",
        "url": f"{here}/{one.sha}",
        "html_url": f"{page}/{one.sha}",
        "comments_url": f"{here}/{one.sha}/comments",
        "commit": {
            "url": f"{at.api}/git/commits/{one.sha}",
            "author": person(one.author),
            "committer": person(one.committer),
            "message": one.message,
            "tree": {"sha": one.tree, "url": f"{at.api}/git/trees/{one.tree}"},
            "comment_count": 0,
            "verification": UNSIGNED,
        },
        "author": maybe(at.site, at.site.by_email(one.author.email)),
        "committer": maybe(at.site, at.site.by_email(one.committer.email)),
        "parents": [{"sha": sha, "url": f"{here}/{sha}", "html_url": f"{page}/{sha}"} for sha in one.parents],
    }


def head(one: Commit) -> Json:
    """`head_commit` of a workflow run."""
    return {
        "id": one.sha,
        "tree_id": one.tree,
        "message": one.message,
        "timestamp": one.committer.date,
        "author": {"name": one.author.name, "email": one.author.email},
        "committer": {"name": one.committer.name, "email": one.committer.email},
    }


def file(at: Visit, sha: str, changed: Changed) -> Json:
    """One changed file at commit `sha`."""
    path, page = quote(changed.path), at.page
    shape: Json = {
        "sha": changed.blob,
        "filename": changed.path,
        "status": changed.status,
        "additions": changed.additions,
        "deletions": changed.deletions,
        "changes": changed.additions + changed.deletions,
        "blob_url": f"{page}/blob/{sha}/{path}",
        "raw_url": f"{page}/raw/{sha}/{path}",
        "contents_url": f"{at.api}/contents/{path}?ref={sha}",
    }
    if changed.patch is not None:
        shape["patch"] = changed.patch
    if changed.old_path:
        shape["previous_filename"] = changed.old_path
    return shape


def simple_status(at: Visit, row: Row) -> Json:
    return {
        "url": f"{at.api}/statuses/{row['sha']}",
        "avatar_url": user(at.site, row["author"])["avatar_url"],
        "id": row["id"],
        "node_id": f"SC_{row['id']}",
        "state": row["state"],
        "description": row["description"],
        "target_url": row["target_url"],
        "context": row["context"],
        "created_at": row["created_at"],
        "updated_at": row["created_at"],
    }


def status(at: Visit, row: Row) -> Json:
    return {**simple_status(at, row), "creator": user(at.site, row["author"])}
