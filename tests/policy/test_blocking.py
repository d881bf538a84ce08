"""What blocks is computed, and somebody owns it."""

from typing import Any

import pytest

from infx.blocker import Blocker, Owner
from infx.event import PullRequest
from infx.policy.blocking import blocking
from infx.record import Outcome
from infx.results.tally import Facts, ledger
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
    assert kinds == ["conflict", "not-covered"]
