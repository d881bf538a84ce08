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
from infx.policy.health import ACTIONS_APP, HELD, STATUS
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
    checks = {"required_status_checks": [{"context": STATUS, "integration_id": ACTIONS_APP}]}
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
