"""Conversation comments and their reactions."""

from infx.forge import issues
from infx.forge.database import Row
from infx.forge.problem import not_found
from infx.forge.rest.route import NOTHING, Call, R, Reply, created, route
from infx.forge.shapes import issue as shapes
from infx.forge.tokens import permit

READ, WRITE = "issues|pull-requests:read", "issues|pull-requests:write"
ONE = f"{R}/issues/comments/{{id}}"


def page(call: Call, where: str, value: int) -> Reply:
    """Comments since `since`, oldest first unless asked otherwise."""
    sql, values = f"{issues.COMMENT} AND {where} = ?", [call.repo["id"], value]
    if "since" in call.query:
        sql, values = f"{sql} AND comments.updated_at >= ?", [*values, call.query["since"]]
    column = "comments.updated_at" if call.query.get("sort") == "updated" else "comments.id"
    way = "DESC" if call.query.get("direction") == "desc" else "ASC"
    sql = f"{sql} ORDER BY {column} {way}"
    return call.rows(sql, *values, shape=lambda row: shapes.comment(call.site, call.repo, row))


@route("GET", f"{R}/issues/{{number}}/comments", READ)
def listing(call: Call) -> Reply:
    return page(call, "comments.issue", issues.find(call.site, call.repo, call.number())["id"])


@route("GET", f"{R}/issues/comments", READ)
def of_repository(call: Call) -> Reply:
    return page(call, "comments.repo", call.repo["id"])


@route("POST", f"{R}/issues/{{number}}/comments", WRITE, role="read")
def create(call: Call) -> Reply:
    row = issues.find(call.site, call.repo, call.number())
    made = issues.comment(call.site, call.caller, call.repo, row, call.body.get("body", ""))
    return created(shapes.comment(call.site, call.repo, made))


def mine(call: Call) -> Row:
    """The comment of the path, if the caller may change it: authors their own, others with write."""
    row = issues.find_comment(call.site, call.repo, call.number("id"))
    if row["author"] != call.caller.login:
        permit(call.site, call.caller, call.repo, WRITE, role="write")
    return row


@route("GET", ONE, READ)
def get(call: Call) -> Reply:
    row = issues.find_comment(call.site, call.repo, call.number("id"))
    return Reply(shapes.comment(call.site, call.repo, row))


@route("PATCH", ONE, WRITE, role="read")
def edit(call: Call) -> Reply:
    row = issues.edit_comment(call.site, call.caller, call.repo, mine(call), call.body.get("body"))
    return Reply(shapes.comment(call.site, call.repo, row))


@route("DELETE", ONE, WRITE, role="read")
def delete(call: Call) -> Reply:
    issues.delete_comment(call.site, call.caller, call.repo, mine(call))
    return NOTHING


def subject(call: Call) -> tuple[str, int]:
    """What a reaction hangs on: a comment or an issue."""
    if "id" in call.params:
        return "comment", issues.find_comment(call.site, call.repo, call.number("id"))["id"]
    return "issue", issues.find(call.site, call.repo, call.number())["id"]


def reactions(call: Call) -> Reply:
    sql, values = "SELECT * FROM reactions WHERE kind = ? AND subject = ?", [*subject(call)]
    if "content" in call.query:
        sql, values = f"{sql} AND content = ?", [*values, call.query["content"]]
    return call.rows(f"{sql} ORDER BY id", *values, shape=lambda row: shapes.reaction(call.site, row))


def react(call: Call) -> Reply:
    row, new = issues.react(call.site, call.caller, *subject(call), call.body.get("content"))
    return Reply(shapes.reaction(call.site, row), 201 if new else 200)


def unreact(call: Call) -> Reply:
    kind, target = subject(call)
    gone = call.site.db.run(
        "DELETE FROM reactions WHERE id = ? AND kind = ? AND subject = ? AND author = ?",
        call.number("reaction"),
        kind,
        target,
        call.caller.login,
    )
    if not gone:
        raise not_found()
    return NOTHING


for place in (ONE, f"{R}/issues/{{number}}"):
    route("GET", f"{place}/reactions", READ)(reactions)
    route("POST", f"{place}/reactions", WRITE, role="read")(react)
    route("DELETE", f"{place}/reactions/{{reaction}}", WRITE, role="read")(unreact)
