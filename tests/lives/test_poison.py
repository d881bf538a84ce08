"""A runner whose preflight finds what it cannot mend: taken out, asked again, and given back by itself."""

from collections.abc import Callable
from pathlib import Path

import pytest

from infx.poison import Mark
from tests.forge.client import Client
from tests.lives.maintainer import Maintainer
from tests.lives.world import CLUSTERS, FAST, KEY, NAME, Life, change, small
from tests.simulator.files import documents

pytestmark = [pytest.mark.act, pytest.mark.clients]
NODE, POOL, FULL = "local_0", "cluster:local", b"    min_free_gib: 1.0e+9\n"
R = f"/repos/{NAME}"


def test_a_poisoned_runner_swallows_one_cell_and_comes_back_once_it_is_mended(
    live: Callable[..., Life], tmp_path: Path
) -> None:
    """The disk has less room than its record asks for, and later enough."""
    tree = small({KEY: [1, 2]}, policy="digest-issue: 1\n")
    full = tree[CLUSTERS].replace(b"    power: false\n", b"    power: false\n" + FULL, 1)
    life = live({**tree, CLUSTERS: full}, clusters=1)
    admin = Client(life.forge.api, life.forge.user("olga"))
    life.forge.role(NAME, "olga", "admin")
    life.forge.setting(NAME, "secret", "INFX_RUNNERS_TOKEN", value=life.forge.user("olga"))
    assert admin("POST", f"{R}/issues", {"title": "Runners"}).json["number"] == 1
    number = life.propose(change(tree, KEY), FAST)
    life.rest()
    [sweep] = life.sweeps()
    assert life.states(sweep.id)["C1"] == "invalid(runner-poisoned)"
    assert "invalid(runner-poisoned)" in life.status(number)
    me = Maintainer(life, tmp_path / "clone")
    assert tended(life, admin, me) == (["infx-probe-local_0"], True, "failure")
    assert f"`{NODE}` (`{POOL}`) **poisoned**: its preflight in run {sweep.id} found" in digest(admin)
    life.mia.push("main", {CLUSTERS: full.replace(FULL, b"")}, message="Enough room")
    life.rest()
    assert tended(life, admin, me) == ([POOL], False, "success")


def tended(life: Life, admin: Client, me: Maintainer) -> tuple[list[str], bool, str | None]:
    """One run of `operators`: labels of the node after it, whether its mark stands, what the probe found."""
    life.forge.schedule(NAME, "operators.yml", cron=documents()["operators"]["on"]["schedule"][0]["cron"])
    life.rest()
    run = life.runs("operators")[-1].id
    jobs = {job.name: job.conclusion for job in life.jobs(run)}
    assert (jobs["digest"], jobs["admit"]) == ("success", "success"), jobs
    listed = {one["name"]: one for one in admin("GET", f"{R}/actions/runners").json["runners"]}
    labels = [one["name"] for one in listed[NODE]["labels"] if one["type"] == "custom"]
    mark = Mark.from_json(me.records("poisoned.jsonl")[NODE])
    return labels, mark.standing, jobs[f"probe {NODE}"]


def digest(admin: Client) -> str:
    (comment,) = admin("GET", f"{R}/issues/1/comments").json
    return str(comment["body"])
