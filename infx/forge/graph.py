"""Graph: the part of GitHub's GraphQL that REST lacks: who edited a text last, drafts, nodes by id."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from infx.forge import issues, pulls, tokens
from infx.forge.database import Row
from infx.forge.problem import Problem
from infx.forge.site import Json, Site
from infx.forge.visit import Caller, Visit

SCHEMA = """
scalar DateTime
scalar URI
interface Node { id: ID! }
interface Actor { login: String! url: URI! }
type User implements Node & Actor { id: ID! login: String! url: URI! name: String databaseId: Int }
type Bot implements Node & Actor { id: ID! login: String! url: URI! databaseId: Int }
interface Comment {
  author: Actor editor: Actor body: String! createdAt: DateTime! updatedAt: DateTime! lastEditedAt: DateTime }
type PageInfo { hasNextPage: Boolean! endCursor: String }
type PullRequestReview implements Node & Comment {
  id: ID! databaseId: Int author: Actor editor: Actor body: String! createdAt: DateTime! updatedAt: DateTime!
  lastEditedAt: DateTime }
type PullRequestReviewComment implements Node & Comment {
  id: ID! databaseId: Int author: Actor editor: Actor body: String! createdAt: DateTime! updatedAt: DateTime!
  lastEditedAt: DateTime }
type IssueComment implements Node & Comment {
  id: ID! databaseId: Int author: Actor editor: Actor body: String! createdAt: DateTime! updatedAt: DateTime!
  lastEditedAt: DateTime includesCreatedEdit: Boolean! url: URI!
  isMinimized: Boolean! minimizedReason: String }
type IssueCommentConnection { nodes: [IssueComment] totalCount: Int! pageInfo: PageInfo! }
enum PullRequestState { OPEN CLOSED MERGED }
enum IssueState { OPEN CLOSED }
type PullRequest implements Node & Comment {
  id: ID! databaseId: Int number: Int! title: String! body: String! author: Actor editor: Actor
  createdAt: DateTime! updatedAt: DateTime! lastEditedAt: DateTime includesCreatedEdit: Boolean! url: URI!
  state: PullRequestState! isDraft: Boolean! headRefOid: String! headRefName: String! baseRefName: String!
  repository: Repository! comments(first: Int, after: String): IssueCommentConnection! }
type Issue implements Node & Comment {
  id: ID! databaseId: Int number: Int! title: String! body: String! author: Actor editor: Actor
  createdAt: DateTime! updatedAt: DateTime! lastEditedAt: DateTime includesCreatedEdit: Boolean! url: URI!
  state: IssueState! repository: Repository!
  comments(first: Int, after: String): IssueCommentConnection! }
type Repository implements Node {
  id: ID! databaseId: Int name: String! nameWithOwner: String! isPrivate: Boolean!
  pullRequest(number: Int!): PullRequest issue(number: Int!): Issue }
type RateLimit { limit: Int! used: Int! remaining: Int! cost: Int! resetAt: DateTime! }
type Query {
  viewer: Actor! node(id: ID!): Node nodes(ids: [ID!]!): [Node]! rateLimit: RateLimit
  repository(owner: String!, name: String!): Repository }
enum ReportedContentClassifiers { SPAM ABUSE OFF_TOPIC OUTDATED DUPLICATE RESOLVED LOW_QUALITY }
input MinimizeInput { subjectId: ID! classifier: ReportedContentClassifiers! clientMutationId: String }
type MinimizePayload { minimizedComment: IssueComment clientMutationId: String }
input DraftInput { pullRequestId: ID! clientMutationId: String }
type DraftPayload { pullRequest: PullRequest clientMutationId: String }
type Mutation {
  minimizeComment(input: MinimizeInput!): MinimizePayload
  markPullRequestReadyForReview(input: DraftInput!): DraftPayload
  convertPullRequestToDraft(input: DraftInput!): DraftPayload }
"""
MOST_NODES = 100
REVIEWS = {"PRR": "PullRequestReview", "PRRC": "PullRequestReviewComment"}
KINDS = {
    "IC": "comments",
    "PR": "issues",
    "I": "issues",
    "PRR": "reviews",
    "PRRC": "review_comments",
}
"""What the first letters of a node id name."""
Field = Callable[..., Any]


@cache
def schema() -> Any:
    from graphql import build_schema

    return build_schema(SCHEMA)


def answer(site: Site, caller: Caller, wanted: Json, *, budget: Json) -> Json:
    """The result object of one GraphQL request; errors are part of it, as on GitHub."""
    from graphql import graphql_sync

    top = Top(site, caller, budget)
    result = graphql_sync(
        schema(),
        str(wanted.get("query") or ""),
        top.fields(),
        variable_values=wanted.get("variables") or {},
        operation_name=wanted.get("operationName"),
    )
    found: Json = {"data": result.data}
    if result.errors:
        found["errors"] = [shown(error) for error in result.errors]
    return found


def shown(error: Any) -> Json:
    """GitHub puts its own kind of error beside the message."""
    cause = error.original_error
    kinds = {404: "NOT_FOUND", 403: "FORBIDDEN", 401: "FORBIDDEN"}
    kind = {"type": kinds.get(cause.status, "UNPROCESSABLE")} if isinstance(cause, Problem) else {}
    return {**kind, **error.formatted}


class Top:
    """Resolvers of one request. Objects are dictionaries; a callable in them is a field with arguments."""

    def __init__(self, site: Site, caller: Caller, budget: Json) -> None:
        self._site, self._caller, self._budget = site, caller, budget

    def fields(self) -> dict[str, Field]:
        draft = {"markPullRequestReadyForReview": False, "convertPullRequestToDraft": True}
        return {
            "viewer": lambda info: self.actor(self._caller.login),
            "node": lambda info, id: self.node(id),
            "nodes": lambda info, ids: [self.node(one) for one in ids[:MOST_NODES]],
            "repository": lambda info, owner, name: self.repository(self._at(f"{owner}/{name}")),
            "rateLimit": lambda info: {**self._budget, "cost": 1, "resetAt": self._site.stamp()},
            "minimizeComment": self._minimize,
            **{name: partial(self._set_draft, wanted) for name, wanted in draft.items()},
        }

    def _at(self, full_name: str) -> Visit:
        at = Visit(self._site, self._site.repo(full_name), self._caller)
        tokens.admit(at)
        return at

    def node(self, node_id: str) -> Json:
        """NOT_FOUND for what does not exist, and for what the caller may not see."""
        kind, _, number = node_id.partition("_")
        missing = Problem(404, f"Could not resolve to a node with the global id of '{node_id}'")
        if kind not in KINDS or not number.isdigit():
            raise missing
        row = self._site.db.row(f"SELECT * FROM {KINDS[kind]} WHERE id = ?", int(number))
        if not row or (kind in ("PR", "I") and bool(row["pull"]) != (kind == "PR")):
            raise missing
        at = self._at(self._site.repo_by_id(row["repo"])["full_name"])
        if kind == "IC":
            return self.comment(at, issues.find_comment(at, row["id"]))
        if kind in REVIEWS:
            times = {"created_at": row.get("submitted_at"), "updated_at": row.get("submitted_at"), **row}
            return {**self.written(times), "__typename": REVIEWS[kind], "id": node_id}
        return self.issue(at, row)

    def actor(self, login: str | None) -> Json | None:
        """Bots go without the `[bot]` that REST shows."""
        if not login:
            return None
        row = self._site.user(login)
        kind = "Bot" if row["type"] == "Bot" else "User"
        return {
            "__typename": kind,
            "id": f"U_{row['id']}",
            "databaseId": row["id"],
            "login": row["login"].removesuffix("[bot]"),
            "name": row["name"],
            "url": f"{self._site.url}/{row['login']}",
        }

    def written(self, row: Row) -> Json:
        """What every text has: author, editor, times."""
        return {
            "databaseId": row["id"],
            "body": row["body"] or "",
            "author": lambda info: self.actor(row["author"]),
            "editor": lambda info: self.actor(row["editor"]),
            "createdAt": row["created_at"],
            "updatedAt": row["updated_at"],
            "lastEditedAt": row["edited_at"],
            "includesCreatedEdit": False,
        }

    def comment(self, at: Visit, row: Row) -> Json:
        place = "pull" if row["pull"] else "issues"
        return {
            **self.written(row),
            "__typename": "IssueComment",
            "id": f"IC_{row['id']}",
            "isMinimized": row["minimized"] is not None,
            "minimizedReason": row["minimized"],
            "url": f"{at.page}/{place}/{row['number']}#issuecomment-{row['id']}",
        }

    def issue(self, at: Visit, row: Row) -> Json:
        state = "MERGED" if row["merged_at"] else row["state"].upper()
        return {
            **self.written(row),
            "__typename": "PullRequest" if row["pull"] else "Issue",
            "id": f"{'PR' if row['pull'] else 'I'}_{row['id']}",
            "number": row["number"],
            "title": row["title"],
            "url": f"{at.page}/{'pull' if row['pull'] else 'issues'}/{row['number']}",
            "state": state,
            "isDraft": bool(row["draft"]),
            "headRefOid": row["head_sha"],
            "headRefName": row["head_ref"],
            "baseRefName": row["base_ref"],
            "repository": lambda info: self.repository(at),
            "comments": partial(self._comments, at, row),
        }

    def _comments(self, at: Visit, row: Row, info: Any, first: int = MOST_NODES, after: str = "0") -> Json:
        """The cursor is the id of the last comment shown."""
        if not after.isdigit():
            raise Problem(422, f"`{after}` does not appear to be a valid cursor.")
        size = min(max(first, 0), MOST_NODES)
        tail = "AND comments.issue = ? AND comments.id > ? ORDER BY comments.id LIMIT ?"
        found = at.db.rows(f"{issues.COMMENT} {tail}", at.repo["id"], row["id"], int(after), size + 1)
        shown = found[:size]
        return {
            "nodes": [self.comment(at, one) for one in shown],
            "totalCount": at.db.value("SELECT count(*) FROM comments WHERE issue = ?", row["id"]),
            "pageInfo": {
                "hasNextPage": len(found) > size,
                "endCursor": str(shown[-1]["id"]) if shown else None,
            },
        }

    def repository(self, at: Visit) -> Json:
        return {
            "__typename": "Repository",
            "id": f"R_{at.repo['id']}",
            "databaseId": at.repo["id"],
            "name": at.repo["name"],
            "nameWithOwner": at.repo["full_name"],
            "isPrivate": bool(at.repo["private"]),
            "pullRequest": lambda info, number: self.issue(at, pulls.find(at, number)),
            "issue": lambda info, number: self.issue(at, issues.find(at, number)),
        }

    def _minimize(self, info: Any, input: Json) -> Json:
        """Hide a comment; GitHub shows the reason in lower case, and tells no workflow of it."""
        kind, _, number = input["subjectId"].partition("_")
        self.node(input["subjectId"])
        if kind != "IC":
            raise Problem(422, "Only comments can be minimized here")
        row = self._site.db.row("SELECT * FROM comments WHERE id = ?", int(number)) or {}
        at = self._at(self._site.repo_by_id(row["repo"])["full_name"])
        tokens.permit(at, "issues|pull-requests:write", role="write")
        reason = input["classifier"].lower().replace("_", "-")
        at.db.change("comments", row["id"], minimized=reason)
        hidden = self.comment(at, issues.find_comment(at, row["id"]))
        return {"minimizedComment": hidden, "clientMutationId": input.get("clientMutationId")}

    def _set_draft(self, draft: bool, info: Any, input: Json) -> Json:
        node = self.node(input["pullRequestId"])
        at = self._at(node["repository"](info)["nameWithOwner"])
        row = pulls.find(at, node["number"])
        if row["author"] != self._caller.login:
            tokens.permit(at, "pull-requests:write", role="write")
        done = pulls.set_draft(at, row, draft)
        return {"pullRequest": self.issue(at, done), "clientMutationId": input.get("clientMutationId")}
