"""Sign-offs on the real workflow files: comments, reviews by the intake, what only the schedule finds."""

import io
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from infx.edge import settings
from infx.edge.world import World
from infx.forge.actor import Actor
from infx.plan import Plan
from infx.status import desk_of
from tests.lives.project import SCRIPT, before_h200, h200_as_first_proposed
from tests.lives.world import NAME, Life, base
from tests.town import DESCRIPTION, SERVER, UPSTREAM, plant_sweep, repository, signed, with_owners

pytestmark = pytest.mark.act
SIGNOFF = "signoff.yml"
REWRITES = "sed -i 's/a/b/' /usr/local/lib/python3.12/dist-packages/sglang/srt/server.py"
WAIVER = """\
What: one line of server.py. Why: the flag does not exist yet. Upstream: https://github.com/sgl-project/sglang/pull/1
Removal: dropped with the next image.
"""


class Place:
    """A life with code owners, an upstream recipe, and the H200 recipe's pull request in it."""

    def __init__(self, life: Life, folder: Path) -> None:
        self.life, self.folder = life, folder
        for login, role in (("owner-nv", "write"), ("owner-amd", "write"), ("eva", "read"), ("fred", "read")):
            life.forge.user(login)
            life.forge.role(NAME, login, role)
        self.tree = with_owners(base())
        self.recipe = f"{SERVER}/{UPSTREAM}/pull/{self.upstream()}"

    def upstream(self) -> int:
        forge = self.life.forge
        forge.create_repo(UPSTREAM, repository(self.folder / "upstream", {"README.md": b"cookbook\n"}))
        forge.user("sgl")
        forge.role(UPSTREAM, "sgl", "admin")
        there = forge.at(UPSTREAM, "sgl")
        there.push("recipe", {"qwen3.5.md": "H200\n"}, message="Recipe")
        number = there.open_pull("recipe", title="Qwen3.5 on H200")
        there.merge(number)
        return number

    @property
    def body(self) -> str:
        return DESCRIPTION.format(recipe=self.recipe)

    def propose(self) -> int:
        self.life.mia.push("topic", h200_as_first_proposed(self.tree), message="H200 recipe")
        number = self.life.mia.open_pull("topic", title="H200 recipe", body=self.body)
        self.life.rest()
        return number

    def measured(self, number: int) -> None:
        """A planted sweep, and `/use`, answered by the real comment workflow."""
        run = plant_sweep(self.life.forge, NAME, self.plan(number))
        self.life.mia.comment(number, f"/use {run.id}")
        self.life.rest()

    def plan(self, number: int) -> Plan:
        clone = self.folder / "clone"
        if not clone.exists():
            subprocess.run(["git", "clone", "-q", str(self.life.mia.at.bare.root), str(clone)], check=True)
        env = {"GITHUB_SERVER_URL": SERVER, "PATH": "/usr/bin:/bin"}
        world = World(env=env, cwd=clone, out=io.StringIO(), err=io.StringIO())
        return desk_of(self.life.github, settings.load(clone), world, number).sources.wanted

    def sheet(self, login: str, **changes: tuple[str, ...]) -> str:
        return signed(self.tree["PR_REVIEW_CHECKLIST.md"].decode(), login, **changes)

    def sign(self, number: int, login: str, **changes: tuple[str, ...]) -> int:
        made = self.life.at(login).comment(number, self.sheet(login, **changes))
        self.life.rest()
        return made

    def status(self, number: int) -> tuple[str, str]:
        sha = self.life.mia.pull(number)["head"]["sha"]
        return self.life.github.statuses(sha).get("infx/signoff", ("", ""))

    def verdicts(self, number: int) -> list[str]:
        return [one.body for one in self.life.comments(number) if one.body.startswith("<!-- infx:signoff")]


@pytest.fixture
def place(live: Callable[..., Life], tmp_path: Path) -> Place:
    return Place(live(with_owners(before_h200(base()))), tmp_path)


def test_a_sign_off_through_its_whole_life(place: Place) -> None:
    life, number = place.life, place.propose()
    assert place.status(number) == ("pending", "waiting for a sign-off of @owner-nv")
    place.measured(number)
    place.sign(number, "owner-amd")
    made = place.sign(number, "owner-nv", unticked=("pareto-points",))
    assert place.status(number)[1].startswith("rejected @owner-nv: ticked-or-explained")
    life.at("owner-nv").edit_comment(made, place.sheet("owner-nv"))
    life.rest()
    stranger, owner = place.verdicts(number)
    assert "not-an-owner of" in stranger
    assert "**Sign-off of @owner-nv: passed**" in owner
    assert "FAIL" not in owner
    old = life.mia.pull(number)["head"]["sha"][:7]
    assert place.status(number) == ("success", f"passed: @owner-nv signed {old}")
    new = merge_target(place, number)[:7]
    told = f"assessed {old}, effective diff unchanged at {new}"
    assert place.status(number) == ("success", f"passed: @owner-nv {told}")
    life.mia.push_to_pull(number, {"configs/nvidia-master.yaml": "{}\n"}, message="another diff")
    life.rest()
    assert place.status(number)[1].startswith("new head needs sign-off: @owner-nv")
    assert len(place.verdicts(number)) == 2


def test_a_patched_engine_and_an_old_template_are_refused(place: Place) -> None:
    life = place.life
    files = h200_as_first_proposed(place.tree)
    script = place.tree[SCRIPT].decode().replace("set -euo pipefail\n", f"set -euo pipefail\n{REWRITES}\n", 1)
    life.mia.push("topic", {**files, SCRIPT: script}, message="H200 recipe")
    number = life.mia.open_pull("topic", title="H200 recipe", body=place.body)
    life.rest()
    place.measured(number)
    place.sign(number, "owner-nv", without=("reuse-command-posted",))
    [old] = place.verdicts(number)
    assert "an old or shortened template: reuse-command-posted missing" in old
    assert "FAIL **no-engine-patch**" in old
    life.mia.push_to_pull(number, {f"docs/waiver/{number}.md": WAIVER}, message="Waiver")
    life.rest()
    place.sign(number, "owner-nv")
    assert f"PASS **no-engine-patch**: `waived by docs/waiver/{number}.md`" in place.verdicts(number)[1]
    assert place.status(number)[0] == "success"


def merge_target(place: Place, number: int) -> str:
    """Others change the target, and somebody merges it into the branch."""
    life, folder = place.life, place.folder / "merging"
    life.mia.push("main", {"docs/elsewhere.md": "x\n"}, message="Elsewhere")
    life.rest()
    words = ["git", "-C", str(folder), "-c", "user.name=mia", "-c", "user.email=mia@example.org"]
    subprocess.run(["git", "clone", "-q", "-b", "topic", str(life.mia.at.bare.root), str(folder)], check=True)
    subprocess.run([*words, "merge", "-q", "--no-edit", "origin/main"], check=True)
    subprocess.run([*words, "push", "-q", "origin", "HEAD:refs/heads/topic"], check=True)
    life.rest()
    return str(life.mia.pull(number)["head"]["sha"])


def from_fork(place: Place) -> tuple[int, Actor]:
    life = place.life
    life.forge.configure(NAME, approval="none")
    fork = life.forge.at(life.at("fred").fork(), "fred")
    fork.push("topic", h200_as_first_proposed(place.tree), message="H200 recipe")
    number = life.at("fred").open_pull("fred:topic", title="H200 recipe", body=place.body)
    life.rest()
    return number, fork


def test_an_approving_review_of_a_fork_comes_through_the_intake(place: Place) -> None:
    number, _ = from_fork(place)
    place.life.at("owner-nv").review(number, "APPROVE", place.sheet("owner-nv"))
    place.life.rest()
    [run] = place.life.runs("review-intake")
    assert (run.conclusion, run.fork, run.title.split()[:2]) == ("success", True, [f"#{number}", "submitted"])
    [verdict] = place.verdicts(number)
    assert "<!-- infx:signoff review " in verdict
    assert "FAIL **sweep-green**" in verdict


def test_the_schedule_finds_what_a_conflict_kept_from_being_told(place: Place) -> None:
    life, number = place.life, place.propose()
    place.measured(number)
    changelog = place.tree["perf-changelog.yaml"] + b"# elsewhere\n"
    life.mia.push("main", {"perf-changelog.yaml": changelog}, message="In the way")
    life.rest()
    life.at("owner-nv").review(number, "APPROVE", place.sheet("owner-nv"))
    life.rest()
    assert (life.runs("review-intake"), place.verdicts(number)) == ([], [])
    life.forge.schedule(NAME, SIGNOFF, cron="41 * * * *")
    life.rest()
    [verdict] = place.verdicts(number)
    assert "<!-- infx:signoff review " in verdict
    assert place.status(number)[0] == "success"
