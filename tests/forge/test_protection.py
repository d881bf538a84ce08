"""Required checks and reviews, CODEOWNERS, environments, teams: rules where they bite."""

import pytest

from infx.forge.protection import Rules
from tests.forge.client import REPO, Client

pytestmark = pytest.mark.forge

R = f"/repos/{REPO}"
BUILD = Rules(contexts=("build",))


@pytest.fixture
def merge(world, pull):
    return lambda login="will": world.client(login)("PUT", f"{R}/pulls/{pull}/merge", {})


def head(world, pull) -> str:
    return str(world.at("will").pull(pull)["head"]["sha"])


@pytest.mark.parametrize(
    ("conclusion", "said"),
    [
        (None, 'Required status check "build" is pending.'),
        ("failure", 'Required status check "build" is failing.'),
        ("cancelled", 'Required status check "build" is failing.'),
        ("success", ""),
        ("neutral", ""),
        ("skipped", ""),
    ],
)
def test_a_required_job(world, pull, merge, conclusion, said):
    world.forge.protect(REPO, "main", BUILD)
    status = "completed" if conclusion else "in_progress"
    world.job(world.run(pull), "build", status=status, conclusion=conclusion)
    answer = merge()
    assert (answer.status, said in answer.json["message"]) == (405 if said else 200, True)


def test_a_check_that_never_came(world, pull, merge):
    world.forge.protect(REPO, "main", BUILD)
    assert 'check "build" is expected' in merge().json["message"]
    world.client("will")("GET", f"{R}/pulls/{pull}")
    assert world.client("will")("GET", f"{R}/pulls/{pull}").json["mergeable_state"] == "blocked"


@pytest.mark.parametrize(("state", "status"), [("success", 200), ("failure", 405), ("pending", 405)])
def test_a_required_status(world, pull, merge, state, status):
    world.forge.protect(REPO, "main", BUILD)
    world.client("will")("POST", f"{R}/statuses/{head(world, pull)}", {"state": state, "context": "build"})
    assert merge().status == status


@pytest.mark.parametrize(("bound", "status"), [(False, 200), (True, 405)])
def test_admins_may_be_bound(world, merge, bound, status):
    world.forge.protect(REPO, "main", Rules(contexts=("build",), admins=bound))
    assert merge("olga").status == status


def test_required_reviews(world, pull, merge):
    world.forge.protect(REPO, "main", Rules(approvals=1))
    world.at("rita").review(pull, "APPROVE")
    assert "At least 1 approving review is required" in merge().json["message"]
    world.at("mia").review(pull, "APPROVE")
    world.at("olga").review(pull, "REQUEST_CHANGES", "no")
    assert merge().status == 405
    world.at("olga").review(pull, "APPROVE")
    assert merge().status == 200


def test_strict_wants_the_newest_base(world, merge):
    world.forge.protect(REPO, "main", Rules(contexts=(), strict=True))
    world.at("will").push("main", {"m.txt": "m\n"}, message="m")
    assert "not up to date" in merge().json["message"]


def test_protected_branches_refuse_pushes(world):
    world.forge.protect(REPO, "main", Rules(contexts=("build",), approvals=1))
    will, file = world.client("will"), {"message": "m", "content": "eA=="}
    assert will("PUT", f"{R}/contents/x.txt", file).status == 409
    assert will("PATCH", f"{R}/git/refs/heads/main", {"sha": "feature", "force": True}).status == 422
    assert will("DELETE", f"{R}/git/refs/heads/main").status == 422
    assert world.client("olga")("PUT", f"{R}/contents/x.txt", file).status == 201


def test_protection_by_api(world):
    olga, place = world.client("olga"), f"{R}/branches/main/protection"
    wanted = {
        "required_status_checks": {"strict": True, "checks": [{"context": "build"}]},
        "enforce_admins": True,
        "required_pull_request_reviews": None,
        "restrictions": None,
    }
    assert olga("GET", place).json["message"] == "Branch not protected"
    assert olga("PUT", place, {}).status == 422
    assert olga("PUT", place, wanted).json["required_status_checks"]["contexts"] == ["build"]
    assert olga("GET", f"{R}/branches/main").json["protected"] is True
    assert (world.client("will")("GET", place).status, olga("DELETE", place).status) == (403, 204)


@pytest.mark.parametrize(
    ("path", "scopes", "status"),
    [
        ("contents/x.txt", {"contents": "write"}, 201),
        ("contents/x.txt", {"contents": "read"}, 403),
        ("contents/.github/workflows/x.yml", {"contents": "write"}, 403),
    ],
)
def test_jobs_write_no_workflows(world, path, scopes, status):
    body = {"message": "m", "content": "eA=="}
    assert world.job_client(**scopes)("PUT", f"{R}/{path}", body).status == status


def test_codeowners(world):
    text = "*.py @mia\n!bad @mia\n*.md @nobody @acme/gpu\n# c\n*.c rubbish\n*.h @acme/none\n*.x @rita\n"
    anyone = Client(world.forge.api)
    assert anyone("GET", f"{R}/codeowners/errors").status == 404
    world.forge.team("acme", "gpu", "mia")
    world.at("will").push("main", {".github/CODEOWNERS": text}, message="owners")
    found = anyone("GET", f"{R}/codeowners/errors").json["errors"]
    assert [(one["line"], one["column"], one["kind"]) for one in found] == [
        (2, 1, "Invalid pattern"),
        (3, 6, "Unknown owner"),
        (5, 5, "Invalid owner"),
        (6, 5, "Unknown owner"),
        (7, 5, "Unknown owner"),
    ]


@pytest.mark.parametrize(
    ("who", "status"),
    [("member", 200), ("app", 200), ("blind app", 403), ("job", 403), ("rita", 404), ("", 401)],
)
def test_who_reads_teams(world, who, status):
    world.forge.team("acme", "GPU Owners", "mia")
    clients = {
        "member": world.client("mia"),
        "app": Client(world.forge.api, world.forge.app(REPO, "infx", members="read")),
        "blind app": Client(world.forge.api, world.forge.app(REPO, "infx", issues="write")),
        "job": world.job_client(contents="write"),
        "rita": world.client("rita"),
        "": Client(world.forge.api),
    }
    answer = clients[who]("GET", "/orgs/acme/teams/gpu-owners/memberships/mia")
    assert answer.status == status
    assert status != 200 or answer.json["state"] == "active"


def test_apps_speak_under_their_own_name(world, pull):
    app = Client(world.forge.api, world.forge.app(REPO, "infx", pull_requests="write", checks="write"))
    made = app("POST", f"{R}/issues/{pull}/comments", {"body": "hi"}).json
    assert (made["user"]["login"], made["user"]["type"]) == ("infx[bot]", "Bot")
    world.forge.settle()
    assert not world.recorder.events[-1].by_job_token
    assert app("PUT", f"{R}/contents/x.txt", {"message": "m", "content": "eA=="}).status == 403


def test_branch_rules_of_environments(world):
    olga, place = world.client("olga"), f"{R}/environments/prod"
    custom = {"protected_branches": False, "custom_branch_policies": True}
    assert olga("PUT", place, {"deployment_branch_policy": custom}).json["deployment_branch_policy"] == custom
    assert olga("POST", f"{place}/deployment-branch-policies", {"name": "release/*"}).status == 200
    assert world.forge.store.repository(REPO).environments == {"prod": ["release/*"]}
    both = {"protected_branches": True, "custom_branch_policies": True}
    assert olga("PUT", place, {"deployment_branch_policy": both}).status == 422
    olga("PUT", place, {"deployment_branch_policy": {**both, "custom_branch_policies": False}})
    world.forge.protect(REPO, "main", BUILD)
    assert world.forge.store.repository(REPO).environments == {"prod": ["main"]}
