"""Facts of an event: what is asked, and how little."""

from functools import partial
from typing import Any

import pytest

from infx.edge.facts import Gatherer
from infx.errors import Refused
from infx.event import Title
from infx.facts import Answer, Facts
from infx.policy import gate, permit
from infx.read import payload as reader
from infx.read import title
from infx.sweeps import Sweeps
from infx.verdict import Kind
from tests.builders import FULL, A, B, rules
from tests.edge.server import Reply, Server
from tests.edge.test_github import R, raw_run
from tests.payloads import named, payload

GRANT = "gpu-budget-approved"
BRANCHES = ("acme/bench", "eve/bench")
"""Repositories that have a branch of the same name."""


def gathered(server: Server, value: dict[str, Any], **known: Any) -> Facts:
    """Facts that the served repository gives for a payload."""
    server.routes[f"GET {R}/pulls/7"] = Reply(200, value.get("pull_request"))
    server.routes[f"GET {R}/git/commits/{A}"] = Reply(200, {"message": "tune"})
    server.routes[f"GET {R}/collaborators/ada/permission"] = Reply(200, {"permission": "admin"})
    triage = {"permission": "read", "role_name": "triage"}
    server.routes[f"GET {R}/collaborators/tri/permission"] = Reply(200, triage)
    mine = title.write(Title(pr=7, action="opened", head_sha=A, base_sha=B))
    runs = [raw_run(n, mine, head_repository={"full_name": name}) for n, name in enumerate(BRANCHES, 1)]
    server.routes[f"GET {R}/actions/workflows/sweep.yml/runs"] = lambda asked: Reply(
        200, {"workflow_runs": runs if "branch" in asked.query else [], "total_count": 0}
    )
    events = [
        {"id": 1, "event": "labeled", "label": {"name": GRANT}, "actor": {"login": "eve"}},
        {"id": 2, "event": "labeled", "label": {"name": GRANT}, "actor": {"login": "ada"}},
        {"id": 3, "event": "labeled", "label": {"name": FULL}, "actor": {"login": "tri"}},
    ]
    if f"GET {R}/issues/7/events" not in server.routes:
        server.pages(f"{R}/issues/7/events", events)
    may = partial(permit.may, rules=rules())
    github = server.github()
    listed = Sweeps(github, rules().layout.sweep_workflow).runs
    gatherer = Gatherer(github=github, rules=rules(), may=may, runs=listed)
    return gatherer.gather(reader.read(value, where="e"), **known)


@pytest.mark.parametrize(
    ("value", "requests"),
    [
        (payload("opened"), 1),
        (payload("reopened", labels=named(FULL)), 6),
        (payload("synchronize", labels=named(FULL)), 4),
        (payload("labeled", label=FULL, labels=named(FULL)), 5),
        (payload("labeled", label="docs", labels=named(FULL, "docs")), 0),
        (payload("ready_for_review", labels=named(FULL)), 0),
        (payload("closed", state="closed"), 3),
        (payload("synchronize", labels=named(FULL, GRANT)), 6),
        ({"action": "created", "issue": {}, "comment": {}}, 0),
    ],
)
def test_an_event_costs_few_requests(server: Server, value: dict[str, Any], requests: int) -> None:
    gathered(server, value)
    assert len(server.asked) == requests


def test_a_known_message_is_not_asked_for(server: Server) -> None:
    facts = gathered(server, payload("synchronize", labels=named(FULL)), message="known", run_id=5)
    assert (facts.message, facts.run_id, len(server.asked)) == ("known", 5, 0)


def test_nothing_is_left_to_assume_but_the_plan(server: Server) -> None:
    facts = gathered(server, payload("labeled", label=FULL, labels=named(FULL)))
    decision = gate.decide(facts, rules())
    assert decision.kind == Kind.START
    assert len(decision.details["assumed"]) == 2
    assert all("plan" in text for text in decision.details["assumed"])


def test_who_set_the_grant_last_answers_for_it(server: Server) -> None:
    facts = gathered(server, payload("synchronize", labels=named(FULL, GRANT)))
    assert facts.may_grant == Answer.YES


def test_who_set_the_label_answers_for_an_opening_with_it(server: Server) -> None:
    """`ada` opens it again; the label is from somebody who may start nothing."""
    facts = gathered(server, payload("reopened", labels=named(FULL)))
    assert gate.decide(facts, rules()).kind == Kind.NOT_ALLOWED


def test_a_token_that_may_not_see_labelings_asks_about_who_opened(server: Server) -> None:
    server.routes[f"GET {R}/issues/7/events"] = Reply(403, {"message": "Resource not accessible"})
    facts = gathered(server, payload("opened", labels=named(FULL)), message="tune", run_id=5)
    assert facts.may_label == Answer.YES


def test_a_namesake_branch_of_a_fork_cannot_pass_as_ours(server: Server) -> None:
    facts = gathered(server, payload("synchronize", labels=named(FULL)))
    assert [run.id for run in facts.runs or ()] == [1]


def test_a_token_that_may_not_look_leaves_it_to_control_but_not_in_a_rerun(server: Server) -> None:
    known = {"message": "tune", "run_id": 5}
    server.faults = [Reply(403, {"message": "Resource not accessible by integration"})]
    assert gathered(server, payload("synchronize", labels=named(FULL)), **known).live is None
    server.faults = [Reply(403, {"message": "Resource not accessible by integration"})]
    with pytest.raises(Refused):
        gathered(server, payload("synchronize", labels=named(FULL)), **known, attempt=2)


def test_a_label_by_nobody_is_not_taken_for_allowed(server: Server) -> None:
    facts = gathered(server, payload("labeled", label=FULL, labels=named(FULL)) | {"sender": None})
    assert gate.decide(facts, rules()).kind == Kind.COULD_NOT_TELL
