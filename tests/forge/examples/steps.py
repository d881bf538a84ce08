"""Endpoint → how its published example becomes state, and the path and body that then ask for it."""

from collections.abc import Callable
from typing import Any

from infx.forge.shapes.repo import FLAGS
from infx.forge.site import Json
from tests.forge.examples.adopt import stamp, users
from tests.forge.examples.published import Example
from tests.forge.examples.work import Work

Step = Callable[[Work, Example], str]
"""Imports the example; what follows `/repos/OWNER/NAME` (or the whole path, where that is not its start)."""
STEPS: dict[str, Step] = {}
R = "/repos/{}/{}"


def step(*endpoints: str) -> Callable[[Step], Step]:
    def put(made: Step) -> Step:
        STEPS.update(dict.fromkeys(endpoints, made))
        return made

    return put


def items(example: Example) -> list[Json]:
    """The objects of an answer: of a list, of an envelope, or the one that it is."""
    answer = example.answer
    if isinstance(answer, dict):
        inner = [one for one in answer.values() if isinstance(one, list)]
        answer = inner[0] if "total_count" in answer else [answer]
    return list(answer)


# -- people


@step("GET /user")
def me(work: Work, example: Example) -> str:
    work.user(example.answer)
    return "//user"


@step("GET /users/{}")
def a_user(work: Work, example: Example) -> str:
    return f"//users/{work.user(example.answer)}"


@step("GET /orgs/{}/members", "GET /orgs/{}/teams/{}/members")
def members(work: Work, example: Example) -> str:
    work.org("acme-org")
    for one in items(example):
        work.member("acme-org", one)
    if "teams" not in example.endpoint:
        return "//orgs/acme-org/members"
    work.forge.team("acme-org", "Justice League", *(one["login"] for one in items(example)))
    return "//orgs/acme-org/teams/justice-league/members"


@step("GET /orgs/{}/memberships/{}")
def membership(work: Work, example: Example) -> str:
    one = example.answer
    org = work.user({**one["organization"], "type": "Organization"})
    work.forge.member(str(org), work.owner)
    work.forge.member(str(org), str(work.user(one["user"])), role=one["role"])
    return f"//orgs/{org}/memberships/{one['user']['login']}"


@step("GET /orgs/{}/teams", "GET /orgs/{}/teams/{}")
def teams(work: Work, example: Example) -> str:
    one = items(example)[0] if isinstance(example.answer, list) else example.answer
    org = work.user({**one.get("organization", {"login": "acme-org", "id": 77}), "type": "Organization"})
    work.team(str(org), one)
    work.forge.member(str(org), work.owner)
    return f"//orgs/{org}/teams" + ("" if isinstance(example.answer, list) else f"/{one['slug']}")


@step("GET /orgs/{}/teams/{}/memberships/{}")
def in_team(work: Work, example: Example) -> str:
    work.forge.team(work.org("acme-org"), "1")
    row = work.forge.site.db.row("SELECT * FROM teams")
    work.put("team_members", team=row and row["id"], login="octocat", role=example.answer["role"])
    work.forge.member("acme-org", "octocat")
    return "//orgs/acme-org/teams/1/memberships/octocat"


def role_in(answer: Any) -> str:
    return str(answer["role_name"]) if isinstance(answer, dict) else "write"


@step("GET " + R + "/collaborators", "GET " + R + "/collaborators/{}/permission", "GET " + R + "/assignees")
def collaborators(work: Work, example: Example) -> str:
    work.forge.site.db.run("UPDATE repos SET owner = 'somebody'")
    for one in users(example.answer):
        login = work.user(one)
        role = one.get("role_name") or role_in(example.answer)
        work.forge.role(work.home, str(login), role)
    word = example.endpoint.split("/")[4]
    return f"/{word}/octocat/permission" if example.endpoint.endswith("permission") else f"/{word}"


@step("GET " + R)
def repository(work: Work, example: Example) -> str:
    flags = {name: value for name, value in example.answer.items() if name in FLAGS}
    assert work.client("PATCH", f"/repos/{work.home}", flags).status == 200
    work.forge.site.db.run("UPDATE repos SET updated_at = ?", stamp(example.answer["updated_at"]))
    return ""


@step("GET " + R + "/forks")
def forks(work: Work, example: Example) -> str:
    one = example.answer[0]
    work.forge.site.db.run("UPDATE repos SET id = 7 WHERE full_name = ?", work.home)
    made = work.forge.at(work.home, one["owner"]["login"] + "-fork").fork()
    times = [stamp(one[name]) for name in ("created_at", "updated_at")]
    change = "UPDATE repos SET id = ?, description = ?, created_at = ?, updated_at = ? WHERE full_name = ?"
    work.forge.site.db.run(change, one["id"], one["description"], *times, made)
    return "/forks"


# -- issues


@step("GET " + R + "/labels", "GET " + R + "/labels/{}")
def labels(work: Work, example: Example) -> str:
    for one in items(example):
        work.label(one)
    return "/labels" if isinstance(example.answer, list) else f"/labels/{example.answer['name']}"


@step("GET " + R + "/issues/{}/labels")
def labels_of_issue(work: Work, example: Example) -> str:
    for one in items(example):
        work.put("issue_labels", issue=work.some_issue(), label=work.label(one))
    return "/issues/1347/labels"


@step("GET " + R + "/milestones", "GET " + R + "/milestones/{}")
def milestones(work: Work, example: Example) -> str:
    for one in items(example):
        work.milestone(one)
    return "/milestones" if isinstance(example.answer, list) else "/milestones/1"


@step("GET " + R + "/issues", "GET " + R + "/issues/{}")
def issues(work: Work, example: Example) -> str:
    for one in items(example):
        work.issue(one)
    return "/issues" if isinstance(example.answer, list) else f"/issues/{example.answer['number']}"


@step("GET " + R + "/issues/comments", "GET " + R + "/issues/{}/comments", "GET " + R + "/issues/comments/{}")
def comments(work: Work, example: Example) -> str:
    for one in items(example):
        work.comment(one, work.some_issue())
    path = example.endpoint.removeprefix(f"GET {R}")
    return path.replace("comments/{}", f"comments/{items(example)[0]['id']}").replace("{}", "1347")


@step("GET " + R + "/issues/{}/reactions", "GET " + R + "/issues/comments/{}/reactions")
def reactions(work: Work, example: Example) -> str:
    of_comment = "comments" in example.endpoint
    issue = work.some_issue()
    now = work.forge.site.stamp()
    said = {
        "id": 5,
        "body": "b",
        "user": {"login": work.owner, "id": 1},
        "created_at": now,
        "updated_at": now,
    }
    subject = work.comment(said, issue) if of_comment else issue
    for one in items(example):
        work.reaction(one, "comment" if of_comment else "issue", subject)
    return f"/issues/comments/{subject}/reactions" if of_comment else "/issues/1347/reactions"


@step("GET " + R + "/issues/events/{}", "GET " + R + "/issues/{}/events")
def events(work: Work, example: Example) -> str:
    for one in items(example):
        issue = work.issue(one["issue"]) if "issue" in one else work.some_issue()
        work.event(one, issue)
    return (
        "/issues/1347/events"
        if isinstance(example.answer, list)
        else f"/issues/events/{example.answer['id']}"
    )


@step("GET " + R + "/issues/{}/timeline")
def timeline(work: Work, example: Example) -> str:
    for one in items(example):
        issue = work.some_issue()
        work.comment(one, issue) if one["event"] == "commented" else work.event(one, issue)
    return "/issues/1347/timeline"


# -- pull requests


@step("GET " + R + "/pulls", "GET " + R + "/pulls/{}", "GET " + R + "/commits/{}/pulls")
def pulls(work: Work, example: Example) -> str:
    for one in items(example):
        work.pull(one)
    if "commits" in example.endpoint:
        return f"/commits/{work.at.bare.ref('refs/heads/new-topic')}/pulls"
    return "/pulls" if isinstance(example.answer, list) else f"/pulls/{example.answer['number']}"


@step("GET " + R + "/pulls/{}/requested_reviewers")
def reviewers(work: Work, example: Example) -> str:
    issue = work.some_pull()["id"]
    for one in example.answer["users"]:
        work.put("reviewers", issue=issue, kind="user", name=work.user(one))
    for one in example.answer["teams"]:
        work.team(work.owner, one)
        work.put("reviewers", issue=issue, kind="team", name=one["slug"])
    return "/pulls/1347/requested_reviewers"


@step("GET " + R + "/pulls/{}/reviews", "GET " + R + "/pulls/{}/reviews/{}")
def reviews(work: Work, example: Example) -> str:
    for one in items(example):
        work.review(one, work.some_pull()["id"])
    return "/pulls/1347/reviews" + ("" if isinstance(example.answer, list) else f"/{example.answer['id']}")


@step("GET " + R + "/pulls/{}/comments", "GET " + R + "/pulls/comments/{}")
def inline(work: Work, example: Example) -> str:
    for one in items(example):
        work.review_comment(one, work.some_pull()["id"])
    return (
        "/pulls/1347/comments"
        if isinstance(example.answer, list)
        else f"/pulls/comments/{example.answer['id']}"
    )


@step("GET " + R + "/pulls/{}/files", "GET " + R + "/pulls/{}/commits")
def of_pull(work: Work, example: Example) -> str:
    work.some_pull()
    if example.endpoint.endswith("commits"):
        for one in items(example):
            work.signs(one)
            sha = work.commit(one["commit"], "new-topic")
            base = work.at.bare.commit(sha).parents[0]
            work.forge.site.db.run("UPDATE issues SET base_sha = ?, head_sha = ?", base, sha)
    return f"/pulls/1347/{example.endpoint.rsplit('/', 1)[-1]}"
