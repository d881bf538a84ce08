"""Reviews and their inline comments."""

from infx.forge import pulls, reviews
from infx.forge.problem import not_found
from infx.forge.rest.route import Call, R, Reply, created, route
from infx.forge.shapes import review as shapes

ONE = f"{R}/pulls/{{number}}/reviews"


@route("GET", ONE, "pull-requests:read")
def listing(call: Call) -> Reply:
    row = pulls.find(call.at, call.number())
    sql = "SELECT * FROM reviews WHERE issue = ? ORDER BY id"
    return call.rows(sql, row["id"], shape=lambda one: shapes.review(call.at, row, one))


@route("GET", f"{ONE}/{{id}}", "pull-requests:read")
def get(call: Call) -> Reply:
    row = pulls.find(call.at, call.number())
    one = reviews.find(call.site, row, call.number("id"))
    return Reply(shapes.review(call.at, row, one))


@route("POST", ONE, "pull-requests:write", role="read")
def create(call: Call) -> Reply:
    row = pulls.find(call.at, call.number())
    event = call.text("event", default="COMMENT")
    inline = call.body.get("comments") or []
    sha = call.body.get("commit_id") or row["head_sha"]
    body = call.text("body", default="")
    one = reviews.create(call.at, row, event=event, body=body, sha=sha, inline=inline)
    return Reply(shapes.review(call.at, row, one))


@route("PUT", f"{ONE}/{{id}}", "pull-requests:write", role="read")
def edit(call: Call) -> Reply:
    row = pulls.find(call.at, call.number())
    one = reviews.find(call.site, row, call.number("id"))
    one = reviews.edit(call.at, row, one, body=call.text("body"))
    return Reply(shapes.review(call.at, row, one))


@route("PUT", f"{ONE}/{{id}}/dismissals", "pull-requests:write", role="write")
def dismiss(call: Call) -> Reply:
    row = pulls.find(call.at, call.number())
    one = reviews.find(call.site, row, call.number("id"))
    one = reviews.dismiss(call.at, row, one, message=call.text("message"))
    return Reply(shapes.review(call.at, row, one))


@route("GET", f"{R}/pulls/{{number}}/comments", "pull-requests:read")
def inline(call: Call) -> Reply:
    row = pulls.find(call.at, call.number())
    sql = "SELECT * FROM review_comments WHERE issue = ? ORDER BY id"
    return call.rows(sql, row["id"], shape=lambda one: shapes.comment(call.at, row, one))


@route("POST", f"{R}/pulls/{{number}}/comments", "pull-requests:write", role="read")
def comment(call: Call) -> Reply:
    row = pulls.find(call.at, call.number())
    given = {**call.body, "body": call.text("body", resource="PullRequestReviewComment")}
    one = reviews.comment(call.at, row, given)
    return created(shapes.comment(call.at, row, one))


@route("GET", f"{R}/pulls/comments/{{id}}", "pull-requests:read")
def get_comment(call: Call) -> Reply:
    one = call.at.db.row(
        "SELECT * FROM review_comments WHERE repo = ? AND id = ?", call.repo["id"], call.number("id")
    )
    row = one and call.at.db.row("SELECT * FROM issues WHERE id = ?", one["issue"])
    if not one or not row:
        raise not_found()
    return Reply(shapes.comment(call.at, row, one))
