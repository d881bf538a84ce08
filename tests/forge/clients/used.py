"""Runs the scripts of the three foreign clients on a forge; which endpoints each of them used."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from infx.forge.rest import ROUTES
from tests.forge.client import REPO, World
from tests.forge.test_artifacts import Service, archive

HERE = Path(__file__).parent
SCRIPTS = {
    "PyGithub": (sys.executable, str(HERE / "with_pygithub.py")),
    "Octokit": ("node", str(HERE / "with_octokit.mjs")),
    "githubkit": (sys.executable, str(HERE / "with_githubkit.py")),
}


def use(world: World, client: str) -> set[str]:
    """`METHOD /path/{template}` of every endpoint that the client's script called."""
    login = client.lower()
    token = world.forge.user(login)
    world.forge.role(REPO, login, "admin")
    facts = {"api": world.forge.api, "token": token, "login": login, "repo": REPO, **stage(world, login)}
    before = len(world.forge.requests)
    call(SCRIPTS[client], facts)
    asked = world.forge.requests[before:]
    return {found for one in asked if (found := endpoint(one.method, one.path)) and one.login == login}


def call(command: Sequence[str], facts: dict[str, object]) -> None:
    done = subprocess.run([*command, json.dumps(facts)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


def stage(world: World, login: str) -> dict[str, int]:
    """A pull request with a run, a job and an artifact; a runner; a team."""
    number = world.at("will").open_pull("feature", title="Change a")
    run = world.run(number)
    world.job(
        run, "plan", steps=[{"name": "Plan", "status": "completed", "conclusion": "success", "number": 1}]
    )
    Service(world, run).upload("bmk_a", archive(a="1"))
    world.forge.runner("h200-0", ["self-hosted", "h200"])
    world.forge.team("acme", "GPU", login)
    return {"pull": number, "run": run.id}


def endpoint(method: str, path: str) -> str:
    """The route that answered, empty for none."""
    found = [one for one in ROUTES if one.method == method and one.pattern.fullmatch(path)]
    found.sort(key=lambda one: (one.path.endswith(":path}"), one.path.count("{")))
    return f"{method} {found[0].path}" if found else ""
