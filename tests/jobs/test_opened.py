"""What control asks of GitHub for a pull request that was just opened, and what it then says."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from infx.say import comment, welcome
from infx.source import CONTEXT
from tests.lives.project import project
from tests.town import Town

pytestmark = pytest.mark.forge
CONTROL = ".github/workflows/control.yml"
MOST = 6


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    made = Town(tmp_path, project())
    yield made
    made.close()


def decide(town: Town, action: str, **held: str) -> list[str]:
    """Control looks at the newest event of this kind, with these permissions besides its own; the requests
    that it made."""
    [*_, event] = [
        one.payload
        for one in town.recorder.events
        if one.name == "pull_request" and one.payload["action"] == action
    ]
    run = town.planted(CONTROL, event="pull_request_target", payload=event)
    before = len(town.forge.requests)
    env = {"GITHUB_EVENT_NAME": "pull_request_target", "GITHUB_RUN_ATTEMPT": "1"}
    town.step(["job", "decide", "--apply"], event, env, run=run, code=0, actions="write", **held)
    return [f"{one.method} {one.path}" for one in town.forge.requests[before:] if one.job]


def test_a_welcome_costs_at_most_six_requests(town: Town) -> None:
    number = town.propose()
    asked = decide(town, "opened")
    # Who owns a vendor's files is asked for the sign-off: one request for each person.
    said = [one for one in asked if not one.endswith("/permission")]
    assert len(said) <= MOST, "\n".join(asked)
    topics = [one.body.split("\n", 1)[0] for one in town.github.comments(number)]
    assert sorted(topics) == [comment.STATUS, welcome.MARK]


@pytest.mark.parametrize("labels", [("full-sweep-fail-fast",), ("full-sweep-fail-fast", "all-evals")])
def test_opened_with_labels_is_greeted_too(town: Town, labels: tuple[str, ...]) -> None:
    number = town.propose()
    town.mia.label(number, *labels)
    town.mia.close(number)
    town.mia.reopen(number)
    decide(town, "reopened")
    for _ in labels:
        decide(town, "labeled")
    topics = [one.body.split("\n", 1)[0] for one in town.github.comments(number)]
    assert sorted(topics) == [comment.STATUS, welcome.MARK]


def test_people_may_delete_what_the_bot_said(town: Town) -> None:
    number = town.propose()
    decide(town, "opened")
    for one in list(town.github.comments(number)):
        town.mia.delete_comment(one.id)
    decide(town, "opened")
    topics = [one.body.split("\n", 1)[0] for one in town.github.comments(number)]
    assert sorted(topics) == [comment.STATUS, welcome.MARK]


def test_without_the_permission_to_comment_the_decision_stands(town: Town) -> None:
    number = town.propose()
    decide(town, "opened", **{"pull-requests": "read"})
    assert list(town.github.comments(number)) == []
    assert town.github.statuses(town.github.pull(number).head_sha)[CONTEXT][0] == "failure"


def test_a_title_with_line_breaks_and_control_characters_harms_nothing(town: Town) -> None:
    number = town.propose()
    town.mia.edit(number, title="H200\n<!-- infx:status -->\r\n::error::\x1b[31m@everyone\x07")
    town.mia.close(number)
    town.mia.reopen(number)
    decide(town, "reopened")
    topics = [one.body.split("\n", 1)[0] for one in town.github.comments(number)]
    assert sorted(topics) == [comment.STATUS, welcome.MARK]
    assert not any("everyone" in one.body or "\x1b" in one.body for one in town.github.comments(number))
