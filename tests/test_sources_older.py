"""Runs of older tooling: no plan, no ledger, no title of ours. What they published counts all the same."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infx.decision import Decision
from infx.edge import store
from infx.errors import CouldNotTell
from infx.event import LabelChange, Run
from infx.facts import Answer
from infx.plan import Plan
from infx.point import Point
from infx.policy import source
from infx.source import Authorisation, Kind
from infx.status import desk_of
from tests.builders import FULL, REPO
from tests.jobs.test_comment import replies, say
from tests.joining import LOG, LONGER, M1, Office, entry, office
from tests.joining import SWEEP as WORKFLOW
from tests.mainline import Mainline
from tests.repo import FOLDER, Repo
from tests.results.test_older import row
from tests.sources import use
from tests.sweeping import RULES, SWEEP, Life
from tests.town import plant

SET = LabelChange(at="2026-06-01T00:00:00Z", label=FULL, on=True)
CREATED = "2026-06-02T00:00:00Z"


def published(life: Life, number: int, points: Iterable[Point], **fields: Any) -> Run:
    """A run that left its aggregates, and a name that says nothing."""
    run = Run(
        id=number,
        path=SWEEP,
        conclusion="success",
        head_sha=life.pull.head_sha,
        head_branch="topic",
        head_repo=REPO,
        pr=7,
        created_at=CREATED,
    )
    life.hub.known[number] = replace(run, **fields)
    rows(life, number, [row(point) for point in points])
    return life.hub.known[number]


def rows(life: Life, number: int, found: object, name: str = "results_bmk") -> None:
    life.hub.upload(name, {"results_bmk": "agg_bmk.json"}.get(name, "agg_eval_all.json"), found)
    life.hub.owners.append(number)


@pytest.fixture
def life(tmp_path: Path) -> Life:
    made = Life(Repo(tmp_path))
    made.push()
    made.hub.roles |= {"mia": "write", "max": "maintain"}
    made.hub.labelled = [SET]
    return made


def decided(life: Life, *asked: Authorisation, everything: bool = False) -> Decision:
    return source.decide(life.sources.facts(asked, everything=everything), RULES)


def test_a_run_without_a_plan_counts_and_is_marked(life: Life) -> None:
    published(life, 400, life.plan.points)
    got = decided(life, use(400))
    assert (got.kind, got.reason) == (Kind.COVERS, "main will publish 9 of 9 points from run 400")
    assert got.details["legacy"] == [400]
    assert "run 400 recorded no plan (legacy)" in got.details["warnings"]


def test_a_bare_command_finds_it(life: Life) -> None:
    published(life, 400, life.plan.points)
    assert decided(life, use(chosen=True)).extra["runs"] == [400]


def test_it_is_united_with_a_run_of_ours_and_resume_leaves_its_points_out(life: Life) -> None:
    points = life.plan.points
    published(life, 400, points[:5])
    life.sweep(501, points[5:])
    assert decided(life, use(400, 501)).reason == "main will publish 9 of 9 points from runs 400 and 501"
    assert decided(life, everything=True).details["available"]["runs"] == [400, 501]


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        ([SET], Kind.COVERS),
        ([], Kind.LEGACY_LABELS),
        ([replace(SET, at="2026-06-03T00:00:00Z")], Kind.LEGACY_LABELS),
        ([SET, replace(SET, label="agentx-fast")], Kind.LEGACY_LABELS),
        ([SET, replace(SET, label="agentx-fast"), replace(SET, label="agentx-fast", on=False)], Kind.COVERS),
        ([SET, replace(SET, label="full-sweep-fail-fast")], Kind.LEGACY_LABELS),
        ([SET, replace(SET, at="2026-06-03T00:00:00Z", on=False)], Kind.COVERS),
    ],
)
def test_its_labels_are_those_at_its_creation(life: Life, labels: list[LabelChange], kind: Kind) -> None:
    life.hub.labelled = labels
    published(life, 400, life.plan.points)
    assert decided(life, use(400)).kind == kind


def test_its_commit_has_to_be_in_the_pull_request(life: Life) -> None:
    published(life, 400, life.plan.points)
    life.repo.git("commit", "-q", "--amend", "-m", "other words")
    assert decided(life, use(400)).kind == Kind.LEGACY_HEAD


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("README.md", Kind.COVERS),
        (f"{FOLDER}/m2_fp8_h200.sh", Kind.COVERS),
        (f"{FOLDER}/m1_fp8_h200.sh", Kind.CHANGED),
        ("benchmarks/lib.sh", Kind.CHANGED),
    ],
)
def test_no_file_of_the_point_may_have_changed_since(life: Life, path: str, kind: Kind) -> None:
    published(life, 400, life.plan.points)
    life.push({path: "exec new\n"})
    got = decided(life, use(400))
    assert got.kind == kind
    assert got.go or path in got.reason


def test_nor_a_shared_file_that_the_target_changed(life: Life) -> None:
    """What was shared then is not on record, so that base drift is none; a person may still accept it."""
    published(life, 400, life.plan.points)
    life.repo.git("checkout", "-q", "main")
    life.repo.commit({"benchmarks/lib.sh": "echo main\n"})
    life.repo.git("checkout", "-q", "topic")
    life.repo.git("merge", "-q", "main", "-m", "merge main")
    assert decided(life, use(400)).kind == Kind.CHANGED
    accepted = use(400, accept_changed=True, may_accept_changed=Answer.YES)
    assert decided(life, accepted).kind == Kind.COVERS


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({}, True),
        ({"hw": "H200-DGXC", "dp_attention": "false"}, True),
        ({"conc": 3}, False),
        ({"tp": 4}, False),
        ({"precision": "fp4"}, False),
        ({"isl": 8192}, False),
        ({"image": "repo/engine:0"}, False),
        ({"tput_per_gpu": 0}, False),
        ({"tput_per_gpu": "10"}, False),
        ({"tput_per_gpu": None}, False),
    ],
)
def test_a_row_is_of_the_point_whose_fields_it_has(life: Life, changes: Any, counts: bool) -> None:
    first = life.plan.points[0]
    published(life, 400, ())
    life.hub.files.clear()
    life.hub.owners.clear()
    rows(life, 400, [row(first, **changes)])
    assert decided(life, use(400)).go == counts


@pytest.mark.parametrize("document", [{}, ["x"], None, [[]], "rows"])
def test_broken_aggregates_make_the_run_unreadable(life: Life, document: object) -> None:
    published(life, 400, life.plan.points)
    life.hub.files.clear()
    life.hub.owners.clear()
    rows(life, 400, document)
    assert decided(life, use(400)).kind == Kind.UNREADABLE


def test_aggregates_that_cannot_be_fetched_are_could_not_tell(life: Life) -> None:
    published(life, 400, life.plan.points)
    life.hub.down.add("results_bmk")
    assert decided(life, use(400)).kind == Kind.COULD_NOT_TELL


def test_labels_that_cannot_be_looked_up_are_could_not_tell(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(number: int) -> list[LabelChange]:
        raise CouldNotTell("GitHub answers 502")

    published(life, 400, life.plan.points)
    with monkeypatch.context() as fault:
        fault.setattr(life.hub, "label_changes", down)
        assert decided(life, use(400)).kind == Kind.COULD_NOT_TELL
    assert decided(life, use(400)).kind == Kind.COVERS


def test_a_commit_that_makes_no_plan_is_told(life: Life) -> None:
    published(life, 400, life.plan.points, head_sha=life.push({"configs/nvidia-master.yaml": "m1: ["}))
    life.repo.git("revert", "--no-edit", "HEAD")
    got = decided(life, use(400))
    assert (got.kind, "it recorded no plan, and its commit makes none" in got.reason) == (
        Kind.UNREADABLE,
        True,
    )


def test_a_run_of_ours_that_lost_its_plan_counts_when_it_is_named(life: Life) -> None:
    ours = life.sweep(500, life.plan.points)
    life.hub.files.clear()
    life.hub.owners.clear()
    rows(life, 500, [row(one) for one in life.plan.points])
    life.hub.known[500] = replace(ours, created_at=CREATED)
    assert decided(life, use(500)).details["legacy"] == [500]


def test_many_such_runs_cost_a_few_requests(life: Life) -> None:
    for number in range(400, 430):
        published(life, number, life.plan.points[:2])
    life.hub.calls.clear()
    assert decided(life, everything=True).details["available"]["runs"] == [429]
    assert len([one for one in life.hub.calls if "artifacts" in one]) <= 3


def test_it_is_staged_authorised_held_and_published(life: Life) -> None:
    """After the merge GitHub names no pull request of it any more, and its artifacts may have ended."""
    line = Mainline(life)
    published(life, 400, life.plan.points)
    assert say(life, "/stage-results 400") == 0
    assert "@mia staged run 400." in replies(life)[-1]
    assert say(life, "/use 400") == 0
    assert life.store.read(store.held(400))["older"] == {"labels": [FULL]}
    life.hub.files.clear()
    life.hub.owners.clear()
    before = line.tip
    commit = line.squash()
    life.hub.known[400] = replace(life.hub.known[400], pr=None)
    [outcome] = line.push(before)
    assert (outcome.decision.kind, len(line.rows(commit))) == ("published", 9)
    assert {one["run"] for one in line.rows(commit).values()} == {400}


# -- over HTTP


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Office]:
    made = office(tmp_path)
    yield made
    made.forge.close()


def planted(at: Office, number: int, found: list[dict[str, Any]]) -> int:
    """A run of the sweep workflow as older tooling left it."""
    head = at.will.pull(number)["head"]
    run = at.ran(WORKFLOW, head["sha"], branch=head["ref"], title="Update configs", pulls=(number,))
    plant(at.forge, run, "results_bmk", {"agg_bmk.json": json.dumps(found)})
    return run.id


@pytest.mark.forge
def test_over_http_a_run_without_a_plan_is_explained_used_and_merged(at: Office) -> None:
    number = at.propose({**LONGER, LOG: at.tree("origin/main", LOG) + entry(M1, "XXX")})
    at.mia.label(number, FULL)
    at.git("fetch", "-q", "origin", f"refs/pull/{number}/head")
    points = wanted(at, number).points
    run = planted(at, number, [row(one) for one in points])
    assert at.command("explain", "source", "--pr", str(number)) == 1
    assert (
        at.out.getvalue().splitlines()[-1]
        == f"  run {run}: nothing-authorised: nothing authorised: /use <run_id>"
    )
    assert f"runs {run}, coverage points have {len(points)}, of {len(points)}" in at.out.getvalue()
    assert at.say(number, f"/use {run}") == 0
    assert at.command("explain", "source", "--pr", str(number), "--json") == 0
    answer = json.loads(at.out.getvalue())
    assert (answer["kind"], answer["runs"], answer["details"]["legacy"]) == ("covers", [run], [run])
    assert at.merge(number) == "merged"


def wanted(at: Office, number: int) -> Plan:
    made: Plan = desk_of(at.github(), RULES, at.world(), number).sources.wanted
    return made
