"""Another repository is told of a publication by `repository_dispatch`."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from infx.decision import Decision
from infx.errors import BadInput, CouldNotTell
from infx.publication import Publication
from infx.publish import Outcome, Publisher, publisher
from tests.joining import M1, REPO, Office, office
from tests.sweeping import RULES

pytestmark = pytest.mark.forge


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Office]:
    made = office(tmp_path)
    made.forge.create_repo("o/page")
    made.forge.role("o/page", "mia", "write")
    yield made
    made.forge.close()


def published(at: Office, **env: str) -> Publisher:
    """Publishing of the clone, with another repository to be told."""
    rules = replace(RULES, publish_to="o/page")
    world = replace(at.world(), env={**at.env, **env})
    return publisher(at.github(), rules, world)


def outcome(commit: str) -> Outcome:
    known = {"row": "r", "recipe": "s", "shared": "t"}
    row = Publication(
        point="a" * 16,
        key=M1,
        title="C4",
        mode="throughput",
        task=None,
        pr=7,
        merge=commit,
        merged_at="2026-07-01T00:00:00Z",
        run=500,
        attempt=1,
        node="n1",
        sha="a" * 40,
        fingerprint=known,
        planned=known,
        match="equal",
        accepted_changed=False,
        authorisation={"comment": 1, "by": "mia", "at": ""},
        row={"conc": 4},
    )
    decision = Decision(decision="ingest", go=True, kind="published", reason="")
    return Outcome(commit=commit, decision=decision, entries=(), rows=(row,))


def test_another_repository_is_told_once_after_the_rows_are_in_the_store(at: Office) -> None:
    there = published(at, INFX_PUBLISH_TOKEN=at.token)
    done = there.write(outcome("c" * 40), why="rows")
    there.announce(done)
    there.announce(done)
    [event] = [one for one in at.engine.events if one.name == "repository_dispatch"]
    told = event.payload["client_payload"]
    assert (event.payload["action"], event.payload["repository"]["full_name"]) == ("infx-publish", "o/page")
    assert (told["merge"], told["rows"], told["runs"], told["repository"]) == ("c" * 40, 1, [500], REPO)
    assert told["file"] == f"published/{'c' * 40}.jsonl"
    assert there.published("c" * 40)["a" * 16]["row"] == {"conc": 4}


def test_rows_that_a_recovery_adds_are_told_as_well(at: Office) -> None:
    there, first = published(at, INFX_PUBLISH_TOKEN=at.token), outcome("c" * 40)
    there.announce(there.write(first, why="rows"))
    more = replace(first.rows[0], point="b" * 16, title="C8")
    second = replace(first, rows=(*first.rows, more))
    for _ in range(2):
        there.announce(there.write(second, why="rows"))
    told = [one.payload["client_payload"] for one in at.engine.events if one.name == "repository_dispatch"]
    assert [(one["merge"], one["rows"]) for one in told] == [("c" * 40, 1), ("c" * 40, 2)]


def test_without_its_token_another_repository_cannot_be_told(at: Office) -> None:
    with pytest.raises(BadInput, match="INFX_PUBLISH_TOKEN is empty"):
        published(at).announce(outcome("c" * 40))


def test_a_lost_answer_leaves_open_whether_it_was_told_and_a_later_run_tells_it(at: Office) -> None:
    there = published(at, INFX_PUBLISH_TOKEN=at.token)
    at.forge.fault("lost POST */dispatches")
    with pytest.raises(CouldNotTell, match="nobody knows whether it was written"):
        there.announce(outcome("c" * 40))
    there.announce(outcome("c" * 40))
    there.announce(outcome("c" * 40))
    assert at.engine.kinds.count("repository_dispatch.infx-publish") == 2
