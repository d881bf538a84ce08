"""The whole life of one pull request: failures, resume, /use of both runs, merge, ingest, audit."""

from collections.abc import Callable
from pathlib import Path

import pytest

from infx.edge.git import Git
from infx.edge.store import Store, published
from tests.lives.maintainer import Maintainer
from tests.lives.world import ENABLED, KEY, NAME, SCRIPT, Life, change, small
from tests.simulator.files import documents

pytestmark = [pytest.mark.act, pytest.mark.clients]
READINESS, PUBLISHED = "infx/merge-readiness", "infx/published"


def head(life: Life, number: int) -> str:
    return life.github.pull(number).head_sha


def once(life: Life, mark: Path) -> dict[str, str | bytes | None]:
    """A change whose C2 finds no memory until the file `mark` is there."""
    before, exec_, after = life.tree[SCRIPT].decode().partition("exec ")
    guard = f'[ "$CONC" != 2 ] || [ -e {mark} ] || {{ touch {mark}; exit 3; }}\n'
    return {**change(life.tree, KEY), SCRIPT: before + guard + exec_ + after}


def test_the_whole_life_of_one_pull_request(live: Callable[..., Life], tmp_path: Path) -> None:
    life = live(small({KEY: [1, 2]}, policy="auto-rerun: 0\n"))
    number = life.propose(once(life, tmp_path / "mark"), ENABLED)
    life.rest(limit_s=300)
    first = life.sweeps()[-1].id
    assert life.states(first) == {"C1": "valid", "C2": "invalid(engine-died-loading)"}
    second = resumed(life, number)
    used(life, number, first, second)
    me = Maintainer(life, tmp_path / "clone")
    moved(life, me, number)
    merged(life, me, number)
    published_once(life, me, number, {first, second})


def resumed(life: Life, number: int) -> int:
    """The missing point alone is measured again, on a machine that works now."""
    life.mia.comment(number, "/sweep resume")
    life.rest(limit_s=300)
    run = life.sweeps()[-1].id
    assert life.states(run) == {"C2": "valid"}
    return run


def used(life: Life, number: int, first: int, second: int) -> None:
    life.mia.comment(number, f"/use {first} {second}")
    life.rest()
    ready(life, number, first, second)


def ready(life: Life, number: int, first: int, second: int) -> None:
    text = f"main will publish 2 of 2 points from runs {first} and {second}"
    assert life.github.statuses(head(life, number))[READINESS] == ("success", text)


def moved(life: Life, me: Maintainer, number: int) -> None:
    """Main goes on and is merged into the branch; then a force-push that only rebases. Nothing is lost, and
    no GPU runs again."""
    sweeps = [run.id for run in life.sweeps()]
    life.mia.push("main", {"README.md": "main went on\n"}, message="Main goes on")
    me.git("fetch", "-q", "origin")
    me.git("checkout", "-q", "change")
    me.git("merge", "-q", "origin/main", "-m", "Merge main [skip-sweep]")
    me.git("push", "-q", "origin", "change")
    life.rest(limit_s=300)
    ready(life, number, *sweeps[-2:])
    me.git("rebase", "-q", "origin/main")
    me.git("push", "-q", "--force", "origin", "change")
    life.rest(limit_s=300)
    ready(life, number, *sweeps[-2:])
    assert [run.id for run in life.sweeps()] == sweeps


def merged(life: Life, me: Maintainer, number: int) -> None:
    """Main went on again, and the entry still has the placeholder: one push mends both, then it merges."""
    life.mia.push("main", {"README.md": "main went on again\n"}, message="Main goes on")
    life.mia.edit(number, title="Longer prompts [skip ci]")
    code, out, said = me.infx("merge", str(number), "--poll", "0.5", "--wait", "5")
    assert code == 0, said
    assert out.startswith("done: ")
    assert ["update" in said, "wait" in said, "merged as" in said] == [True] * 3
    assert me.infx("merge", str(number))[0] == 0
    life.rest(limit_s=300)


def published_once(life: Life, me: Maintainer, number: int, runs: set[int]) -> None:
    found = me.audit()
    assert (found["exit"], found["kind"]) == (0, "complete"), found
    me.git("fetch", "-q", "origin")
    [entry] = found["details"]["entries"]
    commit = entry["commit"]
    assert commit == me.git("rev-parse", "origin/main")
    message = me.git("log", "-1", "--format=%B", commit)
    assert message.startswith(f"Longer prompts (#{number})")
    assert "skip" not in message
    rows = me.rows(commit)
    assert {row["run"] for row in rows.values()} == runs
    assert sorted(row["row"]["conc"] for row in rows.values()) == [1, 2]
    assert life.github.statuses(commit)[PUBLISHED][0] == "success"
    [ingest] = [run for run in life.runs("ingest") if run.head_sha == commit]
    assert {"changelog-metadata", "results_bmk", "facts"} <= life.artifacts(ingest.id)
    metadata = life.json(ingest.id, "changelog-metadata", "changelog_metadata.json")
    assert [one["pr-link"] for one in metadata["entries"]] == [f"https://github.com/{NAME}/pull/{number}"]
    assert {run.conclusion for name in ("ingest", "audit") for run in life.runs(name)} == {"success"}


FAULTS = (
    "error_before GET */pulls/* times=2",
    "error_before GET */actions/workflows/*/runs",
    "lost POST */statuses/*",
    "broken_page GET */actions/runs/*",
    "secondary_limit GET */collaborators/*/permission seconds=1",
    "error_after POST */graphql",
)


def test_a_push_that_nobody_looked_at_is_found_and_recovered(
    live: Callable[..., Life], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Merged by the button with GitHub's own skip word in the title: nothing runs on main. The recovery meets
    every fault that GitHub has, and publishes once."""
    monkeypatch.setattr("infx.recover.POLL_S", 0.5)
    life = live(small({KEY: [1]}))
    number = life.propose(change(life.tree, KEY), ENABLED)
    life.rest()
    life.mia.comment(number, f"/use {life.sweeps()[-1].id}")
    life.mia.edit(number, title="Longer prompts [skip ci]")
    life.rest()
    life.mia.merge(number, method="squash")
    life.rest()
    assert life.runs("ingest") == []
    life.forge.schedule(NAME, "audit.yml", cron=documents()["audit"]["on"]["schedule"][0]["cron"])
    life.rest()
    assert [run.conclusion for run in life.runs("audit")] == ["failure"]
    me = Maintainer(life, tmp_path / "clone")
    assert (me.audit()["kind"], me.audit()["exit"]) == ("no-push-run", 1)
    recovered(life, me)
    life.forge.site.faults.clear()
    found = me.audit()
    assert (found["exit"], found["kind"], [one["rows"] for one in found["details"]["entries"]]) == (
        0,
        "complete",
        [1],
    )
    commit = found["details"]["entries"][0]["commit"]
    store = Store(git=Git(me.folder), branch="infx-results")
    assert len(store.history(published(commit))) == 1
    assert life.github.statuses(commit)[PUBLISHED][0] == "success"


def recovered(life: Life, me: Maintainer) -> None:
    """Started twice, by a person who may; the second finds nothing to do."""
    rules = [life.forge.fault(text) for text in FAULTS]
    code, out, said = me.infx("ingest", "recover")
    assert code == 0, said
    assert out.endswith("published what was missed\n")
    life.rest()
    assert [text for text, rule in zip(FAULTS, rules, strict=True) if not rule.hits] == []
    assert me.infx("ingest", "recover")[0] == 0
    life.rest()
    assert [run.conclusion for run in life.runs("ingest")] == ["success", "success"]
    assert life.runs("audit")[-1].conclusion == "success"
