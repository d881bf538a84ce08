"""Commits and comparisons."""

from infx.forge.commit import Commit
from infx.forge.problem import Problem, not_found
from infx.forge.rest.route import Call, R, Reply, route
from infx.forge.shapes import commit as shapes
from infx.forge.site import Json

MOST_FILES = 300
STATUS = {
    (False, False): "identical",
    (True, False): "ahead",
    (False, True): "behind",
    (True, True): "diverged",
}
"""By whether head has commits that base lacks, and the other way round."""


@route("GET", f"{R}/commits", "contents:read")
def listing(call: Call) -> Reply:
    bare = call.at.bare
    start = bare.sha(call.query.get("sha", call.at.branch))
    if not start:
        raise not_found()
    found = bare.log(start, path=call.query.get("path", ""))
    return call.cut(found, lambda one: shapes.commit(call.at, one))


@route("GET", f"{R}/commits/{{ref:path}}", "contents:read")
def get(call: Call) -> Reply:
    bare = call.at.bare
    sha = bare.sha(call.params["ref"])
    if not sha:
        raise Problem(422, f"No commit found for SHA: {call.params['ref']}")
    return Reply(with_files(call, bare.commit(sha)))


def with_files(call: Call, one: Commit) -> Json:
    """A commit, as its own endpoint shows it."""
    found = call.at.bare.files(one.parents[0], one.sha) if one.parents else ()
    added, deleted = sum(file.additions for file in found), sum(file.deletions for file in found)
    return {
        **shapes.commit(call.at, one),
        "stats": {"total": added + deleted, "additions": added, "deletions": deleted},
        "files": [shapes.file(call.at, one.sha, file) for file in found[:MOST_FILES]],
    }


@route("GET", f"{R}/compare/{{basehead:path}}", "contents:read")
def compare(call: Call) -> Reply:
    at, bare = call.at, call.at.bare
    base, dots, head = call.params["basehead"].partition("...")
    base_sha, head_sha = bare.sha(base.rpartition(":")[2]), bare.sha(head.rpartition(":")[2])
    if not (dots and base_sha and head_sha):
        raise not_found()
    ahead, behind = bare.count(base_sha, head_sha)
    start = bare.merge_base(base_sha, head_sha)
    page, size = call.paging
    commits = bare.log("--topo-order", "--reverse", f"{base_sha}..{head_sha}")
    files = bare.files(base_sha, head_sha)[:MOST_FILES] if page == 1 else ()
    body = {
        **addresses(call),
        "base_commit": shapes.commit(at, bare.commit(base_sha)),
        "merge_base_commit": shapes.commit(at, bare.commit(start)),
        "status": STATUS[ahead > 0, behind > 0],
        "ahead_by": ahead,
        "behind_by": behind,
        "total_commits": ahead,
        "commits": [shapes.commit(at, one) for one in commits[(page - 1) * size : page * size]],
        "files": [shapes.file(at, head_sha, one) for one in files],
    }
    return Reply(body, headers=call.link(len(commits)))


def addresses(call: Call) -> Json:
    page = f"{call.at.page}/compare/{call.params['basehead']}"
    return {
        "url": f"{call.at.api}/compare/{call.params['basehead']}",
        "html_url": page,
        "permalink_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
    }
