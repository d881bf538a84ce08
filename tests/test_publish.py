"""From a merge to published rows, whatever way the pull request landed."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infx.edge import store
from infx.errors import CouldNotReport, CouldNotTell, InfxError
from infx.policy.publishing import CONTEXT, Kind
from infx.publish import Outcome
from infx.source import Kind as SourceKind
from infx.verdict import exit_number
from tests.jobs.test_comment import say
from tests.mainline import Mainline, refusal
from tests.repo import CHANGELOG, Repo, entry
from tests.sweeping import M1, NINE, Life


@pytest.fixture
def main(tmp_path: Path) -> Mainline:
    """A pull request whose nine points were measured and authorised."""
    life = Life(Repo(tmp_path))
    life.push()
    life.hub.roles |= {"mia": "write", "max": "maintain", "ada": "admin"}
    life.sweep(500, life.plan.points)
    say(life, "/use 500")
    return Mainline(life)


def kinds(outcomes: list[Outcome]) -> list[str]:
    return [str(one.decision.kind) for one in outcomes]


@pytest.mark.parametrize("way", ["squash", "join", "rebase"])
def test_every_way_to_merge_publishes_each_point_once(main: Mainline, way: str) -> None:
    before = main.git("rev-parse", "main")
    commit = getattr(main, way)()
    [outcome] = main.push(before)
    assert outcome.decision.reason == "#7: 9 of 9 points from run 500"
    rows = main.rows(outcome.commit)
    assert (len(rows), outcome.added, outcome.commit) == (9, 9, commit)
    assert main.life.hub.shown[commit, CONTEXT] == ("success", outcome.decision.reason)


def test_a_row_says_where_it_comes_from(main: Mainline) -> None:
    points = main.life.plan.by_id
    head = main.life.pull.head_sha
    before = main.git("rev-parse", "main")
    commit = main.squash()
    main.push(before)
    for key, row in main.rows(commit).items():
        point = points[key]
        assert (row["run"], row["attempt"], row["sha"], row["pr"]) == (500, 1, head, 7)
        assert (row["node"], row["match"], row["accepted_changed"]) == ("h200-dgxc_03", "equal", False)
        assert row["fingerprint"] == row["planned"] == point.fingerprint.as_json()
        assert (row["authorisation"]["by"], row["merge"]) == ("mia", commit)
        assert row["row"]["conc"] == point.concurrencies[-1]


def test_the_same_push_again_and_a_recovery_add_nothing(main: Mainline) -> None:
    before = main.git("rev-parse", "main")
    commit = main.squash()
    main.push(before)
    written = main.history(commit)
    [again] = main.push(before, GITHUB_RUN_ID="78")
    [recovered] = main.recover(commit, GITHUB_ACTOR="max")
    assert (again.added, recovered.added, main.history(commit)) == (0, 0, written)
    assert kinds([again, recovered]) == [Kind.PUBLISHED] * 2


def test_what_was_published_stays_when_the_comment_goes_afterwards(main: Mainline) -> None:
    before = main.git("rev-parse", "main")
    commit = main.squash()
    main.push(before)
    main.life.hub.delete_comment(1)
    [again] = main.push(before)
    assert (again.decision.kind, again.decision.reason) == (
        Kind.PUBLISHED,
        "#7: 9 rows are published already",
    )
    assert len(main.rows(commit)) == 9


def test_results_of_two_runs_carry_the_provenance_of_both(main: Mainline) -> None:
    life = main.life
    life.hub.known.pop(500)
    points = life.plan.points
    life.sweep(601, points[:5], failed=points[5:6])
    life.sweep(602, points[5:])
    say(life, "/use 601 602")
    before = main.git("rev-parse", "main")
    commit = main.squash()
    main.push(before)
    assert sorted({row["run"] for row in main.rows(commit).values()}) == [601, 602]


def test_a_partial_pin_publishes_what_was_pinned(main: Mainline) -> None:
    life = main.life
    points = life.plan.points
    life.sweep(601, points[:5], failed=points[5:6])
    say(life, "/use 601")
    before = main.git("rev-parse", "main")
    [outcome] = (main.squash(), main.push(before))[1]
    assert outcome.decision.reason == "#7: partial 5 of 9, pinned by @mia"
    assert len(main.rows(outcome.commit)) == 5


def test_rows_are_published_when_artifacts_have_ended(main: Mainline) -> None:
    main.life.hub.files.clear()
    main.life.hub.owners.clear()
    before = main.git("rev-parse", "main")
    commit = main.squash()
    main.push(before)
    assert len(main.rows(commit)) == 9


def test_an_entry_without_authorisation_is_red_and_says_the_repair(main: Mainline) -> None:
    say(main.life, "/use none")
    before = main.git("rev-parse", "main")
    commit = main.squash()
    [outcome] = main.push(before)
    assert (outcome.decision.go, outcome.decision.kind) == (False, SourceKind.WITHDRAWN)
    assert (
        f"write /use 500 on #7, then `infx ingest recover --commit {commit[:12]}`" in outcome.decision.reason
    )
    assert (main.rows(commit), main.life.hub.shown[commit, CONTEXT][0]) == ({}, "failure")


def test_a_command_after_the_merge_and_a_recovery_publish(main: Mainline) -> None:
    say(main.life, "/use none")
    before = main.git("rev-parse", "main")
    commit = main.squash()
    main.push(before)
    say(main.life, "/use 500")
    main.merged()
    assert kinds(main.recover(GITHUB_ACTOR="max")) == [Kind.PUBLISHED]
    assert len(main.rows(commit)) == 9


def test_a_push_without_an_entry_is_nothing_to_publish(main: Mainline) -> None:
    main.git("checkout", "-q", "main")
    before = main.tip
    main.life.repo.commit({"README.md": "x"})
    assert main.push(before) == []


def test_entries_pushed_by_hand_are_traced_by_their_links(main: Mainline) -> None:
    """Several commits in one push; the second entry is of nobody, which is red and leaves the first alone."""
    main.git("checkout", "-q", "main")
    before = main.tip
    first = main.life.repo.commit(
        {"configs/nvidia-master.yaml": NINE, "perf-changelog.yaml": CHANGELOG + entry(M1)}
    )
    log = main.life.repo.read("perf-changelog.yaml") + entry("m2-fp8-h200-sglang", "XXX")
    second = main.life.repo.commit({"perf-changelog.yaml": log})
    main.merged()
    outcomes = main.push(before)
    assert kinds(outcomes) == [Kind.PUBLISHED, Kind.NO_PULL]
    assert (len(main.rows(first)), main.rows(second)) == (9, {})


def test_a_link_to_another_pull_request_gives_way_to_the_one_that_brought_the_commit(main: Mainline) -> None:
    main.git("checkout", "-q", "main")
    before = main.tip
    text = CHANGELOG + entry(M1, 5)
    commit = main.life.repo.commit({"configs/nvidia-master.yaml": NINE, "perf-changelog.yaml": text})
    main.merged()
    main.life.hub.pulls[5] = replace(main.pull, number=5, merged=False)
    main.api.lists[f"/commits/{commit}/pulls"] = [shown(main)]
    [outcome] = main.push(before)
    assert (outcome.decision.kind, outcome.decision.details["pr"]) == (Kind.PUBLISHED, 7)


def shown(main: Mainline) -> dict[str, Any]:
    """The pull request as GitHub lists it."""
    pull, repo = main.pull, {"full_name": main.pull.base_repo}
    return {
        "number": pull.number,
        "state": "closed",
        "merged_at": "2026-07-02T00:00:00Z",
        "user": {"login": "cleo"},
        "labels": [],
        "head": {"sha": pull.head_sha, "ref": "topic", "repo": repo},
        "base": {"sha": pull.base_sha, "ref": "main", "repo": repo},
    }


def test_an_unreadable_entry_is_red_alone(main: Mainline) -> None:
    before = main.git("rev-parse", "main")
    commit = main.squash()
    main.life.repo.commit(
        {"perf-changelog.yaml": main.life.repo.read("perf-changelog.yaml") + entry(M1, 7, "  x: 1\n")}
    )
    outcomes = main.push(before)
    assert kinds(outcomes) == [Kind.PUBLISHED, Kind.UNREADABLE]
    assert len(main.rows(commit)) == 9


def test_an_entry_that_was_changed_on_its_way_is_refused(main: Mainline) -> None:
    before = main.git("rev-parse", "main")
    main.squash()
    text = main.life.repo.read("perf-changelog.yaml").replace("- why", "- why not")
    main.life.repo.write({"perf-changelog.yaml": text})
    main.git("commit", "-q", "-a", "--amend", "-m", "x")
    [outcome] = main.push(before)
    assert outcome.decision.kind == Kind.ENTRY_CHANGED
    assert "differs in description" in outcome.decision.reason


def test_a_github_that_does_not_answer_publishes_nothing_and_is_asked_again_later(
    main: Mainline, monkeypatch: Any
) -> None:
    def down(nodes: object) -> None:
        raise CouldNotTell("GitHub answers 502")

    before = main.git("rev-parse", "main")
    commit = main.squash()
    with monkeypatch.context() as fault:
        fault.setattr(main.life.hub, "visible", down)
        [outcome] = main.push(before)
    assert (outcome.decision.kind, main.rows(commit)) == (SourceKind.COULD_NOT_TELL, {})
    assert main.life.hub.shown[commit, CONTEXT][0] == "error"
    assert kinds(main.recover(GITHUB_ACTOR="max")) == [Kind.PUBLISHED]


def test_two_writers_at_once_publish_once(main: Mainline, tmp_path: Path) -> None:
    """The other run gets its rows in between; nothing is doubled and nothing lost."""
    before = main.git("rev-parse", "main")
    commit = main.squash()
    at = main.publisher()
    [group] = at.groups(landings(main, before))
    mine, rival = at.outcome(group), main.publisher().outcome(group)
    main.publisher().write(rival, why="rival")
    assert at.write(mine, why="mine").added == 0
    assert len(main.history(commit)) == 9


def landings(main: Mainline, before: str) -> Any:
    from infx.edge.landed import landings as found

    return found(main.publisher().git, "perf-changelog.yaml", since=before, until="main")


def test_C121_rows_that_cannot_be_seen_afterwards_are_no_publication(
    main: Mainline, monkeypatch: Any
) -> None:
    before = main.git("rev-parse", "main")
    main.squash()
    at = main.publisher()
    [group] = at.groups(landings(main, before))
    outcome = at.outcome(group)
    written = store.Written(commit="c" * 40, added=9, same=0)
    monkeypatch.setattr(store.Store, "put", lambda *words, **more: written)
    with pytest.raises(CouldNotTell, match="9 of 9 rows cannot be seen"):
        at.write(outcome, why="lost")


def test_C53_a_test_workflow_on_a_branch_publishes_nothing(main: Mainline) -> None:
    commit = main.squash()
    elsewhere = {"GITHUB_WORKFLOW_REF": "acme/bench/.github/workflows/e2e-tests.yml@refs/heads/feature"}
    ref = {"GITHUB_REF": "refs/heads/feature", "INFX_PUBLISH_TOKEN": "secret"}
    told = refusal(lambda: main.recover(commit, GITHUB_ACTOR="max", **elsewhere, **ref))
    assert "only .github/workflows/ingest.yml on main publishes" in told
    assert main.rows(commit) == {}


def test_a_recovery_needs_maintain_or_admin_whoever_starts_it_again(main: Mainline) -> None:
    commit = main.squash()
    assert "role maintain or more; @mia asked" in refusal(lambda: main.recover(commit))
    again = {"GITHUB_ACTOR": "max", "GITHUB_TRIGGERING_ACTOR": "mia"}
    assert "@max and @mia asked" in refusal(lambda: main.recover(commit, **again))
    main.life.hub.roles["max"] = "?"
    assert "could not tell the role of @max" in refusal(lambda: main.recover(commit, GITHUB_ACTOR="max"))
    assert main.rows(commit) == {}
    assert kinds(main.recover(commit, GITHUB_ACTOR="ada")) == [Kind.PUBLISHED]


def test_C82_the_marker_in_a_squash_message_is_ignored_on_main_with_a_notice(main: Mainline) -> None:
    before = main.git("rev-parse", "main")
    commit = main.squash(message="Update configs (#7)\n\n* refresh [skip-sweep]")
    assert kinds(main.push(before)) == [Kind.PUBLISHED]
    assert len(main.rows(commit)) == 9
    assert "[skip-sweep] counts on pull requests only" in main.err.getvalue()


CALLS = ("pull", "visible", "run", "runs", "set_status", "default_branch")


@pytest.mark.parametrize("call", CALLS)
def test_whatever_question_fails_nothing_is_half_done_and_the_next_run_publishes_once(
    main: Mainline, monkeypatch: Any, call: str
) -> None:
    before = main.git("rev-parse", "main")
    commit = main.squash()
    with monkeypatch.context() as fault:
        fault.setattr(main.life.hub, call, down)
        code = exit_of(lambda: main.push(before))
    assert (code, len(main.rows(commit))) in [(3, 0), (0, 9)]
    [again] = main.push(before)
    assert (again.decision.kind, len(main.history(commit))) == (Kind.PUBLISHED, 9)


def down(*words: object, **more: object) -> None:
    if "state" in more:
        raise CouldNotReport("GitHub answers 502")
    raise CouldNotTell("GitHub answers 502")


def exit_of(act: Any) -> int:
    """Exit number of what a run of the workflow comes to."""
    try:
        return max((exit_number(one.decision) for one in act()), default=0)
    except InfxError as problem:
        return problem.exit_code


def test_a_store_that_cannot_be_written_is_told_and_the_next_run_publishes_once(
    main: Mainline, monkeypatch: Any
) -> None:
    before = main.git("rev-parse", "main")
    commit = main.squash()
    with monkeypatch.context() as fault:
        fault.setattr(store.Store, "_push", lambda *words: "rejected")
        assert exit_of(lambda: main.push(before)) == 3
    assert main.rows(commit) == {}
    main.push(before)
    assert len(main.history(commit)) == 9


def test_the_same_push_delivered_twice_at_once_is_one_publication(main: Mainline) -> None:
    before = main.git("rev-parse", "main")
    commit = main.squash()
    with ThreadPoolExecutor(2) as pool:
        ends = [pool.submit(main.publisher) for _ in range(2)]
        [group] = ends[0].result().groups(landings(main, before))
        outcomes = [end.result().outcome(group) for end in ends]
        pairs = enumerate(zip(ends, outcomes, strict=True))
        done = [pool.submit(end.result().write, one, why=f"run {number}") for number, (end, one) in pairs]
        assert sorted(one.result().added for one in done) == [0, 9]
    assert len(main.history(commit)) == 9
