"""Pull requests from forks: a label measures exactly the head that was seen, and that counts to the end."""

from collections.abc import Callable
from pathlib import Path

import pytest

from infx.ledger import Ledger
from tests.lives.maintainer import Maintainer
from tests.lives.project import CHANGELOG
from tests.lives.world import FAST, KEY, NAME, Life, change, small

pytestmark = [pytest.mark.act, pytest.mark.clients]


def from_fork(life: Life) -> int:
    """Opened by fred, who has no rights in the repository; somebody approved fred's runs before."""
    life.forge.user("fred")
    life.forge.configure(NAME, approval="none")
    fork = life.forge.at(life.at("fred").fork(), "fred")
    fork.push("change", change(life.tree, KEY), message="Change")
    number = life.at("fred").open_pull("fred:change", title="Longer prompts")
    life.rest()
    return number


def test_a_label_approves_one_head_of_a_fork_whose_results_are_published(
    live: Callable[..., Life], tmp_path: Path
) -> None:
    life = live(small({KEY: [1, 2]}))
    number = from_fork(life)
    assert life.sweeps() == []
    run = approved(life, number)
    life.at("fred").push_to_pull(number, {"README.md": "more\n"}, message="More")
    life.rest()
    assert len(life.sweeps()) == 1
    assert "needs approval" in life.status(number)
    comment = used(life, number, run)
    me = Maintainer(life, tmp_path / "clone")
    merged(life, me, number)
    published_once(me, number, life.ledger(run), comment=comment)


def approved(life: Life, number: int) -> int:
    """The sweep that a label started, of the head that the label was put on."""
    life.mia.label(number, FAST)
    life.rest()
    [run] = life.sweeps()
    head = life.mia.pull(number)["head"]["sha"]
    assert (run.event, life.plan(run.id).head_sha, run.conclusion) == ("workflow_dispatch", head, "success")
    assert life.states(run.id) == {"C1": "valid", "C2": "valid"}
    assert f"Sweep of {head[:7]}: 2 of 2 points valid" in life.status(number)
    return run.id


def used(life: Life, number: int, run: int) -> int:
    """The comment that authorises the run: the later push changed no point, so it stands for the new head."""
    comment = life.mia.comment(number, f"/use {run}")
    life.rest()
    head = life.mia.pull(number)["head"]["sha"]
    told = f"main will publish 2 of 2 points from run {run}"
    assert life.github.statuses(head)["infx/merge-readiness"] == ("success", told)
    return comment


def merged(life: Life, me: Maintainer, number: int) -> None:
    """Nothing is pushed to a fork: its author writes the lines that `infx merge` prints; then it merges."""
    words = ("merge", str(number), "--poll", "0.5", "--wait", "5")
    code, lines, said = me.infx(*words)
    assert (code, "fork-changelog" in said) == (1, True), said
    mended = life.tree[CHANGELOG] + lines.encode()
    life.at("fred").push_to_pull(number, {CHANGELOG: mended}, message="Link")
    life.rest()
    code, out, said = me.infx(*words)
    assert (code, out.startswith("done: ")) == (0, True), said
    life.rest()
    assert len(life.sweeps()) == 1


def published_once(me: Maintainer, number: int, ledger: Ledger, *, comment: int) -> None:
    """Rows of the fork's run are on main, each with where it comes from."""
    found = me.audit()
    assert (found["exit"], found["kind"]) == (0, "complete"), found
    [entry] = found["details"]["entries"]
    rows = me.rows(entry["commit"])
    measured = {one.point: one for one in ledger.entries}
    assert rows.keys() == measured.keys()
    for point, row in rows.items():
        was = measured[point]
        assert (row["pr"], row["run"], row["sha"]) == (number, ledger.run_id, ledger.head_sha)
        assert (row["node"], row["attempt"], row["match"]) == (was.node, 1, "equal")
        assert (row["authorisation"]["comment"], row["authorisation"]["by"]) == (comment, "mia")
        assert row["fingerprint"] == row["planned"]
        assert row["row"]["tput_per_gpu"] > 0
