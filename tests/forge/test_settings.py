"""Settings of Actions, secrets, runner groups, rulesets: what can be read of a repository, and what bites."""

import base64

import pytest
from nacl.public import PublicKey, SealedBox

from tests.forge.client import REPO

pytestmark = pytest.mark.forge

R, ORG = f"/repos/{REPO}", "/orgs/acme"
CHECKS = {
    "required_status_checks": [{"context": "build", "integration_id": 15368}],
    "strict_required_status_checks_policy": False,
}
QUEUE = {"type": "merge_queue", "parameters": {"merge_method": "SQUASH"}}


def ruleset(*rules, **more) -> dict:
    where = {"ref_name": {"include": ["~DEFAULT_BRANCH"], "exclude": []}}
    return {"name": "r", "enforcement": "active", "conditions": where, "rules": list(rules), **more}


@pytest.fixture
def olga(world, pull):
    world.forge.member("acme", "olga", role="admin")
    return world.client("olga")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("", {"enabled": "yes"}),
        ("", {"enabled": True, "allowed_actions": "some"}),
        ("/workflow", {"default_workflow_permissions": "all"}),
        ("/access", {"access_level": "world"}),
        ("/fork-pr-contributor-approval", {"approval_policy": "none"}),
        ("/artifact-and-log-retention", {"days": 91}),
        ("/artifact-and-log-retention", {"days": "1"}),
        ("/selected-actions", {"patterns_allowed": "*"}),
    ],
    ids=str,
)
def test_nonsense_changes_no_setting(olga, path, body):
    here = f"{R}/actions/permissions{path}"
    before = olga("GET", here).json
    assert olga("PUT", here, body).status == 422
    assert olga("GET", here).json == before


@pytest.mark.parametrize("path", ["", "/workflow", "/fork-pr-contributor-approval", "/access"])
def test_settings_are_for_admins(world, olga, path):
    for client in (world.client("mia"), world.job_client(actions="write")):
        assert client("GET", f"{R}/actions/permissions{path}").status == 403


def test_without_actions_nothing_is_delivered(world, olga):
    olga("PUT", f"{R}/actions/permissions", {"enabled": False})
    world.at("will").label(1, "sweep")
    assert world.recorder.events == []
    olga("PUT", f"{R}/actions/permissions", {"enabled": True})
    world.at("will").unlabel(1, "sweep")
    assert world.recorder.kinds == ["pull_request.unlabeled"]


def test_a_token_may_what_the_settings_say(world, olga):
    olga("PUT", f"{R}/actions/permissions/workflow", {"default_workflow_permissions": "write"})
    assert world.forge.store.repository(REPO).default_permissions == "write"


def seal(client, path: str, text: str) -> dict:
    key = client("GET", f"{path}/public-key").json
    sealed = SealedBox(PublicKey(base64.b64decode(key["key"]))).encrypt(text.encode())
    return {"encrypted_value": base64.b64encode(sealed).decode(), "key_id": key["key_id"]}


def test_secrets_go_in_and_never_come_out(world, olga):
    olga("PUT", f"{R}/environments/Stage", {})
    for path, value in (("/actions/secrets", "one"), ("/environments/stage/secrets", "two")):
        body = seal(olga, R + path, value)
        assert [olga("PUT", f"{R}{path}/TOKEN", body).status for _ in range(2)] == [201, 204]
        assert set(olga("GET", f"{R}{path}/TOKEN").json) == {"name", "created_at", "updated_at"}
        broken = {**body, "encrypted_value": base64.b64encode(b"x" * 60).decode()}
        assert olga("PUT", f"{R}{path}/TOKEN", broken).status == 422
    known = world.forge.store.repository(REPO)
    assert (known.secrets, known.environment_secrets) == ({"TOKEN": "one"}, {"stage": {"TOKEN": "two"}})
    assert world.job_client(actions="read")("GET", f"{R}/actions/secrets").status == 403
    assert olga("DELETE", f"{R}/actions/secrets/TOKEN").status == 204
    assert world.forge.store.repository(REPO).secrets == {}


def test_a_runner_is_in_one_group(world, olga):
    first, second = (world.forge.runner(name, ["self-hosted", "X64", "h200"]) for name in ("a", "b"))
    made = olga("POST", f"{ORG}/actions/runner-groups", {"name": "gpu", "runners": [first, second]}).json[
        "id"
    ]
    other = olga("POST", f"{ORG}/actions/runner-groups", {"name": "spare"}).json["id"]
    olga("PUT", f"{ORG}/actions/runner-groups/{other}/runners", {"runners": [second]})
    names = {}
    for number in (1, made, other):
        found = olga("GET", f"{ORG}/actions/runner-groups/{number}/runners").json["runners"]
        names[number] = [one["name"] for one in found]
    assert names == {1: [], made: ["a"], other: ["b"]}
    listed = olga("GET", f"{R}/actions/runners").json["runners"]
    assert {one["name"]: one["runner_group_id"] for one in listed} == {"a": made, "b": other}
    assert [label["type"] for label in listed[0]["labels"]] == ["read-only", "read-only", "custom"]
    assert olga("POST", f"{ORG}/actions/runner-groups", {"name": "gpu"}).status == 409
    assert olga("DELETE", f"{ORG}/actions/runner-groups/{made}").status == 204
    assert olga("GET", f"{ORG}/actions/runner-groups").json["total_count"] == 2


@pytest.mark.parametrize("by", ["will", "job"])
def test_runner_groups_are_for_the_organization(world, pull, by):
    client = world.job_client(actions="write") if by == "job" else world.client(by)
    assert client("GET", f"{ORG}/actions/runner-groups").status in (403, 404)


def test_a_ruleset_holds_a_merge_until_the_right_app_has_checked(world, olga):
    olga("POST", f"{R}/rulesets", ruleset({"type": "required_status_checks", "parameters": CHECKS}))
    sha = world.at("will").pull(1)["head"]["sha"]
    other = world.forge.app(REPO, "other", checks="write", statuses="write")
    bot = type(olga)(world.forge.api, other)
    done = {"name": "build", "head_sha": sha, "conclusion": "success"}
    assert bot("POST", f"{R}/check-runs", done).status == 201
    assert bot("POST", f"{R}/statuses/{sha}", {"state": "success", "context": "build"}).status == 201
    merge = f"{R}/pulls/1/merge"
    refused = olga("PUT", merge, {})
    assert (refused.status, refused.json["message"]) == (405, 'Required status check "build" is expected.')
    assert world.job_client(checks="write")("POST", f"{R}/check-runs", done).status == 201
    assert olga("PUT", merge, {}).status == 200


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, 405),
        ({"enforcement": "evaluate"}, 200),
        ({"enforcement": "disabled"}, 200),
        ({"target": "tag"}, 200),
        ({"conditions": {"ref_name": {"include": ["refs/heads/release/*"], "exclude": []}}}, 200),
        ({"conditions": {"ref_name": {"include": ["~ALL"], "exclude": ["refs/heads/main"]}}}, 200),
        ({"conditions": {"ref_name": {"include": ["refs/heads/m*"], "exclude": []}}}, 405),
        ({"bypass_actors": [{"actor_id": 5, "actor_type": "RepositoryRole", "bypass_mode": "always"}]}, 200),
        ({"bypass_actors": [{"actor_id": 4, "actor_type": "RepositoryRole", "bypass_mode": "always"}]}, 405),
    ],
    ids=str,
)
def test_where_a_merge_queue_bites(olga, change, status):
    assert olga("POST", f"{R}/rulesets", ruleset(QUEUE, **change)).status == 201
    answer = olga("PUT", f"{R}/pulls/1/merge", {})
    assert answer.status == status
    assert status == 200 or answer.json["message"] == "Changes must be made through the merge queue"
    shown = olga("GET", f"{R}/rules/branches/main").json
    assert [one["type"] for one in shown] == (
        ["merge_queue"] if change.get("bypass_actors") or status == 405 else []
    )


def test_rulesets_change_and_end(olga):
    made = olga("POST", f"{R}/rulesets", ruleset()).json["id"]
    assert olga("POST", f"{R}/rulesets", ruleset()).status == 422
    assert olga("PUT", f"{R}/rulesets/{made}", {"enforcement": "hard"}).status == 422
    assert olga("PUT", f"{R}/rulesets/{made}", {"rules": [QUEUE]}).json["rules"] == [QUEUE]
    assert olga("GET", f"{R}/branches/main").json["protected"] is True
    assert olga("DELETE", f"{R}/rulesets/{made}").status == 204
    assert olga("GET", f"{R}/rulesets").json == []


def test_a_required_check_of_an_app_is_shown_with_it(world, olga):
    wanted = {
        "required_status_checks": {"strict": False, "checks": [{"context": "build", "app_id": 15368}]},
        "required_pull_request_reviews": {"require_code_owner_reviews": True},
        "enforce_admins": True,
        "restrictions": None,
        "required_linear_history": True,
    }
    shown = olga("PUT", f"{R}/branches/main/protection", wanted).json
    assert shown["required_status_checks"]["checks"] == [{"context": "build", "app_id": 15368}]
    assert shown["required_pull_request_reviews"]["require_code_owner_reviews"] is True
    assert (shown["required_linear_history"], shown["lock_branch"]) == ({"enabled": True}, {"enabled": False})
    branch = olga("GET", f"{R}/branches/main").json["protection"]["required_status_checks"]
    assert branch["checks"] == [{"context": "build", "app_id": 15368}]
