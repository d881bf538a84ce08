"""`infx init` where nobody may push into the default branch: said, safe to repeat, done by a pull request."""

import io
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from infx.cli import main
from infx.edge.world import World
from infx.forge.forge import Forge
from tests.forge.client import Client
from tests.forge.recorder import Recorder
from tests.jobs.test_doctor import ruleset

pytestmark = pytest.mark.forge
REPO = "acme/bench"
R = f"/repos/{REPO}"
PULL = {
    **ruleset("pull_request"),
    "rules": [{"type": "pull_request", "parameters": {"required_approving_review_count": 1}}],
}
CLASSIC = {
    "required_status_checks": None,
    "enforce_admins": True,
    "required_pull_request_reviews": {"required_approving_review_count": 1},
    "restrictions": None,
}


class Place:
    """A repository with nothing of infx on the forge, its admin, and a clone."""

    def __init__(self, folder: Path) -> None:
        source = folder / "source"
        source.mkdir()
        (source / "README.md").write_text("bench\n")
        self.clone = source
        for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", "first")):
            assert self.git(*words).returncode == 0
        self.forge = Forge.start(folder / "forge", lambda store, url: Recorder())
        self.forge.create_repo(REPO, source)
        self.token = self.forge.user("olga")
        self.forge.role(REPO, "olga", "admin")
        self.client = Client(self.forge.api, self.token)
        self.clone = folder / "clone"
        bare = self.forge.store.repository(REPO).git_dir
        subprocess.run(["git", "clone", "-q", str(bare), str(self.clone)], check=True)

    def git(self, *words: str) -> subprocess.CompletedProcess[str]:
        who = ("-c", "user.name=olga", "-c", "user.email=olga@x")
        command = ["git", "-C", str(self.clone), *who, *words]
        env = {"PATH": "/usr/bin:/bin", "FORGE_ACTOR": "olga"}
        return subprocess.run(command, capture_output=True, text=True, check=False, env=env)

    def init(self, *words: str, token: str | None = None) -> str:
        out, err = io.StringIO(), io.StringIO()
        env = {"GITHUB_REPOSITORY": REPO, "GITHUB_TOKEN": self.token, "GITHUB_API_URL": self.forge.api}
        if token is not None:
            env["GITHUB_TOKEN"] = token
        code = main(("init", *words), World(env=env, cwd=self.clone, out=out, err=err))
        assert code == 0, err.getvalue()
        return out.getvalue()

    def guarded(self) -> str:
        return str(json.loads(self.init("--dry-run", "--json"))["details"]["protected"])

    def ask(self, method: str, path: str, body: Any) -> Any:
        answer = self.client(method, path, body)
        assert answer.status < 300, (path, answer.status, answer.json)
        return answer.json


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    made.forge.close()


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [("POST", f"{R}/rulesets", PULL), ("PUT", f"{R}/branches/main/protection", CLASSIC)],
    ids=["ruleset", "branch protection"],
)
def test_it_says_that_the_branch_is_protected(place: Place, method: str, path: str, body: Any) -> None:
    assert place.guarded() == "no"
    place.ask(method, path, body)
    assert place.guarded() == "yes"
    assert "next: main is protected: git checkout -b adopt-infx, commit" in place.init()


@pytest.mark.parametrize("token", ["", "nobody's"])
def test_what_the_token_does_not_show_is_left_open(place: Place, token: str) -> None:
    said = place.init(token=token)
    assert "next: commit and push to main (if it is protected: git checkout -b" in said


def test_a_refused_push_is_repeated_by_a_pull_request(place: Place) -> None:
    place.ask("POST", f"{R}/rulesets", PULL)
    place.init("--labels")
    commit(place)
    refused = place.git("push", "-q", "origin", "main")
    assert refused.returncode != 0
    assert "GH006: Protected branch update failed for refs/heads/main" in refused.stderr
    again = place.init("--labels")
    assert ("write    " in again, "label full-sweep-fail-fast: there" in again) == (False, True)
    assert place.git("status", "--porcelain").stdout == ""
    place.git("checkout", "-q", "-b", "adopt-infx")
    assert place.git("push", "-q", "origin", "adopt-infx").stderr == ""
    merged(place)
    place.git("checkout", "-q", "-B", "main", "origin/main")
    place.git("pull", "-q", "origin", "main")
    assert (place.clone / ".github/workflows/control.yml").exists()
    assert "write    " not in place.init()


def commit(place: Place) -> None:
    assert place.git("add", "-A").returncode == 0
    assert place.git("commit", "-qm", "Adopt infx").returncode == 0


def merged(place: Place) -> None:
    """The pull request of what was written, approved by somebody who may."""
    body = {"title": "Adopt infx", "head": "adopt-infx", "base": "main"}
    number = place.ask("POST", f"{R}/pulls", body)["number"]
    reviewer = Client(place.forge.api, place.forge.user("rob"))
    place.forge.role(REPO, "rob", "write")
    assert reviewer("POST", f"{R}/pulls/{number}/reviews", {"event": "APPROVE"}).status == 200
    assert place.ask("PUT", f"{R}/pulls/{number}/merge", {})["merged"]
