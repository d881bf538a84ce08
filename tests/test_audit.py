"""The audit of real commits and a real store."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infx.audit import Audit
from infx.decision import Decision
from infx.errors import BadInput
from infx.event import Run
from infx.jobs.audit import text
from infx.policy.audit import Kind, decide
from tests.jobs.test_comment import say
from tests.mainline import INGEST, PULLS, Mainline
from tests.repo import CHANGELOG, Repo, entry
from tests.sweeping import M1, Life


@pytest.fixture
def main(tmp_path: Path) -> Mainline:
    life = Life(Repo(tmp_path))
    life.push()
    life.hub.roles |= {"mia": "write", "max": "maintain"}
    life.sweep(500, life.plan.points)
    say(life, "/use 500")
    return Mainline(life)


def audited(main: Mainline, *, active: bool = False) -> Decision:
    return decide(Audit(at=main.publisher(), tip=main.tip).facts(active=active))


def test_a_published_merge_is_complete(main: Mainline) -> None:
    before = main.git("rev-parse", "main")
    commit = main.squash()
    main.push(before)
    found = audited(main)
    assert (found.kind, found.reason) == (Kind.COMPLETE, "1 entries, 9 published rows")
    [one] = found.details["entries"]
    assert (one["commit"], one["rows"], one["looked-at"]) == (commit, 9, True)
    assert f"{commit[:7]}    9 rows  {PULLS}/7" in text(found)


def test_C80_a_push_that_was_looked_at_and_published_nothing_is_found(main: Mainline) -> None:
    say(main.life, "/use none")
    before = main.git("rev-parse", "main")
    main.squash()
    main.push(before)
    assert audited(main).kind == Kind.UNPUBLISHED


def test_content_that_reached_main_without_a_push_run_is_found_and_recovered(main: Mainline) -> None:
    commit = main.squash(message="Longer ladder (#7)\n\n* refresh [skip ci]")
    found = audited(main)
    assert (found.kind, commit[:7] in found.reason) == (Kind.NO_PUSH_RUN, True)
    assert audited(main, active=True).kind == Kind.PENDING
    main.recover(GITHUB_ACTOR="max")
    assert audited(main).kind == Kind.COMPLETE


def test_a_config_that_came_between_two_pushes_is_found(main: Mainline) -> None:
    """No entry tells of it, so only the chain of pushes can."""
    before = main.git("rev-parse", "main")
    main.squash()
    main.push(before)
    unseen = main.life.repo.commit({"benchmarks/lib.sh": "echo other\n"})
    documented = main.life.repo.commit({"README.md": "x"})
    last = main.life.repo.commit({"README.md": "y"})
    main.push(documented, after=last)
    found = audited(main)
    assert (found.kind, found.details["unseen"]) == (Kind.NO_PUSH_RUN, [unseen])
    assert "no run looked at its push" in text(found)


def test_a_push_of_several_commits_was_looked_at_as_a_whole(main: Mainline) -> None:
    before = main.git("rev-parse", "main")
    main.squash()
    main.life.repo.commit({"benchmarks/lib.sh": "echo other\n"})
    main.push(before)
    assert audited(main).kind == Kind.COMPLETE


def test_the_audit_begins_where_policy_says(main: Mainline) -> None:
    before = main.git("rev-parse", "main")
    main.squash()
    main.push(before)
    assert [one["link"] for one in _of(main, "").details["entries"]] == [f"{PULLS}/1", f"{PULLS}/7"]
    assert _of(main, "").kind == Kind.NO_PUSH_RUN
    assert _of(main, f"{PULLS}/7").details["entries"] == []
    with pytest.raises(BadInput, match="no entry's pr-link"):
        _of(main, f"{PULLS}/99")


def _of(main: Mainline, after: str) -> Decision:
    at = main.publisher()
    begun = replace(at, rules=replace(main.rules, audit_from=after))
    return decide(Audit(at=begun, tip=main.tip).facts(active=False))


def test_an_unreadable_entry_is_told(main: Mainline) -> None:
    before = main.git("rev-parse", "main")
    main.git("checkout", "-q", "main")
    main.life.repo.commit({"perf-changelog.yaml": CHANGELOG + entry(M1, 7, "  x: 1\n")})
    main.push(before)
    [one] = audited(main).details["entries"]
    assert (one["rows"], "unknown field" in one["fault"]) == (0, True)


def test_the_command_answers_in_one_shape(main: Mainline, monkeypatch: Any) -> None:
    from infx.cli import main as infx

    monkeypatch.setattr("infx.jobs.audit.connect", lambda env: main.life.hub)
    main.squash()
    main.life.repo.commit({"configs/policy.yaml": f"registries: {{}}\naudit-from: {PULLS}/1\n"})
    world = main.world({})
    assert infx(["audit", "--json"], world) == 1
    found = json.loads(main.out.getvalue())
    assert (found["decision"], found["kind"], found["go"]) == ("audit", "no-push-run", False)
    main.life.hub.known[9000] = Run(id=9000, path=INGEST, status="in_progress", event="push")
    assert infx(["audit"], main.world({})) == 0
