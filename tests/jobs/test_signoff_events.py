"""Which pull requests an event is about: what cannot be a sign-off is left out before anybody is asked."""

import io
from pathlib import Path
from typing import Any

import pytest

from infx.edge.world import World
from infx.errors import BadInput
from infx.jobs.signoff import check_address, pulls, told
from infx.read.place import At
from infx.signing import Told
from infx.signoff import PHRASE

INTAKE = ".github/workflows/review-intake.yml"
SIGNED = f"{PHRASE}\n- [x] sweep-green: x\n"


def world(tmp_path: Path) -> World:
    return World(env={}, cwd=tmp_path, out=io.StringIO(), err=io.StringIO())


def comment(action: str, body: str = SIGNED, *, before: str = "", **changes: Any) -> dict[str, Any]:
    user = {"login": "ada", "id": 5, "type": "User", **changes}
    event: dict[str, Any] = {
        "action": action,
        "issue": {"number": 7, "pull_request": {}},
        "comment": {"id": 9, "body": body, "user": user},
        "sender": {"login": "mia"},
    }
    return {**event, "changes": {"body": {"from": before}}} if before else event


def intake(title: str, path: str = INTAKE) -> dict[str, Any]:
    run = {"id": 1, "head_sha": "a" * 40, "path": path, "display_title": title, "actor": {"login": "mia"}}
    return {"action": "completed", "workflow_run": run}


@pytest.mark.parametrize(
    ("event", "name", "numbers"),
    [
        (comment("created"), "issue_comment", [7]),
        (comment("edited", before="nice"), "issue_comment", [7]),
        (comment("edited", "nothing more", before=SIGNED), "issue_comment", [7]),
        (comment("deleted"), "issue_comment", [7]),
        (comment("created", "I am a CODEOWNER"), "issue_comment", []),
        (comment("created", f"> {PHRASE}"), "issue_comment", []),
        (comment("created", login="infx[bot]"), "issue_comment", []),
        (comment("created", type="Bot"), "issue_comment", []),
        ({**comment("created"), "issue": {"number": 7}}, "issue_comment", []),
        (intake("#7 submitted review 12"), "workflow_run", [7]),
        (intake("#7 dismissed review 12"), "workflow_run", [7]),
        (intake("#7 created inline 12"), "workflow_run", [7]),
        (intake("#7 submitted review 12", ".github/workflows/other.yml"), "workflow_run", []),
        (intake("#7 submitted review 12 and more"), "workflow_run", []),
        (intake("# submitted review "), "workflow_run", []),
        ({"inputs": {"pr": "7", "address": ""}}, "workflow_dispatch", [7]),
        ({"inputs": {"pr": " #7 "}}, "workflow_dispatch", [7]),
    ],
)
def test_C95_events_that_matter(tmp_path: Path, event: Any, name: str, numbers: list[int]) -> None:
    assert pulls(At(event, "event"), name, world(tmp_path)) == numbers


@pytest.mark.parametrize("number", ["", "7; rm", "-7", "1" * 20, "seven"])
def test_a_typed_number_must_be_one(tmp_path: Path, number: str) -> None:
    with pytest.raises(BadInput):
        pulls(At({"inputs": {"pr": number}}, "event"), "workflow_dispatch", world(tmp_path))


@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("", True),
        ("https://github.com/o/r/pull/7#issuecomment-12", True),
        ("https://github.com/o/r/pull/7#pullrequestreview-12", True),
        ("https://github.com/O/R/pull/7/files#discussion_r12", True),
        ("https://github.com/o/r/pull/8#issuecomment-12", False),
        ("https://github.com/other/r/pull/7#issuecomment-12", False),
        ("https://github.com/o/r/pull/7", False),
        ("x", False),
    ],
)
def test_number_and_address_must_agree(address: str, good: bool) -> None:
    event = At({"inputs": {"pr": "7", "address": address}}, "event")
    if good:
        check_address(event, 7, "o/r")
        return
    with pytest.raises(BadInput):
        check_address(event, 7, "o/r")


def test_who_changed_the_words_only_an_event_tells() -> None:
    edited = At(comment("edited"), "event")
    assert told(edited, "issue_comment") == Told(key="comment 9", editor="mia", edited=True)
    assert told(At(comment("created"), "event"), "issue_comment") == Told(key="comment 9")
    review = At(intake("#7 edited review 12"), "event")
    assert told(review, "workflow_run") == Told(key="review 12", editor="mia", edited=True)
    assert told(At({}, "event"), "schedule") == Told(named=True)
    asked = At({"inputs": {"address": "https://github.com/o/r/pull/7#discussion_r5"}}, "event")
    assert told(asked, "workflow_dispatch") == Told(key="inline 5", named=True)
