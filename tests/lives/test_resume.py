"""A sweep with failures is resumed: exactly what is missing is measured, and two runs stand together."""

from collections.abc import Callable
from pathlib import Path

import pytest

from infx.forge import issues
from infx.matrix.split import ACCEPTED
from infx.source import CONTEXT
from tests.lives.world import ENABLED, KEY, SCRIPT, Life, change, small

pytestmark = [pytest.mark.act, pytest.mark.clients]
LOADS = list(range(1, 10))
VALID = [f"C{load}" for load in LOADS[:5]]
REST = [f"C{load}" for load in LOADS[5:]]


def interrupted(life: Life, mark: Path, *, least: int = 6) -> int:
    """A pull request whose sweep of nine points ends with five: the others, from concurrency `least` on, fail
    until `mark` is there."""
    before, exec_, after = life.tree[SCRIPT].decode().partition("exec ")
    guard = f'[ "$CONC" -lt {least} ] || [ -e {mark} ] || exit 3\n'
    number = life.propose({**change(life.tree, KEY), SCRIPT: before + guard + exec_ + after}, ENABLED)
    life.rest(limit_s=400)
    return number


def readiness(life: Life, number: int) -> tuple[str, str]:
    return life.github.statuses(life.mia.pull(number)["head"]["sha"])[CONTEXT]


def test_resume_measures_the_missing_four_and_both_runs_are_published(
    live: Callable[..., Life], tmp_path: Path
) -> None:
    life = live(small({KEY: LOADS}))
    number = interrupted(life, tmp_path / "mark")
    [first] = life.sweeps()
    assert [title for title, state in life.states(first.id).items() if state == "valid"] == VALID
    assert readiness(life, number) == ("failure", "partial 5 of 9: /sweep resume, or pin with /use")
    (tmp_path / "mark").touch()
    life.mia.comment(number, "/sweep resume")
    life.rest(limit_s=400)
    first, second = life.sweeps()
    assert (second.event, second.conclusion) == ("workflow_dispatch", "success")
    assert {name.split()[-1] for name in life.cells(second.id)} == set(REST)
    assert life.states(second.id) == dict.fromkeys(REST, "valid")
    assert [(key.canary, key.why) for key in life.plan(second.id).keys] == [(None, ACCEPTED)]
    assert readiness(life, number) == ("failure", f"nothing authorised: /use {first.id} {second.id}")
    life.mia.comment(number, f"/use {first.id} {second.id}")
    life.rest()
    told = f"main will publish 9 of 9 points from runs {first.id} and {second.id}"
    assert readiness(life, number) == ("success", told)
    hidden_is_withdrawn(life, number)


def hidden_is_withdrawn(life: Life, number: int) -> None:
    """A person hides the comment; the next look at it finds no authorisation any more."""
    row = issues.find(life.mia.at, number)
    said = "SELECT id FROM comments WHERE issue = ? AND body LIKE '/use%'"
    life.forge.site.db.run(f"UPDATE comments SET minimized = 'outdated' WHERE id IN ({said})", row["id"])
    life.mia.comment(number, "/sweep status")
    life.rest()
    assert readiness(life, number)[1].startswith("nothing authorised")


def test_the_label_measures_only_what_is_missing(live: Callable[..., Life], tmp_path: Path) -> None:
    """The plan job looks up what is there with a token that may only read."""
    life = live(small({KEY: [1, 2]}, policy="auto-rerun: 0\n"))
    number = interrupted(life, tmp_path / "mark", least=2)
    (tmp_path / "mark").touch()
    life.mia.label(number, "resume-sweep")
    life.rest(limit_s=300)
    first, second = life.sweeps()
    assert life.states(second.id) == {"C2": "valid"}
    assert [(key.canary, key.why) for key in life.plan(second.id).keys] == [(None, ACCEPTED)]
    assert readiness(life, number) == ("failure", f"nothing authorised: /use {first.id} {second.id}")
