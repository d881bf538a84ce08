"""`infx doctor` and `infx runners` against an embedded GitHub whose settings are changed one by one."""

import io
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from infx.charter import CHARTERS
from infx.cli import main
from infx.edge.world import World
from infx.forge.forge import Forge
from infx.policy.health import ACTIONS_APP, HELD
from infx.source import CONTEXT
from tests.edge.server import Reply, serving
from tests.forge.client import Client
from tests.forge.recorder import Recorder

pytestmark = pytest.mark.forge
REPO, ORG = "acme/bench", "acme"
R = f"/repos/{REPO}"
OWNERS = {".github/CODEOWNERS": "* @olga\n"}


class Bench:
    """A repository after `infx init`, its admin, and its settings."""

    def __init__(self, folder: Path) -> None:
        self.clone = folder / "clone"
        self.clone.mkdir()
        self.git("init", "-q", "-b", "main")
        assert self.infx("init", env={})[0] == 0
        for path, text in OWNERS.items():
            (self.clone / path).write_text(text)
        self.git("add", "-A")
        self.git("-c", "user.name=o", "-c", "user.email=o@x", "commit", "-qm", "Adopt infx")
        self.forge = Forge.start(folder / "forge", lambda store, url: Recorder())
        self.forge.create_repo(REPO, self.clone)
        self.token = self.forge.user("olga")
        self.forge.role(REPO, "olga", "admin")
        self.forge.member(ORG, "olga")
        self.client = Client(self.forge.api, self.token)

    def git(self, *words: str) -> None:
        subprocess.run(["git", "-C", str(self.clone), *words], check=True)

    def infx(self, *words: str, env: dict[str, str] | None = None) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        given = self.env() if env is None else env
        code = main(words, World(env=given, cwd=self.clone, out=out, err=err))
        return code, out.getvalue(), err.getvalue()

    def env(self, token: str = "") -> dict[str, str]:
        return {
            "GITHUB_REPOSITORY": REPO,
            "GITHUB_TOKEN": token or self.token,
            "GITHUB_API_URL": self.forge.api,
        }

    def set(self, method: str, path: str, body: Any) -> None:
        answer = self.client(method, path, body)
        assert answer.status < 300, (path, answer.status, answer.json)

    def faults(self, token: str = "") -> dict[str, str]:
        """Check → health of its worst finding, those that are right left out."""
        _, out, _ = self.infx("doctor", "--json", env=self.env(token))
        found = json.loads(out)["details"]["findings"]
        return {one["check"]: one["health"] for one in found if one["health"] != "ok"}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.forge.close()


def mend(bench: Bench) -> None:
    """Everything that doctor says, in the order in which it says it."""
    assert bench.infx("init", "--labels")[0] == 0
    bench.set("PUT", f"{R}/actions/permissions/fork-pr-contributor-approval", {"approval_policy": HELD})
    for name in {charter.environment for charter in CHARTERS.values()} - {""}:
        policy = {"protected_branches": False, "custom_branch_policies": True}
        bench.set("PUT", f"{R}/environments/{name}", {"deployment_branch_policy": policy})
        bench.set("POST", f"{R}/environments/{name}/deployment-branch-policies", {"name": "main"})
    bench.set("POST", f"{R}/rulesets", ruleset("required_status_checks"))
    bench.forge.runner("local_0", ["cluster:local"], repo=REPO)


def ruleset(kind: str) -> dict[str, Any]:
    checks = {"required_status_checks": [{"context": CONTEXT, "integration_id": ACTIONS_APP}]}
    return {
        "name": kind,
        "target": "branch",
        "enforcement": "active",
        "conditions": {"ref_name": {"include": ["~DEFAULT_BRANCH"], "exclude": []}},
        "rules": [{"type": kind, "parameters": checks if kind != "merge_queue" else {}}],
    }


def test_doctor_says_what_is_missing_until_nothing_is(bench: Bench) -> None:
    before = bench.faults()
    for check in ("labels", "environments", "fork approval"):
        assert before[check] == "broken"
    assert (before["required statuses"], before["runners"]) == ("warn", "warn")
    mend(bench)
    assert bench.faults() in ({}, {"runner groups": "broken"})


@pytest.mark.parametrize(
    ("method", "path", "body", "check"),
    [
        ("PUT", f"{R}/actions/permissions/workflow", {"default_workflow_permissions": "write"}, "token"),
        ("POST", f"{R}/rulesets", ruleset("merge_queue"), "merge queue"),
        ("DELETE", f"{R}/labels/resume-sweep", None, "labels"),
        ("PUT", f"{R}/environments/stage", {"deployment_branch_policy": None}, "environments"),
    ],
)
def test_one_setting_that_is_wrong(bench: Bench, method: str, path: str, body: Any, check: str) -> None:
    mend(bench)
    bench.set(method, path, body)
    assert bench.faults()[check] == "broken"


def test_a_reader_is_told_what_could_not_be_seen(bench: Bench) -> None:
    mend(bench)
    token = bench.forge.user("rita")
    bench.forge.role(REPO, "rita", "read")
    found = bench.faults(token)
    assert found["token"] == found["runners"] == "could-not-tell"
    assert "broken" not in found.values()
    assert [bench.infx(word, env=bench.env(token))[0] for word in ("doctor", "runners")] == [3, 3]


def test_sixty_runners_cost_no_more_than_forty_requests(bench: Bench) -> None:
    for number in range(60):
        bench.forge.runner(f"r{number}", ["cluster:local"], repo=REPO)
    _, _, err = bench.infx("doctor")
    requests = int(err.split(" requests")[0].split()[-1])
    assert requests <= 40


def test_runners_are_compared_with_the_configs(bench: Bench) -> None:
    bench.forge.runner("local_9", ["cluster:local"], repo=REPO)
    code, out, _ = bench.infx("runners", "--json")
    nodes = {node["name"]: node["state"] for node in json.loads(out)["details"]["nodes"]}
    assert (code, nodes) == (1, {"local_0": "missing", "local_9": "unknown"})


def states(bench: Bench) -> dict[str, str]:
    _, out, _ = bench.infx("runners", "--json")
    return {node["name"]: node["state"] for node in json.loads(out)["details"]["nodes"]}


def test_a_node_in_quarantine_gets_no_job_until_it_is_admitted(bench: Bench) -> None:
    bench.forge.runner("local_0", ["cluster:local"], repo=REPO)
    assert bench.infx("runners", "--quarantine", "local_0")[0] == 0
    assert states(bench) == {"local_0": "unlabelled"}
    assert bench.infx("runners", "--quarantine", "local_0")[0] == 0
    assert bench.infx("runners", "--admit", "local_0")[0] == 0
    assert states(bench) == {"local_0": "idle"}


def test_a_drained_pool_has_no_runner_left(bench: Bench) -> None:
    for name in ("local_0", "local_1"):
        bench.forge.runner(name, ["cluster:local", "other"], repo=REPO)
    assert bench.infx("runners", "--drain", "cluster:local")[0] == 0
    listed = bench.client("GET", f"{R}/actions/runners").json["runners"]
    assert [[one["name"] for one in runner["labels"]] for runner in listed] == [["other"], ["other"]]


@pytest.mark.parametrize("words", [("--quarantine", "nobody"), ("--admit", "nobody"), ("--drain", "nothing")])
def test_a_name_that_is_not_there_is_bad_input(bench: Bench, words: tuple[str, ...]) -> None:
    assert bench.infx("runners", *words)[0] == 2


def test_the_digest_is_one_comment_and_one_line_for_the_chat(bench: Bench) -> None:
    """The second day edits the first day's comment."""
    number = bench.client("POST", f"{R}/issues", {"title": "Runners"}).json["number"]
    policy = bench.clone / "configs/policy.yaml"
    policy.write_text(policy.read_text() + f"digest-issue: {number}\n")
    with serving() as chat:
        chat.routes["POST /hook"] = Reply(200, {})
        env = {**bench.env(), "INFX_CHAT_WEBHOOK": f"{chat.url}/hook"}
        for _ in range(2):
            assert bench.infx("runners", "--digest", env=env)[0] == 0
        assert [asked.body["text"] for asked in chat.asked] == [f"{REPO}: 1 missing"] * 2
    (comment,) = bench.client("GET", f"{R}/issues/{number}/comments").json
    assert "0 of 1 nodes need nobody" in comment["body"]
    assert "`local_0` (`cluster:local`) **missing**" in comment["body"]


def test_a_chat_that_does_not_answer_is_said_without_its_address(bench: Bench) -> None:
    with serving() as chat:
        env = {**bench.env(), "INFX_CHAT_WEBHOOK": f"{chat.url}/secret"}
        code, _, err = bench.infx("runners", "--digest", env=env)
    assert (code, "secret" in err) == (3, False)
