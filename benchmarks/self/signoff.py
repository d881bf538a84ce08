"""A sign-off of a pull request with 3,000 files under 2,000 lines of CODEOWNERS: own time, API requests."""

import io
import tempfile
import time
from pathlib import Path

from infx.edge import settings
from infx.edge.github import GitHub
from infx.edge.world import World
from infx.signing import decide, office
from tests.lives.project import project
from tests.town import BOT, NAME, OWNERS, SERVER, Town, signed

FILES, LINES = 3_000, 2_000
OWN_S, REQUESTS = 1.0, 60


def owners() -> str:
    """Anchored folders, names, endings and double stars, as grown files have them; some lines are invalid."""
    shapes = ("/vendor/{0}/ @team-{0}", "lib{0}.so @team-{0}", "*.k{0} @team-{0}", "**/gen{0}/** @team-{0}")
    lines = [shapes[at % len(shapes)].format(at) for at in range(LINES - 10)]
    return OWNERS + "\n".join([*lines, "!bad @x", "[Section] @y"]) + "\n/many/ @owner-nv\n"


def bench() -> None:
    """Print time and requests of one verification, beside their limits."""
    with tempfile.TemporaryDirectory() as name:
        town = Town(Path(name), project(), owners=owners())
        try:
            measure(town)
        finally:
            town.close()


def measure(town: Town) -> None:
    number = town.propose({f"many/{at % 50}/deep/{at}.txt": f"{at}\n" for at in range(FILES)})
    town.measured(number)
    town.at("owner-nv").comment(number, signed(town.template, "owner-nv"))
    github = GitHub(NAME, town.job_token(), town.forge.api, login=BOT)
    env = {"GITHUB_SERVER_URL": SERVER, "GITHUB_TOKEN": town.token, "PATH": "/usr/bin:/bin"}
    world = World(env=env, cwd=town.clone, out=io.StringIO(), err=io.StringIO())
    rules = settings.load(town.clone)
    began, own = time.perf_counter(), time.thread_time()
    facts = office(github, rules, world, number).whole
    decision = decide(facts, rules)
    wall, own = time.perf_counter() - began, time.thread_time() - own
    print(f"{len(facts.owned)} owned files: {decision.reason}")
    print(f"own time: {own:.2f} s, at most {OWN_S}; with git and a GitHub on this machine {wall:.2f} s")
    print(f"requests: {github.requests}, at most {REQUESTS}")
