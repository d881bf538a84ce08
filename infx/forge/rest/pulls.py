"""Pull requests."""

from typing import Any

from infx.forge import issues, merging, pulls, trial
from infx.forge.database import Row
from infx.forge.problem import Problem, not_found, wrong
from infx.forge.rest.route import NOTHING, Call, R, Reply, created, route
from infx.forge.shapes import commit as commits
from infx.forge.shapes import pull as shapes
from infx.forge.tokens import permit

MOST_FILES, MOST_COMMITS = 3000, 250
"""GitHub shows no more (docs: List pull requests files, List commits on a pull request)."""
SORTS = {"created": "created_at", "updated": "updated_at", "popularity": "id", "long-running": "created_at"}


@route("GET", f"{R}/pulls", "pull-requests:read")
def listing(call: Call) -> Reply:
    query, repo = call.query, call.repo
    where, values = ["repo = ?", "pull = 1"], [repo["id"]]
    state = query.get("state", "open")
    if state != "all":
        where, values = [*where, "state = ?"], [*values, state]
    if "base" in query:
        where, values = [*where, "base_ref = ?"], [*values, query["base"]]
    if "head" in query:
        owner, _, ref = query["head"].rpartition(":")
        where, values = [*where, "head_ref = ?"], [*values, ref]
        if owner:
            where.append("head_repo IN (SELECT id FROM repos WHERE owner = ?)")
            values.append(owner)
    column = SORTS.get(query.get("sort", "created"), "created_at")
    up = query.get("direction", "asc" if "sort" in query and query["sort"] != "created" else "desc") == "asc"
    way = "ASC" if up else "DESC"
    sql = f"SELECT * FROM issues WHERE {' AND '.join(where)} ORDER BY {column} {way}, id {way}"
    return call.rows(sql, *values, shape=lambda row: shapes.simple(call.at, row))


@route("GET", f"{R}/pulls/{{number}}", "pull-requests:read")
def get(call: Call) -> Reply:
    """`mergeable` is null until it was asked for once: the question starts the test merge."""
    row = pulls.find(call.at, call.number())
    reply = Reply(shapes.full(call.at, row))
    if not row["told"] and row["state"] == "open":
        trial.fresh(call.at, row)
        call.at.db.change("issues", row["id"], told=1)
    return reply


def head_of(call: Call) -> tuple[Row, str]:
    """Repository and branch of `head` (`branch` or `owner:branch`, or with `head_repo`)."""
    owner, _, ref = call.text("head", resource="PullRequest").rpartition(":")
    if "head_repo" in call.body:
        return call.site.repo(str(call.body["head_repo"])), ref
    if owner in ("", call.repo["owner"]):
        return call.repo, ref
    fork = call.at.db.row("SELECT * FROM repos WHERE owner = ? AND parent = ?", owner, call.repo["id"])
    if not fork:
        raise wrong("PullRequest", "head")
    return fork, ref


@route("POST", f"{R}/pulls", "pull-requests:write", role="read")
def create(call: Call) -> Reply:
    body = call.body.get("body")
    row = pulls.open_pull(
        call.at,
        title=call.text("title", resource="PullRequest"),
        head=head_of(call),
        base=call.text("base", resource="PullRequest"),
        body=None if body is None else issues.check_body(body, "PullRequest"),
        draft=call.body.get("draft", False),
    )
    return created(shapes.full(call.at, row))


@route("PATCH", f"{R}/pulls/{{number}}", "pull-requests:write", role="read")
def edit(call: Call) -> Reply:
    row = pulls.find(call.at, call.number())
    own_or_triage(call, row)
    if "body" in call.body and call.body["body"] is not None:
        issues.check_body(call.body["body"], "PullRequest")
    row = pulls.edit(call.at, row, call.body)
    if "state" in call.body:
        row = pulls.set_state(call.at, row, call.text("state"))
    return Reply(shapes.full(call.at, row))


def own_or_triage(call: Call, row: Row) -> None:
    """Authors may change what they opened."""
    if row["author"] != call.caller.login:
        permit(call.at, "pull-requests|issues:write")


@route("GET", f"{R}/pulls/{{number}}/files", "pull-requests:read")
def files(call: Call) -> Reply:
    row = pulls.find(call.at, call.number())
    found = call.at.bare.files(row["base_sha"], row["head_sha"])[:MOST_FILES]
    return call.cut(found, lambda one: commits.file(call.at, row["head_sha"], one))


@route("GET", f"{R}/pulls/{{number}}/commits", "pull-requests:read")
def commits_of(call: Call) -> Reply:
    row = pulls.find(call.at, call.number())
    span = f"{row['base_sha']}..{row['head_sha']}"
    found = call.at.bare.log("--topo-order", "--reverse", span)[:MOST_COMMITS]
    return call.cut(found, lambda one: commits.commit(call.at, one))


@route("GET", f"{R}/pulls/{{number}}/merge", "pull-requests:read")
def is_merged(call: Call) -> Reply:
    if not pulls.find(call.at, call.number())["merged_at"]:
        raise not_found()
    return NOTHING


@route("PUT", f"{R}/pulls/{{number}}/merge", "contents:write")
def merge(call: Call) -> Reply:
    row = pulls.find(call.at, call.number())
    optional: dict[str, Any] = {
        ours: call.body[theirs]
        for ours, theirs in (("title", "commit_title"), ("message", "commit_message"), ("expected", "sha"))
        if isinstance(call.body.get(theirs), str)
    }
    method = call.text("merge_method", default="merge")
    sha = merging.merge(call.at, row, method=method, **optional)
    return Reply({"sha": sha, "merged": True, "message": "Pull Request successfully merged"})


@route("PUT", f"{R}/pulls/{{number}}/update-branch", "pull-requests:write", role="write")
def update_branch(call: Call) -> Reply:
    row = pulls.find(call.at, call.number())
    expected = call.body.get("expected_head_sha")
    merging.update_branch(call.at, row, expected=expected)
    url = f"{call.site.api}{call.path.removesuffix('/update-branch')}"
    return Reply({"message": "Updating pull request branch.", "url": url}, 202)


@route("GET", f"{R}/commits/{{sha}}/pulls", "pull-requests:read")
def of_commit(call: Call) -> Reply:
    """Open pull requests that hold the commit, and the merged one that brought it."""
    bare = call.at.bare
    sha = bare.sha(call.params["sha"])
    if not sha:
        raise Problem(422, f"No commit found for SHA: {call.params['sha']}")
    rows = call.at.db.rows("SELECT * FROM issues WHERE repo = ? AND pull = 1 ORDER BY id", call.repo["id"])
    found = [
        row for row in rows if row["merge_sha"] == sha or sha == row["head_sha"] or holds(call, row, sha)
    ]
    return call.cut(found, lambda row: shapes.simple(call.at, row))


def holds(call: Call, row: Row, sha: str) -> bool:
    bare = call.at.bare
    return bare.contains(sha, row["head_sha"]) and not bare.contains(sha, row["base_sha"])
