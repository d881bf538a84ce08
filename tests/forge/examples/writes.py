"""Steps for examples of what changes things: the state that the request needs, and its address."""

import base64

from infx.forge import settings
from infx.forge.database import pack
from infx.forge.site import Json
from tests.forge.examples.machine import PAGES, PLACES, A, kind_of
from tests.forge.examples.published import Example
from tests.forge.examples.steps import R, step
from tests.forge.examples.work import Work

TRUNK = "master"
"""The branch that the examples of requests name."""
CODE = "name: CI\non:\n  workflow_dispatch:\n    inputs: {name: {}, home: {}}\njobs: {}\n"


def sha_of(work: Work, branch: str = "") -> str:
    return str(work.at.bare.ref(f"refs/heads/{branch or work.trunk}"))


def known(work: Work, *logins: str) -> None:
    """People who may be assigned and asked for reviews."""
    for number, login in enumerate(logins):
        if login != work.owner:
            work.user({"login": login, "id": 5000 + number, "type": "User"})
            work.forge.role(work.home, login, "write")


# -- issues and what is said


@step(f"PATCH {R}")
def edit_repository(work: Work, example: Example) -> str:
    example.request.pop("name")  # who is renamed, is elsewhere
    return ""


@step(f"POST {R}/issues")
def new_issue(work: Work, example: Example) -> str:
    work.milestone(example.answer["milestone"])
    return "/issues"


@step(f"PATCH {R}/issues/{{}}")
def edit_issue(work: Work, example: Example) -> str:
    work.milestone(example.answer["milestone"])
    work.some_issue()
    return "/issues/1347"


@step(f"POST {R}/issues/{{}}/assignees", f"DELETE {R}/issues/{{}}/assignees")
def assignees(work: Work, example: Example) -> str:
    known(work, *example.request["assignees"])
    for login in example.request["assignees"] if example.method == "DELETE" else ():
        work.put("assignees", issue=work.some_issue(), login=login)
    return f"/issues/{1347 if work.some_issue() else 0}/assignees"


@step(f"PUT {R}/issues/{{}}/lock", f"POST {R}/issues/{{}}/comments")
def of_issue(work: Work, example: Example) -> str:
    work.some_issue()
    return f"/issues/1347/{example.endpoint.rsplit('/', 1)[-1]}"


@step(f"POST {R}/issues/{{}}/labels", f"PUT {R}/issues/{{}}/labels", f"DELETE {R}/issues/{{}}/labels/{{}}")
def labels_of(work: Work, example: Example) -> str:
    """As in the answer, where the labels have colours already."""
    for one in example.answer:
        row = work.label(one)
        if example.method == "DELETE":
            work.put("issue_labels", issue=work.some_issue(), label=row)
    if example.method != "DELETE":
        work.some_issue()
        return "/issues/1347/labels"
    going = work.label({"id": 1, "name": "going", "color": "ffffff", "description": None})
    work.put("issue_labels", issue=work.some_issue(), label=going)
    return "/issues/1347/labels/going"


@step(f"POST {R}/labels", f"POST {R}/milestones")
def of_repository(work: Work, example: Example) -> str:
    return "/" + example.endpoint.rsplit("/", 1)[-1]


@step(f"PATCH {R}/labels/{{}}", f"PATCH {R}/milestones/{{}}")
def edit_named(work: Work, example: Example) -> str:
    if example.endpoint.endswith("labels/{}"):
        work.label({"id": example.answer["id"], "name": "bug", "color": "ffffff", "description": None})
        return "/labels/bug"
    work.milestone({**example.answer, "title": "old"})
    return f"/milestones/{example.answer['number']}"


@step(f"PATCH {R}/issues/comments/{{}}")
def edit_comment(work: Work, example: Example) -> str:
    return f"/issues/comments/{work.comment({**example.answer, 'body': 'before'}, work.some_issue())}"


@step(f"POST {R}/issues/{{}}/reactions", f"POST {R}/issues/comments/{{}}/reactions")
def react(work: Work, example: Example) -> str:
    """200 for a reaction that was there, 201 for a new one."""
    issue, now = work.some_issue(), work.forge.site.stamp()
    times = {"created_at": now, "updated_at": now}
    said = {"id": 5, "body": "b", "user": {"login": work.owner, "id": 8800}, **times}
    of_comment = "comments" in example.endpoint
    subject = work.comment(said, issue) if of_comment else issue
    if example.status == 200:
        mine = {"id": 1, "content": example.request["content"], "user": said["user"], **times}
        work.reaction(mine, "comment" if of_comment else "issue", subject)
    return f"/issues/comments/{subject}/reactions" if of_comment else "/issues/1347/reactions"


# -- pull requests


@step(f"POST {R}/pulls")
def new_pull(work: Work, example: Example) -> str:
    work.actor.push("new-feature", {"n.txt": "n\n"}, message="n")
    return "/pulls"


@step(f"PATCH {R}/pulls/{{}}")
def edit_pull(work: Work, example: Example) -> str:
    work.some_pull()
    return "/pulls/1347"


@step(f"PUT {R}/pulls/{{}}/merge", f"PUT {R}/pulls/{{}}/update-branch")
def move_pull(work: Work, example: Example) -> str:
    work.some_pull()
    work.actor.push(work.trunk, {"other.txt": "x\n"}, message="elsewhere")
    word = example.endpoint.rsplit("/", 1)[-1]
    if word == "update-branch":
        example.request["expected_head_sha"] = sha_of(work, "new-topic")
    return f"/pulls/1347/{word}"


@step(f"POST {R}/pulls/{{}}/requested_reviewers", f"DELETE {R}/pulls/{{}}/requested_reviewers")
def reviewers(work: Work, example: Example) -> str:
    """The author of a pull request cannot be asked, so somebody else wrote it."""
    row = work.some_pull()
    work.forge.site.db.change("issues", row["id"], author="monalisa")
    work.forge.team(work.owner, "Justice League", "hubot")
    known(work, *example.request["reviewers"])
    for login in example.request["reviewers"] if example.method == "DELETE" else ():
        work.put("reviewers", issue=row["id"], kind="user", name=login)
    return "/pulls/1347/requested_reviewers"


@step(f"POST {R}/pulls/{{}}/reviews", f"POST {R}/pulls/{{}}/comments")
def review(work: Work, example: Example) -> str:
    row = work.some_pull()
    example.request["commit_id"] = row["head_sha"]
    for one in example.request.get("comments", ()):
        one["path"] = "file1.txt"
    return f"/pulls/1347/{example.endpoint.rsplit('/', 1)[-1]}"


@step(f"PUT {R}/pulls/{{}}/reviews/{{}}", f"PUT {R}/pulls/{{}}/reviews/{{}}/dismissals")
def edit_review(work: Work, example: Example) -> str:
    number = work.review({**example.answer, "state": "APPROVED"}, work.some_pull()["id"])
    return f"/pulls/1347/reviews/{number}" + ("/dismissals" if "dismissals" in example.endpoint else "")


@step(f"PATCH {R}/pulls/comments/{{}}")
def edit_inline(work: Work, example: Example) -> str:
    return f"/pulls/comments/{work.review_comment(example.answer, work.some_pull()['id'])}"


# -- checks, runs, settings


@step(f"POST {R}/check-runs", f"PATCH {R}/check-runs/{{}}", f"POST {R}/check-runs/{{}}/rerequest")
def checks(work: Work, example: Example) -> str:
    if example.endpoint == f"POST {R}/check-runs":
        example.request["head_sha"] = sha_of(work)
        return "/check-runs"
    body = {"name": "n", "head_sha": sha_of(work)}
    made = work.app("POST", f"/repos/{work.home}/check-runs", body).json
    return f"/check-runs/{made['id']}" + ("/rerequest" if "rerequest" in example.endpoint else "")


@step(f"POST {R}/statuses/{{}}")
def status(work: Work, example: Example) -> str:
    return f"/statuses/{sha_of(work)}"


RUN = f"POST {A}/runs/{{}}/"


@step(*(f"{RUN}{word}" for word in ("approve", "cancel", "force-cancel", "rerun", "rerun-failed-jobs")))
def run(work: Work, example: Example) -> str:
    word = example.endpoint.rsplit("/", 1)[-1]
    state = {"cancel": ("in_progress", None), "approve": ("completed", "action_required")}
    now, conclusion = state.get(word.removeprefix("force-"), ("completed", "failure"))
    return f"/actions/runs/{work.some_run(status=now, conclusion=conclusion)}/{word}"


@step(f"POST {A}/jobs/{{}}/rerun")
def rerun_job(work: Work, example: Example) -> str:
    now = work.forge.site.stamp()
    one = {
        "id": 7,
        "name": "build",
        "status": "completed",
        "conclusion": "failure",
        "labels": [],
        "steps": [],
    }
    one |= {"head_sha": sha_of(work), "started_at": now, "completed_at": now}
    return f"/actions/jobs/{work.job(one, work.some_run())}/rerun"


@step(f"POST {A}/workflows/{{}}/dispatches", f"POST {R}/dispatches")
def dispatch(work: Work, example: Example) -> str:
    """Since 2025 the answer names the run where the request asks for it."""
    if "workflows" not in example.endpoint:
        return "/dispatches"
    work.actor.push(work.trunk, {".github/workflows/ci.yml": CODE}, message="workflow")
    work.actor.push("topic-branch", {"t.txt": "t\n"}, message="topic")
    example.request["return_run_details"] = True
    return "/actions/workflows/ci.yml/dispatches"


@step(
    *(f"POST {place}/variables" for place in PLACES), *(f"PATCH {place}/variables/{{}}" for place in PLACES)
)
def variable(work: Work, example: Example) -> str:
    kind, path = kind_of(work, example, "variable")
    if example.method == "POST":
        return path
    settings.put(work.at, kind, example.request["name"], value="before")
    return f"{path}/{example.request['name']}"


@step(*(f"PUT {place}/secrets/{{}}" for place in PLACES))
def secret(work: Work, example: Example) -> str:
    """The published value was sealed for another key, so this one is sealed anew."""
    from nacl.public import PublicKey, SealedBox

    _, path = kind_of(work, example, "secret")
    public = work.client("GET", f"/repos/{work.home}{path}/public-key").json
    box = SealedBox(PublicKey(base64.b64decode(public["key"])))
    example.request["encrypted_value"] = base64.b64encode(box.encrypt(b"secret")).decode()
    return f"{path}/GH_TOKEN"


@step(*(f"PUT {A}/permissions{page}" for page in PAGES))
def permissions(work: Work, example: Example) -> str:
    return example.endpoint.removeprefix(f"PUT {R}")


@step("PUT /orgs/{}/actions/permissions", "PUT /orgs/{}/actions/permissions/workflow")
def of_org(work: Work, example: Example) -> str:
    return "//orgs/" + work.org("octo-org") + example.endpoint.removeprefix("PUT /orgs/{}")


@step("POST /orgs/{}/teams", "PUT /orgs/{}/teams/{}/memberships/{}")
def teams(work: Work, example: Example) -> str:
    org = work.org("octo-org")
    if example.method == "POST":
        return f"//orgs/{org}/teams"
    work.forge.team(org, "one")
    return f"//orgs/{org}/teams/one/memberships/octocat"


@step(f"PUT {R}/environments/{{}}", f"POST {R}/environments/{{}}/deployment-branch-policies")
def environment(work: Work, example: Example) -> str:
    if example.method == "POST":
        settings.put(work.at, "environment", "staging", value=pack({"branches": {}}))
        return "/environments/staging/deployment-branch-policies"
    work.user({"login": "monalisa", "id": 1, "type": "User"})
    work.team(work.owner, {"id": 1, "name": "Team", "slug": "team", "description": ""})
    return "/environments/staging"


@step(f"POST {R}/rulesets", f"PUT {R}/rulesets/{{}}")
def ruleset(work: Work, example: Example) -> str:
    if example.method == "POST":
        return "/rulesets"
    old: Json = {"name": "old", "enforcement": "disabled"}
    made = work.client("POST", f"/repos/{work.home}/rulesets", old).json
    return f"/rulesets/{made['id']}"


@step(f"PUT {R}/branches/{{}}/protection")
def protect(work: Work, example: Example) -> str:
    return f"/branches/{work.trunk}/protection"


@step(f"POST {R}/forks")
def fork(work: Work, example: Example) -> str:
    work.caller = "hubot"
    return "/forks"
