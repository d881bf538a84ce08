"""The next step of a merge, row by row."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.check import Check, Standing
from infx.decision import Decision
from infx.facts import Answer
from infx.merge import Joined, MergeFacts, Seen, Step, Why
from infx.policy.merging import JOB, decide
from tests.builders import B, pull
from tests.sources import run

RIGHT = Decision(decision="changelog", go=True, kind="appended", reason="1 entry appended")
WRONG = Decision(decision="changelog", go=False, kind="unknown-config-key", reason="no config key 'x'")
WORKFLOW = ".github/workflows/sweep.yml"


def ready(state: str = "success", reason: str = "main will publish 9 of 9 points from run 500") -> Decision:
    return Decision(decision="readiness", go=True, kind=state, reason=reason, extra={"state": state})


def joined(**changes: Any) -> Joined:
    return Joined(**{"target": B, "behind": False, "tree": "t" * 40, **changes})


def facts(**changes: Any) -> MergeFacts:
    """A pull request that is ready in every way; `pull` holds changes of its own."""
    base: dict[str, Any] = {
        "pull": pull(**{"mergeable": True, **changes.pop("pull", {})}),
        "login": "mia",
        "joined": joined(),
        "changelog": RIGHT,
        "readiness": ready(),
        "gates": (run(500),),
    }
    return MergeFacts(**{**base, **changes})


def seen(standing: Standing, **fields: Any) -> Seen:
    return Seen(check=Check(name="tests", **fields), standing=standing)


FORK = {"head_repo": "cleo/bench"}
BEHIND = joined(behind=True)
REPAIRED = joined(repaired=True)
CARRYING = joined(behind=True, carries=(WORKFLOW,))
FAILED = seen(Standing.FAIL)

TABLE = [
    (facts(), Step.MERGE, Why.READY),
    (facts(pull={"open": False, "merged": True}), Step.DONE, Why.MERGED),
    (facts(pull={"open": False}), Step.STOP, Why.CLOSED),
    (facts(login=JOB), Step.STOP, Why.JOB_TOKEN),
    (facts(login=JOB, pull={"open": False, "merged": True}), Step.DONE, Why.MERGED),
    (facts(pull={"draft": True}), Step.STOP, Why.DRAFT),
    (facts(queue=True), Step.STOP, Why.MERGE_QUEUE),
    (facts(pull={"head_repo": None}), Step.STOP, Why.FORK_GONE),
    (facts(pull=FORK), Step.MERGE, Why.READY),
    (facts(pull=FORK, gates=()), Step.MERGE, Why.READY),
    (facts(pull=FORK, joined=BEHIND), Step.MERGE, Why.READY),
    (facts(pull=FORK, joined=REPAIRED), Step.STOP, Why.FORK_CHANGELOG),
    (facts(pull=FORK, changelog=WRONG), Step.STOP, Why.FORK_CHANGELOG),
    (facts(pull=FORK, joined=joined(behind=True, conflicts=("a",))), Step.STOP, Why.CONFLICT),
    (facts(joined=joined(behind=True, conflicts=("a", "b"))), Step.STOP, Why.CONFLICT),
    (facts(changelog=WRONG), Step.STOP, Why.CHANGELOG),
    (facts(changelog=WRONG, joined=REPAIRED), Step.UPDATE, Why.REPAIR),
    (facts(joined=REPAIRED), Step.UPDATE, Why.REPAIR),
    (facts(joined=BEHIND), Step.UPDATE, Why.BEHIND),
    (facts(joined=BEHIND, readiness=ready("failure", "nothing authorised")), Step.STOP, Why.NOT_READY),
    (facts(joined=BEHIND, readiness=ready("pending", "sweep 9 is running")), Step.WAIT, Why.SWEEPING),
    (facts(readiness=ready("error", "could not tell")), Step.STOP, Why.COULD_NOT_TELL),
    (facts(joined=CARRYING, workflow_scope=Answer.NO), Step.STOP, Why.WORKFLOW_SCOPE),
    (facts(joined=CARRYING, workflow_scope=Answer.YES), Step.UPDATE, Why.BEHIND),
    (facts(joined=CARRYING), Step.UPDATE, Why.BEHIND),
    (facts(proposes=(WORKFLOW,), workflow_scope=Answer.NO), Step.STOP, Why.WORKFLOW_SCOPE),
    (facts(pull=FORK, joined=CARRYING, workflow_scope=Answer.NO), Step.MERGE, Why.READY),
    (facts(gates=()), Step.WAIT, Why.NO_GATE),
    (facts(gates=(), skip_word="[skip ci]"), Step.MERGE, Why.READY),
    (facts(gates=(run(500, status="in_progress"),)), Step.WAIT, Why.CHECKS_RUNNING),
    (facts(checks=(seen(Standing.PENDING),)), Step.WAIT, Why.CHECKS_RUNNING),
    (facts(checks=(FAILED,)), Step.STOP, Why.CHECKS_FAILED),
    (facts(checks=(seen(Standing.FAIL, run=500),)), Step.MERGE, Why.READY),
    (facts(pull={"mergeable": None}), Step.WAIT, Why.UNKNOWN_MERGEABLE),
    (facts(pull={"mergeable": False}), Step.STOP, Why.CONFLICT),
    (facts(method="rebase", skip_word="[skip ci]"), Step.STOP, Why.SKIP_WORD),
    (facts(method="squash", skip_word="[skip ci]"), Step.MERGE, Why.READY),
]


@pytest.mark.parametrize(("given", "step", "why"), TABLE)
def test_the_table(given: MergeFacts, step: Step, why: Why) -> None:
    found = decide(given)
    assert (found.extra["step"], found.kind, found.go) == (step, why, step != Step.STOP)
    assert found.reason


def test_every_reason_is_in_the_table() -> None:
    assert {why for _, _, why in TABLE} == set(Why)


ANY = st.builds(
    facts,
    pull=st.fixed_dictionaries(
        {
            "head_repo": st.sampled_from(["acme/bench", "cleo/bench", None]),
            "open": st.booleans(),
            "draft": st.booleans(),
            "mergeable": st.sampled_from([True, False, None]),
        }
    ),
    login=st.sampled_from(["mia", JOB]),
    queue=st.booleans(),
    workflow_scope=st.sampled_from(list(Answer)),
    joined=st.builds(
        joined,
        behind=st.booleans(),
        repaired=st.booleans(),
        conflicts=st.sampled_from([(), ("a",)]),
        carries=st.sampled_from([(), (WORKFLOW,)]),
    ),
    changelog=st.sampled_from([RIGHT, WRONG]),
    readiness=st.sampled_from(["success", "failure", "pending", "error"]).map(ready),
    gates=st.sampled_from([(), (run(500),), (run(500, status="queued"),)]),
    checks=st.lists(st.builds(seen, st.sampled_from(Standing))).map(tuple),
)


@given(ANY)
def test_nothing_is_pushed_to_a_fork_and_nothing_merged_that_main_would_lose(given: MergeFacts) -> None:
    step = decide(given).extra["step"]
    if given.pull.fork:
        assert step != Step.UPDATE
    if step == Step.MERGE:
        assert given.readiness.extra["state"] == "success"
        assert given.changelog.go
        assert given.pull.mergeable
        assert not given.queue
        assert given.login != JOB
        assert not given.joined.needed or given.pull.fork
    if given.login == JOB:
        assert step in (Step.STOP, Step.DONE)
