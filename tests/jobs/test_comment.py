"""Commands in comments: each gets exactly one outcome, recorded before it is told."""

import io
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from infx.commands import stage
from infx.edge import store
from infx.edge.world import World
from infx.errors import CouldNotReport
from infx.event import Artifact, Comment, Run, Title
from infx.handled import Handled, text_digest
from infx.jobs.comment import Clerk
from infx.read import noun
from infx.results.selection import Stageable
from infx.source import CONTEXT
from infx.status import show
from tests.builders import FULL
from tests.fakes import BOT
from tests.repo import Repo
from tests.sweeping import ANSWERING, SWEEP, Life
from tests.test_sources import killed


@pytest.fixture
def life(tmp_path: Path) -> Life:
    made = Life(Repo(tmp_path))
    made.push()
    made.hub.roles |= {"mia": "write", "max": "maintain", "tri": "triage", "gone": "?"}
    return made


def wake(life: Life, event: Comment, editor: str = "") -> int:
    """One run of the comment workflow."""
    world = World(env={"GITHUB_RUN_ID": "9"}, cwd=life.repo.root, out=io.StringIO(), err=io.StringIO())
    return Clerk(world=world, desk=life.desk, event=event, editor=editor).work()


def say(life: Life, body: str, author: str = "mia", **fields: Any) -> int:
    return wake(life, life.hub.say(author, body, **fields))


def replies(life: Life) -> list[str]:
    return [one.body for one in life.hub.stored if one.author == BOT]


def records(life: Life) -> list[Handled]:
    return list(life.desk.records)


def status(life: Life) -> tuple[str, str]:
    return life.hub.shown[life.pull.head_sha, CONTEXT]


def test_use_binds_runs_and_says_what_main_will_publish(life: Life) -> None:
    life.sweep(500, life.plan.points)
    assert say(life, "/use 500") == 0
    (record,) = records(life)
    assert (record.go, record.kind, record.runs, record.head_sha) == (
        True,
        "covers",
        (500,),
        life.pull.head_sha,
    )
    assert (len(record.accepted), record.accepted[0].run, record.workflow_run) == (9, 500, 9)
    (reply,) = replies(life)
    assert "@mia staged run 500." in reply
    assert "Coverage: 9 of 9 points." in reply
    assert life.hub.reactions == [(1, "+1")]
    assert status(life) == ("success", "main will publish 9 of 9 points from run 500")


def test_results_are_copied_for_artifacts_end(life: Life) -> None:
    life.sweep(500, life.plan.points)
    say(life, "/use 500")
    held = life.store.read(store.held(500))
    assert held.keys() == {"plan", "ledger"}
    assert {entry["state"] for entry in held["ledger"]["entries"]} == {"valid"}
    assert len(life.store.read(store.preview(500))) == len(held["ledger"]["entries"]) == 9


def test_the_same_event_twice_is_one_outcome(life: Life) -> None:
    life.sweep(500, life.plan.points)
    event = life.hub.say("mia", "/use 500")
    wake(life, event)
    before = list(life.hub.stored)
    wake(life, event)
    assert (life.hub.stored, len(records(life))) == (before, 1)


@pytest.mark.parametrize(
    ("author", "kind", "code"), [("tri", "not-allowed", 0), ("stranger", "not-allowed", 0), ("gone", None, 3)]
)
def test_C113_the_live_role_decides(life: Life, author: str, kind: str | None, code: int) -> None:
    life.sweep(500, life.plan.points)
    assert say(life, "/use 500", author, association="MEMBER") == code
    assert [record.kind for record in records(life)] == ([kind] if kind else [])
    assert status(life) == ("failure", "nothing authorised: /use 500")
    assert life.hub.reactions == [(1, "-1")]


def test_an_editor_must_be_allowed_as_well(life: Life) -> None:
    life.sweep(500, life.plan.points)
    first = life.hub.say("mia", "nice")
    edited = life.hub.edit(first, "/use 500")
    wake(life, edited, editor="tri")
    assert [record.go for record in records(life)] == [False]
    wake(life, life.hub.edit(first, "/use 500 "), editor="max")
    assert [record.go for record in records(life)] == [False, True]


def test_words_that_somebody_changed_since_the_event_are_theirs(life: Life) -> None:
    """The run of the first event finds words that its event does not show."""
    life.sweep(500, life.plan.points)
    event = life.hub.say("max", "/use 500")
    life.hub.edit(event, "/use 500 --accept-changed", editor="tri")
    wake(life, event)
    assert [(record.go, record.editor) for record in records(life)] == [(False, "tri")]


def test_an_edit_whose_own_run_was_dropped_is_answered_by_the_next(life: Life) -> None:
    life.sweep(500, life.plan.points)
    life.hub.edit(life.hub.say("mia", "nice"), "/use 500", editor="tri")
    life.hub.edit(life.hub.say("mia", "nice too"), "/use 500", editor="max")
    say(life, "thanks!")
    assert [(record.go, record.editor) for record in records(life)] == [(False, "tri"), (True, "max")]


@pytest.mark.parametrize("known", [{}, {"IC_1": ("/use 501", "")}], ids=["gone", "changed again"])
def test_words_that_are_others_again_wait_for_their_own_event(
    life: Life, known: dict[str, tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    life.sweep(500, life.plan.points)
    life.hub.edit(life.hub.say("mia", "nice"), "/use 500", editor="max")
    monkeypatch.setattr(life.hub, "written", lambda nodes: known)
    assert say(life, "thanks!") == 0
    assert (records(life), life.hub.reactions) == ([], [])


@pytest.mark.parametrize("change", ["delete", "hide", "edit"])
def test_a_comment_that_is_gone_withdraws(life: Life, change: str) -> None:
    life.sweep(500, life.plan.points)
    event = life.hub.say("mia", "/use 500")
    wake(life, event)
    if change == "delete":
        life.hub.delete_comment(event.id)
    elif change == "hide":
        life.hub.hidden.add(event.id)
    else:
        event = life.hub.edit(event, "never mind")
    wake(life, event, editor="mia")
    assert status(life) == ("failure", "nothing authorised: /use 500")


@pytest.mark.parametrize(
    "fields",
    [
        {"path": ".github/workflows/sweep.yml"},
        {"event": "workflow_dispatch"},
        {"head_branch": "topic"},
        None,
    ],
    ids=str,
)
def test_a_record_is_believed_only_of_the_workflow_that_answers(
    life: Life, fields: dict[str, Any] | None
) -> None:
    life.sweep(500, life.plan.points)
    say(life, "/use 500")
    assert [one.standing for one in life.desk.asked] == [True]
    if fields is None:
        del life.hub.known[ANSWERING]
    else:
        life.hub.known[ANSWERING] = replace(life.hub.known[ANSWERING], **fields)
    assert [one.standing for one in life.desk.asked] == [False]


def artifact(life: Life) -> dict[str, Any]:
    """What the last run of the comment workflow left, uploaded as it is."""
    path = life.repo.root / "infx-out" / "authorisation" / "authorisation.json"
    document: dict[str, Any] = json.loads(path.read_text())
    life.hub.keep(ANSWERING, "authorisation", document)
    return document


def test_a_record_says_what_the_artifact_of_its_run_says(life: Life) -> None:
    life.sweep(500, life.plan.points)
    say(life, "/use 500")
    document = artifact(life)
    assert [one.standing for one in life.desk.asked] == [True]
    [(name, value)] = document["records"].items()
    for forged in ({**value, "runs": [501]}, {**value, "author": "eve"}, {**value, "accept_changed": True}):
        life.store.put({store.authorisations(7): {name: forged}}, why="somebody pushed this")
        assert [one.standing for one in life.desk.asked] == [False]
    assert life.desk.sources.facts(life.desk.asked).current is None
    life.store.put({store.authorisations(7): {name: value}}, why="put back")
    assert [one.standing for one in life.desk.asked] == [True]


def test_a_record_that_names_a_run_which_answered_something_else_is_not_believed(life: Life) -> None:
    life.sweep(500, life.plan.points)
    say(life, "/infx help")
    artifact(life)
    [value] = life.store.read(store.authorisations(7)).values()
    said = life.hub.say("mia", "/use 500")
    record = replace(life.desk.records[0], comment=said.id, node=said.node, digest=text_digest(said.body))
    forged = {**value, **noun.write(record), "topic": "reuse", "words": "/use", "runs": [500]}
    life.store.put({store.authorisations(7): {record.key: forged}}, why="somebody pushed this")
    assert [one.standing for one in life.desk.asked] == [False]


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"records": 7}', b'{"records": {"x": null}}'])
def test_an_artifact_that_cannot_be_read_or_has_ended_takes_nothing_away(life: Life, data: bytes) -> None:
    life.sweep(500, life.plan.points)
    say(life, "/use 500")
    life.hub.files.append(("authorisation", "authorisation.json", data))
    life.hub.owners.append(ANSWERING)
    assert [one.standing for one in life.desk.asked] == [data != b'{"records": {"x": null}}']
    life.hub.files.pop()
    life.hub.owners.pop()
    assert [one.standing for one in life.desk.asked] == [True]


def test_a_second_attempt_keeps_the_records_of_the_first_in_the_artifact(life: Life) -> None:
    life.sweep(500, life.plan.points)
    say(life, "/use 500")
    artifact(life)
    say(life, "/infx help")
    assert len(artifact(life)["records"]) == 2
    assert [one.standing for one in life.desk.asked] == [True]


def test_the_record_says_whose_roles_were_looked_up(life: Life) -> None:
    life.sweep(500, life.plan.points)
    wake(life, life.hub.edit(life.hub.say("mia", "/use 499"), "/use 500", editor="max"), editor="max")
    [record] = records(life)
    assert (record.author, record.role, record.editor, record.editor_role) == (
        "mia",
        "write",
        "max",
        "maintain",
    )


def test_a_resumed_sweep_holds_what_it_takes_over(life: Life) -> None:
    points = life.plan.points
    life.sweep(500, points[:5], failed=points[5:6])
    say(life, "/sweep resume")
    assert life.store.read(store.held(500)).keys() == {"plan", "ledger"}


def test_results_that_end_soon_are_a_warning(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    life.sweep(500, life.plan.points)
    now = datetime(2026, 7, 1, tzinfo=UTC)
    for days, says in (
        (13, "nothing authorised: /use 500; results end 2026-07-14"),
        (15, "nothing authorised: /use 500"),
    ):
        ends = f"{now + timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}"
        monkeypatch.setattr(life.hub, "ends", ends)
        assert show(replace(life.desk, now=now.timestamp())).reason == says


def test_use_none_withdraws(life: Life) -> None:
    life.sweep(500, life.plan.points)
    say(life, "/use 500")
    say(life, "/use none")
    assert status(life) == ("failure", "nothing authorised: /use 500")


def test_C77_a_bare_command_is_bound_at_once(life: Life) -> None:
    life.sweep(500, life.plan.points)
    say(life, "/reuse-sweep-run")
    (record,) = records(life)
    assert (record.runs, record.chosen) == ((500,), True)


def test_C79_of_one_comment_the_last_counts_and_the_others_are_told(life: Life) -> None:
    life.sweep(500, life.plan.points)
    life.sweep(501, life.plan.points)
    say(life, "/use 500\n\nthanks\n\n/use 501")
    assert [record.runs for record in records(life)] == [(501,)]
    assert "Line 1 (`/use`) is superseded." in replies(life)[0]


def test_C79_the_comments_of_the_report_one_after_the_other(life: Life) -> None:
    """Each by somebody of that role; what is quoted, fenced or said in passing is no command."""
    life.hub.roles["col"] = "write"
    for number in (100, 200, 300, 400, 500, 501, 999):
        life.sweep(number, life.plan.points)
    said = [
        ("mia", "/reuse-sweep-run 100", 100),
        ("stranger", "/reuse-sweep-run 999", 100),
        ("col", "you could use /reuse-sweep-run 200 here", 100),
        ("mia", "> /reuse-sweep-run 300", 100),
        ("mia", "```\n/reuse-sweep-run 400\n```", 100),
        ("max", "/reuse-sweep-run 500\nthanks\n/reuse-sweep-run 501", 501),
    ]
    for author, body, pinned in said:
        say(life, body, author)
        assert status(life) == ("success", f"main will publish 9 of 9 points from run {pinned}")
    refused = [record for record in records(life) if not record.go]
    assert [(one.author, one.kind) for one in refused] == [("stranger", "not-allowed")]


def test_C104_a_staged_run_stays_when_another_is_staged_and_the_same_id_updates_its_data(life: Life) -> None:
    for number in (100, 200):
        life.sweep(number, life.plan.points[:2])
    say(life, "/stage-results 100")
    say(life, "/stage-results 200")
    life.sweep(100, life.plan.points[:5])
    life.hub.known[100] = replace(life.hub.known[100], attempt=2)
    say(life, "/stage-results 100")
    assert [len(life.store.read(store.preview(number))) for number in (100, 200)] == [5, 2]
    assert [record.go for record in records(life)] == [True, True, True]


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (["changelog-metadata"], "metadata-only"),
        ([], "empty"),
        (["bmk_1"], "no-metadata"),
        (["-bmk_1", "changelog-metadata"], "expired"),
        (["bmk_1", "changelog-metadata"], "not-collected"),
    ],
)
def test_C103_each_run_that_cannot_be_staged_is_told_what_it_lacks(
    life: Life, monkeypatch: pytest.MonkeyPatch, names: list[str], kind: str
) -> None:
    """Whatever colour the run has: what it left decides, and its list is asked for only then."""
    left = [
        Artifact(id=n, name=name.lstrip("-"), size=1, run_id=5, expired=name[0] == "-")
        for n, name in enumerate(names)
    ]
    monkeypatch.setattr(
        life.hub, "artifacts", lambda run, *, name="": [one for one in left if name in ("", one.name)]
    )
    life.hub.known[5] = Run(id=5, path=SWEEP, pr=7, head_repo=life.hub.repository, conclusion="success")
    assert say(life, "/stage-results 5") == 0
    assert [(record.go, record.kind) for record in records(life)] == [(False, kind)]
    assert f"not done, {kind}: `run 5: {stage.REPAIR[Stageable(kind)]}`" in replies(life)[0]


def test_C103_a_cancelled_run_with_results_is_staged(life: Life) -> None:
    run = life.sweep(30405, life.plan.points[:5])
    life.hub.known[30405] = replace(run, conclusion="cancelled")
    say(life, "/stage-results 30405")
    assert [(record.go, record.kind) for record in records(life)] == [(True, "staged")]
    assert len(life.store.read(store.preview(30405))) == 5
    assert "Coverage: 5 of 9 points." in replies(life)[0]


def test_C103_a_cancelled_run_that_was_never_collected_is_staged_from_its_records(life: Life) -> None:
    killed(life, 30405, 5)
    say(life, "/stage-results 30405")
    assert [(record.go, record.kind) for record in records(life)] == [(True, "staged")]
    assert len(life.store.read(store.preview(30405))) == 5


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("/stage-results 8", "no-such-run"),
        ("/stage-results 9", "foreign-run"),
        ("/stage-results 500", "empty"),
        ("/stage-results", "empty"),
        ("/use 8", "no-such-run"),
        ("/use 9", "other-workflow"),
        ("/use 500", "empty"),
        ("/use 500 --accept-changed", "not-allowed"),
    ],
)
def test_a_refusal_is_recorded_with_its_rule(life: Life, body: str, kind: str) -> None:
    life.sweep(500, ())
    life.hub.files.clear()
    life.hub.owners.clear()
    assert say(life, body) == 0
    assert [(record.go, record.kind) for record in records(life)] == [(False, kind)]
    assert kind in replies(life)[0]


def test_C106_an_answer_that_cannot_be_written_changes_nothing(life: Life) -> None:
    life.sweep(500, life.plan.points)
    life.hub.read_only = True
    assert say(life, "/use 500") == 0
    assert [record.go for record in records(life)] == [True]


def test_C106_where_only_comments_are_forbidden_reaction_and_status_acknowledge(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*words: object, **more: object) -> None:
        raise CouldNotReport("403 Resource not accessible by integration", where="#7")

    life.sweep(500, life.plan.points)
    event = life.hub.say("mia", "/use 500")
    world = World(env={"GITHUB_RUN_ID": "9"}, cwd=life.repo.root, out=io.StringIO(), err=io.StringIO())
    with monkeypatch.context() as fault:
        fault.setattr(life.hub, "create_comment", forbidden)
        assert Clerk(world=world, desk=life.desk, event=event, editor="").work() == 0
    assert "Resource not accessible by integration" in world.out.getvalue() + world.err.getvalue()  # type: ignore[attr-defined]
    assert life.hub.reactions == [(1, "+1")]
    assert status(life)[0] == "success"
    wake(life, event)
    assert (len(records(life)), ["staged run 500" in one for one in replies(life)]) == (1, [True])


def test_C107_every_command_is_answered_once_whichever_run_was_dropped(life: Life) -> None:
    life.sweep(10, life.plan.points)
    life.hub.say("mia", "/use 10")
    life.hub.say("mia", "/stage-results 10")
    last = life.hub.say("mia", "thanks!")
    wake(life, last)
    wake(life, last)
    assert [record.words for record in records(life)] == ["/use", "/stage-results"]
    assert len(replies(life)) == 2


def test_C107_old_comments_are_history(life: Life) -> None:
    life.hub.say("mia", "/sweep cancel", created_at="2026-01-01T00:00:00Z", updated_at="2026-01-01T00:00:00Z")
    say(life, "hello")
    assert records(life) == []


def test_C109_the_answer_names_the_commit_that_it_bound(life: Life) -> None:
    life.sweep(500, life.plan.points)
    say(life, "/use 500")
    assert records(life)[0].head_sha == life.pull.head_sha
    assert f"At `{life.pull.head_sha[:7]}`; later commits are not covered." in replies(life)[0]


def test_C109_a_head_that_moved_meanwhile_is_not_authorised(life: Life) -> None:
    life.sweep(500, life.plan.points)
    event = life.hub.say("mia", "/use 500")
    desk = life.desk
    life.push({"README.md": "x"})
    life.hub.pulls[7] = life.pull
    world = World(env={}, cwd=life.repo.root, out=io.StringIO(), err=io.StringIO())
    Clerk(world=world, desk=desk, event=event, editor="").work()
    (record,) = records(life)
    assert (record.go, record.kind) == (False, "head-moved")
    assert f"head moved from {desk.pull.head_sha[:7]} to {life.pull.head_sha[:7]}, repeat" in record.reason


def test_resume_dispatches_what_is_missing_with_what_is_there(life: Life) -> None:
    points = life.plan.points
    life.sweep(500, points[:5], failed=points[5:6])
    say(life, "/sweep resume")
    (sent,) = life.hub.dispatched
    assert (sent["mode"], sent["pr"], sent["head-sha"]) == ("resume", "7", life.pull.head_sha)
    assert sent["labels"] == f"{FULL},resume-sweep"
    kept = life.store.read(store.accepted(7))[life.pull.head_sha]["points"]
    assert [one["run"] for one in kept] == [500] * 5
    assert status(life) == ("failure", "partial 5 of 9: /sweep resume, or pin with /use")


def test_nothing_missing_starts_nothing(life: Life) -> None:
    life.sweep(500, life.plan.points)
    say(life, "/sweep resume")
    assert (life.hub.dispatched, records(life)[0].kind) == ([], "nothing-missing")


def test_cancel_ends_the_active_sweep_only(life: Life) -> None:
    life.sweep(500, life.plan.points)
    run = life.hub.known[500]
    life.hub.known[501] = type(run)(id=501, path=SWEEP, status="in_progress", pr=7, head_repo=run.head_repo)
    say(life, "/sweep cancel")
    assert life.hub.cancelled == [501]


@pytest.mark.parametrize(
    ("body", "says"), [("/infx help", "/stage-results"), ("/sweep status", "5 of 9 points")]
)
def test_a_question_is_answered(life: Life, body: str, says: str) -> None:
    life.sweep(500, life.plan.points[:5])
    say(life, body)
    assert says in replies(life)[0]


def test_a_line_that_nearly_is_a_command_gets_its_usage(life: Life) -> None:
    say(life, "/use")
    assert "Usage: `/use <run" in replies(life)[0].replace("‹", "<")
    assert (records(life), life.hub.reactions) == ([], [(1, "-1")])


@pytest.mark.parametrize("word", ["--upload-pack=touch run", "+refs/heads/main:refs/heads/x", ""])
def test_a_plan_that_names_no_commits_counts_for_nothing(life: Life, word: str) -> None:
    """What a pull request's own job wrote is data, and never a word of a command line."""
    life.sweep(500, life.plan.points, plan=replace(life.plan, merge_base=word))
    say(life, "/use 500")
    assert [(record.go, record.kind) for record in records(life)] == [(False, "unreadable")]
    assert "its plan names no commits" in replies(life)[0]


def test_a_bot_is_not_answered(life: Life) -> None:
    say(life, "/use 500", BOT)
    assert records(life) == []


def test_when_github_cannot_tell_nothing_is_recorded_and_it_is_tried_again(life: Life) -> None:
    life.sweep(500, life.plan.points)
    life.hub.down.add("ledger")
    event = life.hub.say("mia", "/use 500")
    assert wake(life, event) == 3
    assert records(life) == []
    life.hub.down.clear()
    assert wake(life, event) == 0
    assert [record.go for record in records(life)] == [True]
    assert life.hub.reactions == [(1, "+1")]
    assert len(replies(life)) == 1


def test_what_keeps_every_run_from_counting_is_told_once(life: Life) -> None:
    life.sweep(500, life.plan.points)
    life.sweep(501, ())
    say(life, "/sweep status")
    assert "run 500 does not count" not in replies(life)[0]
    assert "- run 501 does not count: nothing-valid, `none of its 9 points is valid`" in replies(life)[0]


def saw(life: Life, number: int, head: str, at: str, action: str = "synchronize") -> None:
    """An event of the pull request started a run of the sweep workflow."""
    title = Title(pr=7, action=action, head_sha=head, base_sha=life.pull.base_sha, labels=frozenset({FULL}))
    life.hub.known[number] = Run(
        id=number, path=SWEEP, title=title, pr=7, head_repo=life.hub.repository, created_at=at, head_sha=head
    )


EARLY, LATE = "2026-06-30T00:00:00Z", "2026-07-01T00:01:30Z"
"""Before and after the first comment."""


@pytest.mark.parametrize("command", ["/use 500", "/reuse-sweep-run 500", "/sweep resume"])
def test_C109_a_push_between_the_comment_and_its_run_is_not_authorised(life: Life, command: str) -> None:
    """The run waited in its queue: what is the head now is not what the person looked at."""
    old = life.pull.head_sha
    saw(life, 400, old, EARLY)
    event = life.hub.say("mia", command)
    life.sweep(500, life.plan.points[:5])
    new = life.push({"README.md": "x"})
    saw(life, 401, new, LATE)
    wake(life, event)
    (record,) = records(life)
    text = f"head moved from {old[:7]} to {new[:7]}, repeat the command"
    assert (record.go, record.kind, record.reason) == (False, "head-moved", text)
    assert life.hub.dispatched == []
    say(life, command)
    assert records(life)[-1].go


@pytest.mark.parametrize(
    ("at", "action"),
    [(EARLY, "synchronize"), ("2026-07-01T00:01:00Z", "synchronize"), (LATE, "labeled"), ("", "synchronize")],
)
def test_C109_a_head_that_was_there_before_the_comment_did_not_move(life: Life, at: str, action: str) -> None:
    saw(life, 400, "a" * 40, "2026-06-29T00:00:00Z")
    life.sweep(500, life.plan.points)
    saw(life, 401, life.pull.head_sha, at, action)
    say(life, "/use 500")
    assert [record.kind for record in records(life)] == ["covers"]
