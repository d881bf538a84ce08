"""Conversation comments and their reactions."""

from infx.forge import duties, issues
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
    return call.rows(sql, *values, shape=lambda row: shapes.comment(call.at, row))


@route("GET", f"{R}/issues/{{number}}/comments", READ)
def listing(call: Call) -> Reply:
    return page(call, "comments.issue", issues.find(call.at, call.number())["id"])


@route("GET", f"{R}/issues/comments", READ)
def of_repository(call: Call) -> Reply:
    return page(call, "comments.repo", call.repo["id"])


@route("POST", f"{R}/issues/{{number}}/comments", WRITE, role="read")
def create(call: Call) -> Reply:
    row = issues.find(call.at, call.number())
    duties.refuse_locked(call.at, row)
    made = issues.comment(call.at, row, call.body.get("body", ""))
    return created(shapes.comment(call.at, made))


def mine(call: Call) -> Row:
    """The comment of the path, if the caller may change it: authors their own, others with write."""
    row = issues.find_comment(call.at, call.number("id"))
    if row["author"] != call.caller.login:
        permit(call.at, WRITE, role="write")
    return row


@route("GET", ONE, READ)
def get(call: Call) -> Reply:
    row = issues.find_comment(call.at, call.number("id"))
    return Reply(shapes.comment(call.at, row))


@route("PATCH", ONE, WRITE, role="read")
def edit(call: Call) -> Reply:
    row = issues.edit_comment(call.at, mine(call), call.body.get("body"))
    return Reply(shapes.comment(call.at, row))


@route("DELETE", ONE, WRITE, role="read")
def delete(call: Call) -> Reply:
    issues.delete_comment(call.at, mine(call))
    return NOTHING


def subject(call: Call) -> tuple[str, int]:
    """What a reaction hangs on: a comment or an issue."""
    if "id" in call.params:
        return "comment", issues.find_comment(call.at, call.number("id"))["id"]
    return "issue", issues.find(call.at, call.number())["id"]


def reactions(call: Call) -> Reply:
    sql, values = "SELECT * FROM reactions WHERE kind = ? AND subject = ?", [*subject(call)]
    if "content" in call.query:
        sql, values = f"{sql} AND content = ?", [*values, call.query["content"]]
    return call.rows(f"{sql} ORDER BY id", *values, shape=lambda row: shapes.reaction(call.site, row))


def react(call: Call) -> Reply:
    row, new = issues.react(call.at, *subject(call), content=call.body.get("content"))
    return Reply(shapes.reaction(call.site, row), 201 if new else 200)


def unreact(call: Call) -> Reply:
    kind, target = subject(call)
    gone = call.at.db.run(
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
