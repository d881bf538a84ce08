"""What authorised results say about a head, as the push path and the status see it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infx.commands.resume import accepted_at
from infx.draft import draft
from infx.event import Title
from infx.facts import Reuse
from infx.jobs.readiness import number_of
from infx.matrix.split import ACCEPTED
from infx.read.place import At
from infx.source import CONTEXT
from infx.status import ended, facts, reuse, show
from tests.builders import FULL
from tests.jobs.test_comment import say
from tests.repo import FOLDER, Repo
from tests.sweeping import ANSWERING, Life

TITLE = f"#9 opened {'a' * 40} {'b' * 40} [] {{}}"


@pytest.fixture
def life(tmp_path: Path) -> Life:
    made = Life(Repo(tmp_path))
    made.push()
    made.hub.roles["mia"] = "write"
    made.sweep(500, made.plan.points)
    return made


def merge_main(life: Life) -> None:
    life.repo.git("checkout", "-q", "main")
    life.repo.commit({"benchmarks/lib.sh": "echo main\n"})
    life.repo.git("checkout", "-q", "topic")
    life.repo.git("merge", "-q", "main", "-m", "merge main")


def rebase(life: Life) -> None:
    life.repo.git("commit", "-q", "--amend", "-m", "other words")


def change_script(life: Life) -> None:
    life.push({f"{FOLDER}/m1_fp8_h200.sh": ". benchmarks/lib.sh\nexec new\n"})


@pytest.mark.parametrize(
    ("push", "answer"),
    [
        pytest.param(merge_main, Reuse.COVERS, id="C68"),
        pytest.param(rebase, Reuse.COVERS, id="C73"),
        pytest.param(change_script, Reuse.DOES_NOT_COVER, id="C77"),
    ],
)
def test_a_push_keeps_or_voids_what_was_authorised(
    life: Life, push: Callable[[Life], None], answer: Reuse
) -> None:
    say(life, "/use 500")
    assert reuse(life.desk) == Reuse.COVERS
    push(life)
    assert reuse(life.desk) == answer
    assert (show(life.desk).extra["state"] == "success") == (answer == Reuse.COVERS)


def test_nothing_authorised_or_withdrawn_is_no_reuse(life: Life) -> None:
    assert reuse(life.desk) == Reuse.NONE
    say(life, "/use 500")
    say(life, "/use none")
    assert reuse(life.desk) == Reuse.NONE


def test_what_is_held_needs_no_artifact_any_more(life: Life) -> None:
    say(life, "/use 500")
    life.hub.files.clear()
    life.hub.owners.clear()
    life.hub.calls.clear()
    assert reuse(life.desk) == Reuse.COVERS
    assert [call for call in life.hub.calls if "artifact" in call] == [f"GET artifacts {ANSWERING}"]


def test_what_could_not_be_looked_at_covers_nothing(life: Life) -> None:
    say(life, "/use 500")
    life.hub.down.add("ledger")
    life.hub.known[500] = replace(life.hub.known[500], attempt=2)
    assert reuse(life.desk) == Reuse.DOES_NOT_COVER
    assert show(life.desk).extra["state"] == "error"


def test_the_status_is_written_only_when_it_changes(life: Life) -> None:
    show(life.desk)
    life.hub.calls.clear()
    show(life.desk)
    assert life.hub.writes == []
    assert life.hub.shown[life.pull.head_sha, CONTEXT][0] == "failure"


def test_a_resumed_sweep_plans_what_the_command_left_it(life: Life) -> None:
    whole = life.plan
    del life.hub.known[500]
    life.sweep(501, whole.points[:5], failed=whole.points[5:6])
    say(life, "/sweep resume")
    sent = life.hub.dispatched[0]
    title = Title(pr=7, action="resume", head_sha=sent["head-sha"], base_sha=sent["merge-base"])
    change = replace(life.desk.sources.change, labels=(FULL, "resume-sweep"))
    rest = draft(change, accepted=accepted_at(life.store, title)).plan
    assert [one.id for one in rest.points] == [one.id for one in whole.points[5:]]
    assert [(key.canary, key.why) for key in rest.keys] == [(None, ACCEPTED)]
    life.sweep(502, rest.points, plan=rest)
    say(life, "/use 501 502")
    assert show(life.desk).reason == "main will publish 9 of 9 points from runs 501 and 502"


@pytest.mark.parametrize("action", ["labeled", "synchronize"])
def test_after_a_sweep_that_the_label_shortened_every_run_is_looked_into(life: Life, action: str) -> None:
    whole = life.plan
    del life.hub.known[500]
    life.sweep(501, whole.points[:5])
    keys = (replace(whole.keys[0], canary=None, candidates=()),)
    rest = replace(whole, points=whole.points[5:], keys=keys)
    run = life.sweep(502, rest.points, plan=rest)
    labels = frozenset({FULL, "resume-sweep"})
    title = Title(pr=7, action=action, head_sha=run.head_sha, base_sha=whole.merge_base, labels=labels)
    life.hub.known[502] = replace(run, title=title)
    assert ended(life.desk, life.hub.known[502], began=False).reason == "nothing authorised: /use 501 502"


def test_a_head_without_a_record_leaves_nothing_out(life: Life) -> None:
    assert accepted_at(life.store, Title(pr=7, action="resume", head_sha="a" * 40, base_sha="b" * 40)) == ()


def test_a_busy_pull_request_costs_few_requests(life: Life) -> None:
    for number in range(501, 512):
        life.sweep(number, life.plan.points)
    for number in range(512, 540):
        run = life.sweep(number, ())
        life.hub.files, life.hub.owners = life.hub.files[:-2], life.hub.owners[:-2]
        assert run.id == number
    life.hub.calls.clear()
    say(life, "/use 511")
    assert len(life.hub.calls) <= 40


@pytest.mark.parametrize(
    ("event", "number"),
    [
        ({"pull_request": {"number": 7}}, 7),
        ({"issue": {"number": 8}}, 8),
        ({"commits": []}, None),
        ({"workflow_run": {"id": 1, "head_sha": "a", "display_title": TITLE}}, 9),
    ],
)
def test_the_event_names_the_pull_request(event: dict[str, Any], number: int | None) -> None:
    assert number_of(At(event, "event")) == number


def test_facts_of_readiness_name_the_running_sweep(life: Life) -> None:
    assert facts(life.desk).sweeping is None
    run = life.hub.known[500]
    life.hub.known[501] = replace(run, id=501, status="in_progress")
    assert facts(life.desk).sweeping == 501
