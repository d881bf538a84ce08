"""`infx merge` on the embedded GitHub: every way to its end, cut off anywhere, under every fault."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infx.forge import tokens
from infx.forge.ports import Job
from infx.forge.protection import Rules as Protection
from infx.join import UPDATES, Joiner
from infx.source import CONTEXT
from tests.joining import CHANGELOG, LOG, M1, REPO, RULES, SWEEP, Office, entry, office

pytestmark = pytest.mark.forge


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Office]:
    made = office(tmp_path)
    yield made
    made.forge.close()


def test_a_pull_request_that_is_up_to_date_is_merged_in_one_step(at: Office) -> None:
    number = at.propose({"README.md": "x\n"}, title="Words [skip ci]")
    assert at.merge(number) == "merged"
    assert at.first_parents() == [f"Words (#{number})", "first"]
    assert at.git("log", "-1", "--format=%b", "origin/main").strip() == "not needed: no config key changes"
    head = at.pull(number).head_sha
    assert at.github().statuses(head)[CONTEXT][0] == "success"


def test_merging_again_says_that_it_is_merged(at: Office) -> None:
    number = at.propose({"README.md": "x\n"})
    assert [at.merge(number), at.merge(number)] == ["merged"] * 2
    assert len(at.first_parents()) == 2


@pytest.mark.parametrize(("method", "parents"), [("squash", 1), ("merge", 2), ("rebase", 1)])
def test_every_method(at: Office, method: str, parents: int) -> None:
    number = at.propose({"README.md": "x\n"})
    assert at.merge(number, method=method) == "merged"
    at.git("fetch", "-q", "origin")
    assert len(at.git("log", "-1", "--format=%P", "origin/main").split()) == parents


def test_a_branch_that_is_behind_is_brought_up_to_date_by_one_push(at: Office) -> None:
    number = at.propose({"README.md": "x\n"})
    at.mia.push("main", {"docs/a.md": "y\n"}, message="Main goes on")
    assert at.merge(number) == "merged"
    assert at.steps()[0] == "behind"
    pushes = [one for one in at.engine.kinds if one == "pull_request.synchronize"]
    assert len(pushes) == 1
    assert at.tree("origin/main", "docs/a.md") == "y\n"


def test_a_conflict_in_the_changelog_alone_is_repaired_and_the_placeholder_is_filled_in(at: Office) -> None:
    """Both append at the end: git cannot tell the order, the format can."""
    number = at.propose({LOG: CHANGELOG + entry(M1, "XXX", "  evals-only: true\n")})
    at.mia.push("main", {LOG: CHANGELOG + entry("m2-fp8-h200-sglang", 5)}, message="Another entry")
    joiner = at.joiner(number)
    look = joiner.look()
    assert (look.joined.behind, look.joined.repaired, look.joined.conflicts) == (True, True, ())
    joiner.update(look)
    mine = entry(M1, number, "  evals-only: true\n")
    wanted = CHANGELOG + entry("m2-fp8-h200-sglang", 5) + mine
    assert at.tree("origin/change", LOG) == wanted
    assert not at.joiner(number).look().joined.needed


def test_a_conflict_elsewhere_is_for_a_person(at: Office) -> None:
    number = at.propose({"README.md": "mine\n"})
    at.mia.push("main", {"README.md": "theirs\n"}, message="Main goes on")
    assert "README.md conflict with main" in at.merge(number)
    assert "pull_request.synchronize" not in at.engine.kinds


def test_a_key_that_nobody_authorised_is_not_merged_and_nothing_is_pushed(at: Office) -> None:
    number = at.propose({LOG: CHANGELOG + entry(M1, "XXX")})
    at.mia.push("main", {"docs/a.md": "y\n"}, message="Main goes on")
    assert "not-ready: nothing authorised" in at.merge(number)
    assert "pull_request.synchronize" not in at.engine.kinds


def test_a_fault_of_the_author_is_named(at: Office) -> None:
    number = at.propose({LOG: CHANGELOG + entry("m9-fp8-h200-sglang", "XXX")})
    assert "unknown-config-key: no config key 'm9-fp8-h200-sglang'" in at.merge(number)


def test_the_token_of_a_job_is_refused(at: Office) -> None:
    number = at.propose({"README.md": "x\n"})
    run = at.forge.store.run(7000001)
    job = at.forge.site.db.insert("jobs", repo=1, run=run.id, attempt=1, name="x", labels="[]", sha=run.sha)
    at.token = at.forge.store.mint_token(REPO, run=run.id, job=job, permissions={"contents": "write"})
    assert "github-actions, whose pushes and merges start no workflow" in at.merge(number)


def test_an_app_may_merge(at: Office) -> None:
    number = at.propose({"README.md": "x\n"})
    at.token = at.forge.app(
        REPO,
        "merger",
        contents="write",
        pull_requests="write",
        statuses="write",
        checks="read",
        actions="read",
    )
    assert at.merge(number) == "merged"


def test_a_token_without_the_scope_is_refused_before_anything_is_pushed(at: Office, monkeypatch: Any) -> None:
    number = at.propose({"README.md": "x\n"})
    at.mia.push(
        "main", {SWEEP: "name: sweep\non:\n  pull_request:\njobs: {} # new\n"}, message="New workflow"
    )
    joiner = at.joiner(number)
    monkeypatch.setattr(tokens, "EVERY_SCOPE", "repo, read:org")
    with pytest.raises(Exception, match=r"lacks the scope `workflow`, and .github/workflows/sweep.yml"):
        joiner.run()
    assert "pull_request.synchronize" not in at.engine.kinds
    joiner = at.joiner(number)
    monkeypatch.setattr(tokens, "EVERY_SCOPE", "repo, workflow")
    assert joiner.run().kind == "merged"


def test_a_fork_is_merged_without_a_push(at: Office) -> None:
    cleo = forked(at)
    cleo.push("change", {"README.md": "x\n"}, message="Words")
    number = at.forge.at(REPO, "cleo").open_pull("cleo:change", title="Words")
    at.mia.push("main", {"docs/a.md": "y\n"}, message="Main goes on")
    assert at.merge(number) == "merged"
    assert "pull_request.synchronize" not in at.engine.kinds


def forked(at: Office) -> Any:
    name = at.forge.at(REPO, "cleo").fork()
    return at.forge.at(name, "cleo")


def test_a_fork_whose_changelog_is_not_right_gets_the_bytes(at: Office) -> None:
    forked(at).push("change", {LOG: CHANGELOG + entry(M1, "XXX")}, message="Words")
    number = at.forge.at(REPO, "cleo").open_pull("cleo:change", title="Words")
    told = at.merge(number)
    assert "fork-changelog: the changelog is not right as it stands" in told
    assert at.out.getvalue() == entry(M1, number)


def test_a_merge_queue_stops(at: Office, monkeypatch: Any) -> None:
    number = at.propose({"README.md": "x\n"})
    monkeypatch.setattr("infx.edge.merges.Merges.queue", lambda self, branch: True)
    assert "main has a merge queue, which is not supported" in at.merge(number)


def test_a_required_check_that_is_missing_is_waited_for_and_then_told(at: Office) -> None:
    number = at.propose({"README.md": "x\n"})
    at.forge.protect(REPO, "main", Protection(contexts=("tests",)))
    assert "waited 0 minutes" in at.merge(number)
    at.github().set_status(at.pull(number).head_sha, "tests", state="success", description="")
    assert at.merge(number) == "merged"


def test_a_status_that_somebody_else_still_works_on_is_waited_for(at: Office) -> None:
    number = at.propose({"README.md": "x\n"})
    head = at.pull(number).head_sha
    at.github().set_status(head, "infx/signoff", state="pending", description="advice")
    at.github().set_status(head, "builds", state="pending", description="")
    assert "waiting for builds" in at.merge(number)
    at.github().set_status(head, "builds", state="success", description="")
    assert at.merge(number) == "merged"


def test_a_failed_check_stops(at: Office) -> None:
    number = at.propose({"README.md": "x\n"})
    at.github().set_status(at.pull(number).head_sha, "tests", state="failure", description="")
    assert "tests failed on this head" in at.merge(number)


@pytest.mark.parametrize(
    ("may_skip", "says"), [((), "ci / windows failed on this head; if"), (("ci / w*",), "")]
)
def test_C122_a_skipped_check_stops_unless_the_policy_expects_it(
    at: Office, may_skip: tuple[str, ...], says: str
) -> None:
    """The same rule as after the merge, so that nothing is merged that then counts as broken."""
    number = at.propose({"README.md": "x\n"})
    run = at.ran(".github/workflows/ci.yml", at.pull(number).head_sha, branch="change")
    done: dict[str, Any] = {"status": "completed", "conclusion": "skipped"}
    at.forge.store.add_job(Job(id=0, run=run.id, attempt=1, name="windows", labels=(), **done))
    rules = replace(RULES, checks=replace(RULES.checks, may_skip=may_skip))
    assert says in at.merge(number, rules=rules)


def test_missing_approvals_are_told_in_githubs_words(at: Office) -> None:
    number = at.propose({"README.md": "x\n"})
    at.forge.protect(REPO, "main", Protection(approvals=1))
    assert "At least 1 approving review is required" in at.merge(number)


def test_C109_a_head_that_moves_in_the_last_moment_is_looked_at_anew(at: Office, monkeypatch: Any) -> None:
    """The push comes between the look and the merge: what nobody looked at is not merged."""
    number = at.propose({"README.md": "x\n"})
    joiner, first = at.joiner(number), True
    looks = Joiner.merge

    def late(self: Joiner, look: Any) -> bool:
        nonlocal first
        if first:
            first = False
            at.will.push_to_pull(number, {LOG: CHANGELOG + entry(M1, "XXX")}, message="Unseen")
        return looks(self, look)

    monkeypatch.setattr(Joiner, "merge", late)
    with pytest.raises(Exception, match="not-ready: nothing authorised"):
        joiner.run()
    assert at.first_parents() == ["first"]


@pytest.mark.parametrize("pushes", [3, 1000])
def test_a_target_that_moves_after_every_update_is_not_run_after_for_ever(
    at: Office, monkeypatch: Any, pushes: int
) -> None:
    number = at.propose({"README.md": "x\n"})
    updates, arrived = iter(range(pushes)), Joiner.arrived

    def overtaken(self: Joiner, made: str) -> None:
        arrived(self, made)
        if (turn := next(updates, None)) is not None:
            at.mia.push("main", {f"docs/{turn}.md": "y\n"}, message=f"Main goes on {turn}")

    monkeypatch.setattr(Joiner, "arrived", overtaken)
    at.mia.push("main", {"docs/a.md": "y\n"}, message="Main goes on")
    got = at.merge(number)
    if pushes < UPDATES:
        assert got == "merged"
    else:
        assert f"main or change moved after each of {UPDATES} updates" in got
        assert at.engine.kinds.count("pull_request.synchronize") == UPDATES
    assert at.waited == []


STEPS = ("joined", "pushed", "merging", "merged")


@pytest.mark.parametrize("crash", STEPS)
def test_it_goes_on_where_it_was_cut_off_and_doubles_nothing(
    at: Office, monkeypatch: Any, crash: str
) -> None:
    number = at.propose({"README.md": "x\n"})
    at.mia.push("main", {"docs/a.md": "y\n"}, message="Main goes on")
    with monkeypatch.context() as fault:
        cut(fault, crash)
        with pytest.raises(KeyboardInterrupt):
            at.joiner(number).run()
    assert at.merge(number) == "merged"
    assert at.engine.kinds.count("pull_request.synchronize") == 1
    assert len(at.first_parents()) == 3


def cut(fault: Any, crash: str) -> None:
    """The process ends right before or after an act."""
    from infx.edge import branch
    from infx.edge.merges import Merges

    def now(*words: Any, **more: Any) -> Any:
        raise KeyboardInterrupt

    def after(act: Any) -> Any:
        def both(*words: Any, **more: Any) -> Any:
            act(*words, **more)
            raise KeyboardInterrupt

        return both

    if crash == "joined":
        fault.setattr(branch, "push", now)
    if crash == "pushed":
        fault.setattr(branch, "push", after(branch.push))
    if crash == "merging":
        fault.setattr(Merges, "merge", now)
    if crash == "merged":
        fault.setattr(Merges, "merge", after(Merges.merge))


FAULTS = [
    f"{kind} {target}"
    for target in (
        "GET */pulls/*",
        "PUT */pulls/*/merge",
        "GET */check-runs",
        "GET */statuses",
        "POST */statuses/*",
        "GET */runs",
        "POST */graphql",
        "GET /repos/*",
    )
    for kind in ("error_before", "error_after", "lost", "secondary_limit", "broken_page", "slow")
]


@pytest.mark.parametrize("fault", FAULTS)
def test_one_outcome_under_every_fault(at: Office, fault: str) -> None:
    number = at.propose({"README.md": "x\n"})
    at.mia.push("main", {"docs/a.md": "y\n"}, message="Main goes on")
    rule = at.forge.fault(f"{fault} times=2 seconds=0.01")
    assert at.merge(number) == "merged"
    assert rule.hits
    assert at.engine.kinds.count("pull_request.synchronize") == 1
    assert len(at.first_parents()) == 3
    assert at.engine.kinds.count("pull_request.closed") == 1


@pytest.mark.parametrize("target", ["GET */pulls/*", "PUT */pulls/*/merge", "POST */graphql"])
def test_a_github_that_is_down_is_could_not_tell_and_a_later_run_merges(at: Office, target: str) -> None:
    number = at.propose({"README.md": "x\n"})
    at.forge.fault(f"error_before {target} times=0")
    assert at.command("merge", str(number), "--poll", "0.1") == 3
    at.forge.site.faults.clear()
    assert at.merge(number) == "merged"


def test_the_command_shows_the_next_step_without_doing_it(at: Office) -> None:
    number = at.propose({"README.md": "x\n"})
    assert at.command("merge", str(number), "--dry-run", "--json") == 0
    assert '"step": "wait"' in at.out.getvalue()
    assert not at.pull(number).merged
    assert at.command("merge", str(number)) == 0
    assert at.out.getvalue() == f"done: #{number} is merged\n"


def test_a_pull_request_that_is_not_there_is_bad_input(at: Office) -> None:
    assert at.command("merge", "404") == 2
