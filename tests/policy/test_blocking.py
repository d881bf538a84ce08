"""What blocks is computed, and somebody owns it."""

from typing import Any

import pytest

from infx.blocker import Blocker, Owner
from infx.decision import Decision
from infx.event import PullRequest
from infx.policy.blocking import blocking, of_gate, of_pull, of_reuse, of_signoff, of_sweep, of_upstream
from infx.record import Outcome
from infx.results.tally import Facts, ledger
from infx.signoff import Finding, Grade
from tests import builders as build

PLAN = build.plan()
ONE, FOUR, EVAL = PLAN.points


def tallied(*records: Any) -> Any:
    return ledger(PLAN, records, Facts(run_id=build.RUN, attempt=1))


def test_nothing_blocks_a_complete_ledger() -> None:
    assert blocking(tallied(*(build.record(point) for point in PLAN.points))) == ()
    assert blocking(None) == ()


def test_points_are_grouped_by_reason() -> None:
    failed = build.record(FOUR, Outcome.FAILURE, reason="engine-died")
    assert blocking(tallied(failed)) == (
        Blocker(kind="no-artifact", owner=Owner.OPERATOR, names=("C1",)),
        Blocker(kind="engine-died", owner=Owner.AUTHOR, names=("C4",)),
        Blocker(kind="fail-fast", owner=Owner.AUTHOR, names=("C16 gsm8k",)),
    )


@pytest.mark.parametrize(
    ("reason", "owner"),
    [("model-missing", Owner.OPERATOR), ("below-threshold", Owner.AUTHOR), ("x", Owner.AUTHOR)],
)
def test_the_author_is_not_blamed_for_a_runner(reason: str, owner: Owner) -> None:
    failed = build.record(ONE, Outcome.FAILURE, reason=reason)
    assert blocking(tallied(failed))[0].owner == owner


def test_conflict_and_a_moved_head_block() -> None:
    pull = PullRequest(
        number=7, open=True, head_sha="b" * 40, base_sha=build.BASE, base_ref="main", mergeable=False
    )
    kinds = [blocker.kind for blocker in blocking(tallied(*(build.record(one) for one in PLAN.points)), pull)]
    assert kinds == ["not-covered"]
    assert [blocker.kind for blocker in of_pull(pull, behind=3)] == ["conflict"]


def told(kind: str, *, decision: str = "event", go: bool = False, **extra: Any) -> Decision:
    return Decision(decision=decision, go=go, kind=kind, reason=f"because {kind}", extra=extra)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (of_gate(told("changed-keys-without-entry", decision="changelog")), ["gate"]),
        (of_gate(told("gate")), ["gate"]),
        (of_gate(told("preview")), []),
        (of_sweep(told("preview"), points=9), ["no-sweep"]),
        (of_sweep(told("preview"), points=0), []),
        (of_sweep(told("start", go=True), points=9), []),
        (of_sweep(told("clash"), points=9), ["clash"]),
        (of_sweep(told("ignored"), points=9), []),
        (of_reuse(told("nothing-authorised", decision="readiness", state="failure")), ["reuse"]),
        (of_reuse(told("sweeping", decision="readiness", state="pending")), []),
        (of_signoff("success", "passed", required=True), []),
        (of_signoff("pending", "waiting", required=False), ["signoff"]),
        (of_signoff("", "", required=True), []),
        (of_pull(PullRequest(number=7, open=True, head_sha="a", base_sha="b"), behind=2), ["behind"]),
        (of_pull(PullRequest(number=7, open=True, head_sha="a", base_sha="b", draft=True)), ["draft"]),
    ],
)
def test_each_topic_tells_its_own(found: tuple[Blocker, ...], expected: list[str]) -> None:
    assert [blocker.kind for blocker in found] == expected


def test_a_skip_word_is_the_authors_and_a_clash_the_maintainers() -> None:
    owners = [of_sweep(told(kind), points=1)[0].owner for kind in ("skip-word", "clash")]
    assert owners == [Owner.AUTHOR, Owner.MAINTAINER]


@pytest.mark.parametrize(
    ("check", "grade", "blocks"),
    [
        ("recipe-linked", Grade.FAIL, True),
        ("recipe-linked", Grade.UNKNOWN, True),
        ("recipe-linked", Grade.PASS, False),
        ("pareto-points", Grade.FAIL, False),
    ],
)
def test_a_recipe_that_is_not_merged_upstream_is_a_blocker_of_its_own(
    check: str, grade: Grade, blocks: bool
) -> None:
    found = of_upstream([Finding(check=check, grade=grade, what="not merged")])
    assert [(one.kind, one.owner, one.names) for one in found] == (
        [("upstream", Owner.AUTHOR, ("not merged",))] if blocks else []
    )
