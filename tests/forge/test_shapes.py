"""Every endpoint offered answers as GitHub's published description says."""

from typing import Any

import pytest

from infx.forge.rest import ROUTES
from tests.forge.client import REPO, Client, World
from tests.forge.openapi import complaints, description, plain
from tests.forge.test_artifacts import Service, archive

pytestmark = pytest.mark.forge

UNDESCRIBED = {
    "GET /repos/{}/{}/actions/artifacts/{}/zip",
    "GET /repos/{}/{}/contents",
    "POST /api/graphql",
    "POST /graphql",
}
"""A redirect, a second spelling, and GraphQL, which is no REST."""
CHECKED: set[str] = set()


class Life:
    """Requests to the repository, each checked as it is made. `facts` fill the paths."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.facts: dict[str, Any] = {}
        self.root = "/repos/{}/{}"
        self.owner = REPO.split("/")

    def __call__(
        self, template: str, body: Any = None, *, by: str = "will", client: Client | None = None
    ) -> Any:
        """`template` is `METHOD /path/{fact}`; the answer's JSON, once it is proven right."""
        method, _, path = template.partition(" ")
        answer = (client or self.world.client(by))(
            method, self.root.format(*self.owner) + path.format(**self.facts), body
        )
        endpoint = f"{method} {plain(self.root + path.partition('?')[0])}"
        assert complaints(endpoint, answer.status, answer.json) == [], (endpoint, answer.status)
        CHECKED.add(endpoint)
        return answer.json


@pytest.fixture
def life(world: World) -> Life:
    return Life(world)


def test_repository(life):
    for path in ("", "/branches", "/collaborators", "/labels", "/issues", "/pulls", "/forks"):
        life(f"GET {path}")
    life.facts |= {"login": "mia", "branch": "main"}
    life("GET /collaborators/{login}")
    life("GET /collaborators/{login}/permission")
    life("GET /branches/{branch}")
    life("POST /forks", {}, by="rita")
    life("GET /forks")
    life("POST /dispatches", {"event_type": "go", "client_payload": {"a": 1}})


def test_git_and_contents(life):
    life.facts |= {"path": "README.md", "new": "x.txt", "branch": "heads/main", "spans": "main...feature"}
    life("GET /contents/{path}")
    life.facts["path"] = "configs"
    life("GET /contents/{path}")
    made = life("PUT /contents/{new}", {"message": "m", "content": "eA=="})
    life("DELETE /contents/{new}", {"message": "m", "sha": made["content"]["sha"]})
    life.facts["sha"] = sha = life("GET /git/ref/{branch}")["object"]["sha"]
    for path in (
        "/git/matching-refs/{branch}",
        "/git/commits/{sha}",
        "/commits",
        "/commits/{sha}",
        "/compare/{spans}",
    ):
        life(f"GET {path}")
    tree = life("GET /git/trees/{sha}")
    blob = life("POST /git/blobs", {"content": "hello", "encoding": "utf-8"})
    life.facts["blob"] = blob["sha"]
    life("GET /git/blobs/{blob}")
    entry = {"path": "h.txt", "mode": "100644", "type": "blob", "sha": blob["sha"]}
    new = life("POST /git/trees", {"base_tree": tree["sha"], "tree": [entry]})
    commit = life("POST /git/commits", {"message": "by hand", "tree": new["sha"], "parents": [sha]})
    life("POST /git/refs", {"ref": "refs/heads/hand", "sha": commit["sha"]})
    life.facts["hand"] = "heads/hand"
    life("PATCH /git/refs/{hand}", {"sha": sha, "force": True})
    life("DELETE /git/refs/{hand}")


def test_issues_and_comments(life):
    life.facts["n"] = life("POST /issues", {"title": "Why?", "body": "b"})["number"]
    life("PATCH /issues/{n}", {"title": "Why not?"})
    life("POST /labels", {"name": "bug", "color": "ff0000", "description": "d"})
    life.facts["label"] = "bug"
    life("PATCH /labels/{label}", {"color": "00ff00"})
    life("GET /labels/{label}")
    life("POST /issues/{n}/labels", {"labels": ["bug", "more"]})
    life("PUT /issues/{n}/labels", {"labels": ["bug"]})
    life("GET /issues/{n}/labels")
    life("DELETE /issues/{n}/labels/{label}")
    life("DELETE /issues/{n}/labels")
    life("DELETE /labels/{label}")
    life.facts["c"] = life("POST /issues/{n}/comments", {"body": "hello"})["id"]
    life("PATCH /issues/comments/{c}", {"body": "hello you"})
    for place in ("/issues/comments/{c}", "/issues/{n}"):
        life.facts["r"] = life(f"POST {place}/reactions", {"content": "eyes"})["id"]
        life(f"GET {place}/reactions")
        life(f"DELETE {place}/reactions/{{r}}")
    for path in ("", "/comments", "/timeline", "/events"):
        life(f"GET /issues/{{n}}{path}")
    life.facts["e"] = life("GET /issues/{n}/events")[0]["id"]
    for path in ("/issues/events/{e}", "/issues/comments", "/issues/comments/{c}"):
        life(f"GET {path}")
    life("DELETE /issues/comments/{c}")


def test_pulls_and_reviews(life):
    pull = life("POST /pulls", {"title": "Change a", "head": "feature", "base": "main"})
    life.facts |= {"n": pull["number"], "sha": pull["head"]["sha"]}
    life("PATCH /pulls/{n}", {"title": "Change"})
    life.world.at("will").push("main", {"m.txt": "m\n"}, message="elsewhere")
    life("PUT /pulls/{n}/update-branch", {})
    review = {
        "event": "APPROVE",
        "body": "good",
        "comments": [{"path": "configs/a.yaml", "line": 1, "body": "here"}],
    }
    life.facts["r"] = life("POST /pulls/{n}/reviews", review, by="olga")["id"]
    life("PUT /pulls/{n}/reviews/{r}", {"body": "fine"}, by="olga")
    life("PUT /pulls/{n}/reviews/{r}/dismissals", {"message": "new head"})
    inline = {"path": "configs/a.yaml", "line": 1, "body": "there", "commit_id": pull["head"]["sha"]}
    life.facts["c"] = life("POST /pulls/{n}/comments", inline, by="olga")["id"]
    for path in (
        "",
        "/{n}",
        "/{n}/files",
        "/{n}/commits",
        "/{n}/reviews",
        "/{n}/reviews/{r}",
        "/{n}/comments",
    ):
        life(f"GET /pulls{path}")
    for path in (
        "/pulls/comments/{c}",
        "/commits/{sha}/pulls",
        "/issues/{n}",
        "/issues/{n}/timeline",
        "/issues",
    ):
        life(f"GET {path}")
    life("PUT /pulls/{n}/merge", {"merge_method": "squash"})
    life("GET /pulls/{n}/merge")
    life("GET /pulls/{n}")


def test_statuses_and_checks(life):
    job = life.world.job_client(checks="write")
    life.facts["sha"] = sha = life.world.at("will").at.bare.ref("refs/heads/main")
    life("POST /statuses/{sha}", {"state": "success", "context": "infx/gate", "description": "fine"})
    check = {"name": "c", "head_sha": sha, "output": {"title": "t", "summary": "s"}}
    life.facts["c"] = life("POST /check-runs", check, client=job)["id"]
    life("PATCH /check-runs/{c}", {"conclusion": "success"}, client=job)
    for path in ("/commits/{sha}/statuses", "/commits/{sha}/status", "/commits/{sha}/check-runs"):
        life(f"GET {path}")
    life("GET /check-runs/{c}")
    life("GET /check-runs/{c}/annotations")


def test_runs_and_artifacts(life, pull):
    world = life.world
    run = world.run(pull)
    job = world.job(
        run, "plan", steps=[{"name": "Plan", "status": "completed", "conclusion": "success", "number": 1}]
    )
    life.facts |= {"run": run.id, "job": job.id, "one": 1, "w": "sweep.yml", "sha": run.head_sha}
    life.facts["a"] = Service(world, run).upload("bmk_a", archive(a="1"))
    for path in ("/runs", "/runs/{run}", "/runs/{run}/attempts/{one}", "/runs/{run}/jobs", "/artifacts"):
        life(f"GET /actions{path}")
    for path in ("/runs/{run}/attempts/{one}/jobs", "/jobs/{job}", "/runs/{run}/artifacts", "/artifacts/{a}"):
        life(f"GET /actions{path}")
    for path in ("/workflows", "/workflows/{w}", "/workflows/{w}/runs"):
        life(f"GET /actions{path}")
    life("GET /commits/{sha}/check-runs")
    life("POST /actions/runs/{run}/cancel")
    life("POST /actions/runs/{run}/force-cancel")
    world.forge.store.change_run(run.id, status="completed", conclusion="action_required")
    for path in (
        "/runs/{run}/rerun",
        "/runs/{run}/rerun-failed-jobs",
        "/jobs/{job}/rerun",
        "/runs/{run}/approve",
    ):
        life(f"POST /actions{path}", {})
    life("POST /actions/workflows/{w}/dispatches", {"ref": "main"})
    life("PUT /actions/workflows/{w}/disable")
    life("PUT /actions/workflows/{w}/enable")
    life("DELETE /actions/artifacts/{a}")


def test_settings_and_runners(life):
    life.facts |= {
        "v": "NAME",
        "e": "stage",
        "g": "gpu",
        "r": life.world.forge.runner("h200-0", ["self-hosted", "h200"]),
    }
    life("POST /actions/variables", {"name": "NAME", "value": "1"}, by="olga")
    life("PATCH /actions/variables/{v}", {"value": "2"}, by="olga")
    for path in ("/actions/variables", "/actions/variables/{v}", "/actions/runners", "/actions/runners/{r}"):
        life(f"GET {path}", by="olga")
    life("GET /actions/runners/{r}/labels", by="olga")
    life("POST /actions/runners/{r}/labels", {"labels": ["gpu", "new"]}, by="olga")
    life("DELETE /actions/runners/{r}/labels/{g}", by="olga")
    life("PUT /actions/runners/{r}/labels", {"labels": ["only"]}, by="olga")
    life("DELETE /actions/runners/{r}/labels", by="olga")
    life("GET /actions/permissions/workflow", by="olga")
    life("GET /actions/permissions/fork-pr-contributor-approval", by="olga")
    life("DELETE /actions/variables/{v}", by="olga")


def test_environments(life):
    life.facts["e"] = "stage"
    custom = {"protected_branches": False, "custom_branch_policies": True}
    life("PUT /environments/{e}", {"deployment_branch_policy": custom}, by="olga")
    life.facts["p"] = life("POST /environments/{e}/deployment-branch-policies", {"name": "r/*"}, by="olga")[
        "id"
    ]
    for path in ("/environments", "/environments/{e}", "/environments/{e}/deployment-branch-policies"):
        life(f"GET {path}")
    life("DELETE /environments/{e}/deployment-branch-policies/{p}", by="olga")
    life("DELETE /environments/{e}", by="olga")


def test_protection_and_owners(life):
    life.facts["b"] = "main"
    life.world.at("will").push("main", {"CODEOWNERS": "!x @mia\n"}, message="owners")
    life("GET /codeowners/errors")
    wanted = {
        "required_status_checks": {"strict": True, "contexts": ["build"]},
        "required_pull_request_reviews": {"required_approving_review_count": 2},
        "enforce_admins": False,
        "restrictions": None,
    }
    life("PUT /branches/{b}/protection", wanted, by="olga")
    for path in ("", "/protection", "/protection/required_status_checks"):
        life(f"GET /branches/{{b}}{path}", by="olga")
    life("GET /branches")
    life("DELETE /branches/{b}/protection", by="olga")


def test_teams(life):
    life.root, life.facts = "/orgs/{}", {"team": "gpu", "login": "mia"}
    life.world.forge.member("acme", "mia")
    life("POST /teams", {"name": "GPU"}, by="mia")
    life("PUT /teams/{team}/memberships/{login}", {"role": "maintainer"}, by="mia")
    for path in ("/members", "/members/{login}", "/memberships/{login}", "/teams", "/teams/{team}"):
        life(f"GET {path}", by="mia")
    for path in ("/members", "/memberships/{login}"):
        life(f"GET /teams/{{team}}{path}", by="mia")
    life("DELETE /teams/{team}/memberships/{login}", by="mia")


@pytest.mark.parametrize("path", ["/user", "/users/mia", "/rate_limit", "/meta"])
def test_outside_of_repositories(world, path):
    answer = world.client("will")("GET", path)
    template = "/users/{}" if path.startswith("/users/") else path
    assert complaints(f"GET {template}", answer.status, answer.json) == []


def test_every_endpoint_is_described():
    offered = {f"{route.method} {plain(route.path)}" for route in ROUTES}
    assert offered - set(description()["endpoints"]) == UNDESCRIBED
