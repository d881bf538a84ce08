"""The plan job of a sweep: what the label `resume-sweep` leaves out."""

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infx.decision import Decision
from infx.edge.world import World
from infx.errors import CouldNotTell
from infx.event import Webhook
from infx.facts import Facts
from infx.jobs.decide import Sweep
from infx.plan import Plan
from infx.redraw import redraw
from tests.builders import FULL, REPO
from tests.repo import Repo
from tests.sweeping import RULES, Life

RESUME = "resume-sweep"
QUIET = replace(RULES, registries={})


@pytest.fixture
def life(tmp_path: Path) -> Life:
    made = Life(Repo(tmp_path))
    made.push()
    return made


def planned(life: Life, *labels: str) -> tuple[Decision, Plan | None]:
    """A label was added, and the plan job of its run answers."""
    env = {"GITHUB_REPOSITORY": "o/r", "GITHUB_TOKEN": "t", "GITHUB_RUN_ID": "600"}
    pull = replace(life.pull, labels=labels)
    webhook = Webhook(name="pull_request", action="labeled", label=labels[-1], repository=REPO, pull=pull)
    sweep = Sweep(World(env=env, cwd=life.repo.root, out=io.StringIO(), err=io.StringIO()), webhook)
    hub: Any = life.hub
    sweep.github, sweep.branch = hub, "main"
    assert webhook.title is not None
    assert life.store.remote == "origin"
    return sweep.planned(Facts(webhook=webhook, run_id=600), webhook.title, rules=QUIET, recorded=None)


def test_the_label_plans_exactly_the_missing_points_and_no_canary(life: Life) -> None:
    """Nine points of one key, five accepted, one attempt failed: four are measured, at once."""
    points = life.plan.points
    life.sweep(500, points[:5], failed=points[5:6])
    decision, made = planned(life, FULL, RESUME)
    assert (decision.kind, made is not None) == ("start", True)
    assert made is not None
    assert [one.title for one in made.points] == [one.title for one in points[5:]]
    assert [key.canary for key in made.keys] == [None]


def test_without_the_label_everything_is_measured(life: Life) -> None:
    life.sweep(500, life.plan.points[:5])
    made = planned(life, FULL)[1]
    assert made is not None
    assert len(made.points) == 9


def test_nothing_missing_starts_nothing_and_says_so(life: Life) -> None:
    life.sweep(500, life.plan.points)
    decision, made = planned(life, FULL, RESUME)
    assert (decision.go, decision.kind, made) == (False, "nothing-to-run", None)


def test_what_cannot_be_looked_up_is_not_measured_once_more(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(*words: object, **more: object) -> Any:
        raise CouldNotTell("GitHub answers 502")

    monkeypatch.setattr(life.hub, "runs", down)
    with pytest.raises(CouldNotTell, match="what is there already is not known: GitHub answers 502"):
        planned(life, FULL, RESUME)


def test_such_a_plan_is_read_and_not_made_again(life: Life) -> None:
    pull = replace(life.pull, labels=(FULL, RESUME))
    title = Webhook(name="pull_request", action="labeled", label=RESUME, repository=REPO, pull=pull).title
    assert redraw(life.desk.git, QUIET, title, REPO) is None
