"""Reviews and their inline comments."""

from infx.forge import issues, pulls, reviews
from infx.forge.database import Row
from infx.forge.rest.route import NOTHING, Call, R, Reply, created, route
from infx.forge.shapes import review as shapes
from infx.forge.tokens import permit

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


COMMENT = f"{R}/pulls/comments/{{id}}"


def with_pull(call: Call) -> tuple[Row, Row]:
    """The comment of the path, and its pull request."""
    one = reviews.find_comment(call.at, call.number("id"))
    return one, issues.again(call.at, {"id": one["issue"]})


def mine(call: Call) -> tuple[Row, Row]:
    """The same, if the caller may change it: authors their own, others with write."""
    one, row = with_pull(call)
    if one["author"] != call.caller.login:
        permit(call.at, "pull-requests:write", role="write")
    return one, row


@route("GET", COMMENT, "pull-requests:read")
def get_comment(call: Call) -> Reply:
    one, row = with_pull(call)
    return Reply(shapes.comment(call.at, row, one))


@route("PATCH", COMMENT, "pull-requests:write", role="read")
def edit_comment(call: Call) -> Reply:
    one, row = mine(call)
    return Reply(shapes.comment(call.at, row, reviews.edit_comment(call.at, row, one, call.body.get("body"))))


@route("DELETE", COMMENT, "pull-requests:write", role="read")
def delete_comment(call: Call) -> Reply:
    one, row = mine(call)
    reviews.delete_comment(call.at, row, one)
    return NOTHING
