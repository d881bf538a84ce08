"""Commits and comparisons."""

from infx.forge.commit import Commit
from infx.forge.problem import Problem, not_found
from infx.forge.rest.route import Call, R, Reply, route
from infx.forge.shapes import commit as shapes
from infx.forge.shapes.repo import api_of, html_of
from infx.forge.site import Json

MOST_FILES = 300


@route("GET", f"{R}/commits", "contents:read")
def listing(call: Call) -> Reply:
    bare = call.site.bare(call.repo)
    start = bare.sha(call.query.get("sha", call.repo["default_branch"]))
    if not start:
        raise not_found()
    found = bare.log(start, path=call.query.get("path", ""))
    return call.cut(found, lambda one: shapes.commit(call.site, call.repo, one))


@route("GET", f"{R}/commits/{{ref:path}}", "contents:read")
def get(call: Call) -> Reply:
    bare = call.site.bare(call.repo)
    sha = bare.sha(call.params["ref"])
    if not sha:
        raise Problem(422, f"No commit found for SHA: {call.params['ref']}")
    return Reply(with_files(call, bare.commit(sha)))


def with_files(call: Call, one: Commit) -> Json:
    """A commit, as its own endpoint shows it."""
    found = call.site.bare(call.repo).files(one.parents[0], one.sha) if one.parents else ()
    added, deleted = sum(file.additions for file in found), sum(file.deletions for file in found)
    return {
        **shapes.commit(call.site, call.repo, one),
        "stats": {"total": added + deleted, "additions": added, "deletions": deleted},
        "files": [shapes.file(call.site, call.repo, one.sha, file) for file in found[:MOST_FILES]],
    }


@route("GET", f"{R}/compare/{{basehead:path}}", "contents:read")
def compare(call: Call) -> Reply:
    site, repo, bare = call.site, call.repo, call.site.bare(call.repo)
    base, dots, head = call.params["basehead"].partition("...")
    base_sha, head_sha = bare.sha(base.rpartition(":")[2]), bare.sha(head.rpartition(":")[2])
    if not (dots and base_sha and head_sha):
        raise not_found()
    ahead, behind = bare.count(base_sha, head_sha)
    start = bare.merge_base(base_sha, head_sha)
    page, size = call.paging
    commits = bare.log("--topo-order", "--reverse", f"{base_sha}..{head_sha}")
    status = {(False, False): "identical", (True, False): "ahead", (False, True): "behind"}
    here, html = (
        f"{api_of(site, repo)}/compare/{base}...{head}",
        f"{html_of(site, repo)}/compare/{base}...{head}",
    )
    shown = commits[(page - 1) * size : page * size]
    body = {
        "url": here,
        "html_url": html,
        "permalink_url": html,
        "diff_url": f"{html}.diff",
        "patch_url": f"{html}.patch",
        "base_commit": shapes.commit(site, repo, bare.commit(base_sha)),
        "merge_base_commit": shapes.commit(site, repo, bare.commit(start)),
        "status": status.get((ahead > 0, behind > 0), "diverged"),
        "ahead_by": ahead,
        "behind_by": behind,
        "total_commits": ahead,
        "commits": [shapes.commit(site, repo, one) for one in shown],
        "files": [
            shapes.file(site, repo, head_sha, one) for one in bare.files(base_sha, head_sha)[:MOST_FILES]
        ],
    }
    return Reply(body, headers=call.link(len(commits)))
