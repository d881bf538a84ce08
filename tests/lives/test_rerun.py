"""Re-runs: the recorded plan once more, or a clear no; the newest attempt of a point counts."""

from collections.abc import Callable
from pathlib import Path

import pytest

from infx.forge.ports import Run
from tests.lives.world import BARE, ENABLED, KEY, SCRIPT, Life, change, small

pytestmark = [pytest.mark.act, pytest.mark.clients]


@pytest.fixture
def life(live: Callable[..., Life]) -> Life:
    return live(small({KEY: [1, 2]}))


def fails_once(life: Life, mark: Path) -> tuple[int, Run]:
    """A sweep whose C2 finds no memory until the file `mark` is there."""
    before, exec_, after = life.tree[SCRIPT].decode().partition("exec ")
    guard = f'[ "$CONC" != 2 ] || [ -e {mark} ] || {{ touch {mark}; exit 3; }}\n'
    number = life.propose({**change(life.tree, KEY), SCRIPT: before + guard + exec_ + after}, BARE)
    life.rest()
    [run] = life.sweeps()
    assert life.states(run.id) == {"C1": "valid", "C2": "invalid(engine-died-loading)"}
    return number, run


def test_a_rerun_of_failed_jobs_repairs_the_ledger(life: Life, tmp_path: Path) -> None:
    number, run = fails_once(life, tmp_path / "mark")
    life.forge.engine.rerun(run.id, failed_only=True, actor="mia")
    life.rest()
    assert life.states(run.id) == {"C1": "valid", "C2": "valid"}
    assert [entry.attempt for entry in life.ledger(run.id).entries] == [1, 2]
    assert "2 of 2 points valid" in life.status(number)


def test_a_rerun_of_all_jobs_repeats_the_recorded_plan(life: Life, tmp_path: Path) -> None:
    _, run = fails_once(life, tmp_path / "mark")
    plan = life.plan(run.id)
    life.forge.engine.rerun(run.id, failed_only=False, actor="mia")
    life.rest()
    assert life.plan(run.id) == plan
    assert life.states(run.id) == {"C1": "valid", "C2": "valid"}
    assert [entry.attempt for entry in life.ledger(run.id).entries] == [2, 2]


@pytest.mark.parametrize("what", ["head", "label"])
def test_a_rerun_that_came_too_late_is_refused(life: Life, tmp_path: Path, what: str) -> None:
    number, run = fails_once(life, tmp_path / "mark")
    life.mia.unlabel(number, BARE)
    if what == "head":
        life.mia.push_to_pull(number, {"README.md": "more\n"}, message="More")
    else:
        life.mia.label(number, ENABLED)
    life.rest()
    life.forge.engine.rerun(run.id, failed_only=False, actor="mia")
    life.rest()
    assert life.store.run(run.id).conclusion == "failure"
    assert life.cells(run.id) == {}
    assert "cannot repeat its plan" in life.log(life.job(run.id, "plan"))
