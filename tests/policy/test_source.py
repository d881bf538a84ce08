"""Resolve source: one decision about whose results stand."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infx.decision import Decision
from infx.eligible import RULES
from infx.equal import Mark
from infx.facts import Answer
from infx.ledger import State
from infx.policy.source import available, decide
from infx.source import Authorisation, Candidate, Kind, Measured, Recorded, SourceFacts
from infx.union import NOT_MEASURED
from tests.builders import FAIL_FAST, A, B, point, rules
from tests.sources import EVAL, MARKS, WHOLE, candidate, dispatched, facts, measured, other, run, use

BARE = use()


def answer(found: SourceFacts, policy: str = "") -> Decision:
    return decide(found, rules(policy))


def kinds(decision: Decision) -> dict[int, str]:
    return {one["run"]: one["rule"] for one in decision.extra["refused"]}


def missing(decision: Decision) -> dict[str, str]:
    return {one["title"]: one["reason"] for one in decision.details["missing"]}


def test_a_complete_run_covers() -> None:
    got = answer(facts(candidate(), asked=[use(500)]))
    assert (got.kind, got.go, got.extra["runs"]) == (Kind.COVERS, True, [500])
    assert got.reason == "main will publish 9 of 9 points, 1 of 1 evals from run 500"
    assert got.details["warnings"] == []


def test_several_runs_are_united_point_by_point() -> None:
    failed = measured(MARKS[5], state=State.INVALID, reason="server-crash")
    one = candidate(500, [*MARKS[:5], failed], run=run(500, conclusion="failure"))
    two = candidate(501, [*MARKS[4:], EVAL])
    got = answer(facts(one, two, asked=[use(500, 501)]))
    assert got.reason == "main will publish 9 of 9 points, 1 of 1 evals from runs 500 and 501"
    accepted = {one["title"]: (one["run"], one["superseded"]) for one in got.details["accepted"]}
    assert (accepted["C1"], accepted["C12"], accepted["C16"]) == ((500, 0), (501, 1), (501, 0))


def test_what_is_missing_has_its_reason() -> None:
    points: list[Mark | Measured] = [
        *MARKS[:5],
        measured(MARKS[5], state=State.INVALID, reason="ambiguous-duplicate"),
        measured(MARKS[6], held=False),
        measured(MARKS[7], state=State.INVALID, reason="wrong-identity"),
        measured(MARKS[8], state=State.INVALID, reason="unreadable"),
    ]
    got = answer(facts(candidate(500, points), asked=[use(500)]))
    assert (got.kind, got.go, got.reason) == (
        Kind.PARTIAL,
        True,
        "partial 5 of 9, 0 of 1 evals, pinned by @mia",
    )
    assert missing(got) == {
        "C16": "ambiguous-duplicate",
        "C24": "expired",
        "C32": "wrong-identity",
        "C48": "unreadable",
        "C48 gsm8k": NOT_MEASURED,
    }


REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("other-workflow", {"run": run(path=".github/workflows/e2e.yml")}),
    ("other-event", {"run": run(event="schedule")}),
    ("fork-event", {"run": run(head_repo="eve/bench")}),
    ("fork-event", {"run": run(head_repo=None)}),
    ("not-finished", {"run": run(status="in_progress", conclusion=None)}),
    ("unreadable", {"broken": "its plan is no JSON"}),
    ("other-pull-request", {"run": run(pr=8)}),
    ("other-pull-request", {"plan": Recorded(pr=8, head_sha="", reusable=True)}),
    ("not-reusable", {"plan": Recorded(pr=7, head_sha="", reusable=False)}),
    ("empty", {"points": []}),
    ("legacy-head", {"plan": None, "in_pull": False}),
    ("legacy-labels", {"plan": None, "labels": ("full-sweep-enabled", "evals-only")}),
    ("nothing-valid", {"points": [measured(MARKS[0], state=State.INVALID)]}),
    ("expired", {"points": [measured(MARKS[0], held=False)]}),
    ("execution-inputs-changed", {"points": [other(MARKS[0], recipe="x")]}),
]


@pytest.mark.parametrize(("kind", "fields"), REFUSED)
def test_a_run_is_refused_by_the_rule_it_fails(kind: str, fields: dict[str, Any]) -> None:
    got = answer(facts(candidate(**fields), asked=[use(500)]))
    assert (got.go, got.kind, kinds(got)) == (False, kind, {500: kind})


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("other-branch", {"run": run(event="workflow_dispatch", head_branch="topic")}),
        ("not-approved", {"plan": Recorded(pr=7, head_sha=B, reusable=True)}),
        ("not-approved", {"plan": None}),
    ],
)
def test_a_dispatched_run_needs_an_approved_plan_of_the_default_branch(
    kind: str, fields: dict[str, Any]
) -> None:
    base = dispatched(500)
    assert answer(facts(base, asked=[use(500)])).kind == Kind.COVERS
    assert answer(facts(replace(base, **fields), asked=[use(500)])).kind == kind


def test_the_rules_are_told_in_the_order_in_which_they_are_tried() -> None:
    order = list(Kind)
    assert [kind for kind, _ in RULES] == sorted((kind for kind, _ in RULES), key=order.index)


@pytest.mark.parametrize("number", [3, 10**18])
def test_a_run_that_does_not_exist_is_said_so(number: int) -> None:
    got = answer(facts(asked=[use(number)]))
    assert (got.kind, got.reason) == ("no-such-run", f"run {number}: no such run in this repository")


@pytest.mark.parametrize(
    ("fields", "kind", "go"),
    [
        ({"wanted": ()}, Kind.NOT_NEEDED, True),
        ({"trouble": "GitHub answers 502"}, Kind.COULD_NOT_TELL, False),
        ({"labels": ("full-sweep-enabled", "agentx-fast")}, Kind.BLOCKED, False),
        ({"asked": ()}, Kind.NOTHING_AUTHORISED, False),
        ({"asked": [use(500), use(withdraw=True, comment=2)]}, Kind.WITHDRAWN, False),
        ({"asked": [use(500, standing=False)]}, Kind.NOTHING_AUTHORISED, False),
        ({"seen_head": B}, Kind.HEAD_MOVED, False),
    ],
)
def test_what_comes_before_any_run(fields: dict[str, Any], kind: Kind, go: bool) -> None:
    got = answer(facts(candidate(), **{"asked": [use(500)], **fields}))
    assert (got.kind, got.go) == (kind, go)


@pytest.mark.parametrize("asked", [BARE, use(500)], ids=["bare", "pinned"])
@pytest.mark.parametrize("modifier", ["agentx-fast", "evals-only"])
def test_C05_fast_results_never_become_official(asked: Authorisation, modifier: str) -> None:
    made = (FAIL_FAST, modifier)
    fast = candidate(500, plan=Recorded(pr=7, head_sha=A, reusable=False), labels=made)
    on, off = (answer(facts(fast, asked=[asked], labels=now)) for now in (made, made[:1]))
    assert [(one.kind, one.go) for one in (on, off)] == [(Kind.BLOCKED, False), (Kind.NOT_REUSABLE, False)]
    old = answer(facts(replace(fast, plan=None), asked=[asked], labels=made[:1]))
    assert (old.kind, old.go) == (Kind.LEGACY_LABELS, False)


def test_nothing_authorised_says_what_could_be() -> None:
    got = answer(facts(candidate(500, MARKS[:5]), candidate(501, MARKS[5:])))
    assert got.details["available"]["runs"] == [500, 501]
    assert got.details["available"]["coverage"]["points"] == {"have": 9, "of": 9}


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"asked": ()}, Kind.NOTHING_AUTHORISED),
        ({"asked": [use(withdraw=True)]}, Kind.WITHDRAWN),
        ({"asked": [BARE], "labels": ("agentx-fast",)}, Kind.BLOCKED),
        ({"asked": [BARE], "seen_head": B}, Kind.HEAD_MOVED),
    ],
)
def test_every_candidate_is_listed_whatever_came_before_it(fields: dict[str, Any], kind: Kind) -> None:
    runs = [candidate(500), candidate(501, []), candidate(502, run=run(502, pr=8))]
    assert kinds(answer(facts(*runs, **fields))) == {500: kind, 501: "empty", 502: "other-pull-request"}


def test_where_runs_are_named_the_others_were_not_looked_into_and_are_told_so() -> None:
    got = answer(facts(candidate(500), candidate(501, []), asked=[use(500)], labels=("agentx-fast",)))
    assert kinds(got) == {500: Kind.BLOCKED, 501: "not-named"}


def test_a_run_that_could_not_be_looked_at_leaves_it_open_only_where_it_matters() -> None:
    unclear = candidate(502, [], trouble="GitHub answers 502")
    assert answer(facts(candidate(500), unclear, asked=[BARE])).kind == Kind.COULD_NOT_TELL
    assert answer(facts(candidate(503), unclear, asked=[BARE])).kind == Kind.COVERS
    assert answer(facts(candidate(500), unclear, asked=[use(500)])).kind == Kind.COVERS
    assert answer(facts(candidate(500), unclear, asked=[use(500, 502)])).kind == Kind.COULD_NOT_TELL


def test_accept_changed_is_recorded_and_needs_the_right() -> None:
    changed = measured(other(MARKS[0], row="x"), differs=("image",))
    held = candidate(500, [changed, *WHOLE[1:]])
    plain = use(500, accept_changed=True)
    assert answer(facts(held, asked=[plain])).kind == Kind.NOTHING_AUTHORISED
    got = answer(facts(held, asked=[replace(plain, may_accept_changed=Answer.YES)]))
    assert (got.kind, got.details["accepted"][0]["match"]) == (Kind.COVERS, "changed")
    assert got.details["warnings"] == ["C1 is accepted although changed: image"]


def test_another_topology_at_the_same_concurrency_is_no_changed_point() -> None:
    four, eight = other(MARKS[0], row="tp4"), other(MARKS[0], row="tp8")
    wanted = (replace(four, id="4"), replace(eight, id="8"))
    asked = [use(500, accept_changed=True, may_accept_changed=Answer.YES)]
    got = answer(facts(candidate(500, [wanted[0]]), asked=asked, wanted=wanted))
    assert [one["point"] for one in got.details["accepted"]] == ["4"]


@pytest.mark.parametrize(("policy", "kind"), [("", Kind.COVERS), ("base-drift: refuse", Kind.DRIFT)])
def test_base_drift_follows_the_policy(policy: str, kind: Kind) -> None:
    drifted = [measured(other(mark, shared="old"), drift=("lib.sh",)) for mark in WHOLE]
    got = answer(facts(candidate(500, drifted), asked=[use(500)]), policy)
    assert got.kind == kind
    assert "lib.sh" in str(got.details.get("warnings", got.reason))


@pytest.mark.parametrize("fields", [{}, {"drift": ("lib.sh",), "own": ("lib.sh",)}])
def test_a_shared_file_that_the_pull_request_touches_is_no_drift(fields: dict[str, Any]) -> None:
    drifted = [measured(other(mark, shared="old"), **fields) for mark in WHOLE]
    assert answer(facts(candidate(500, drifted), asked=[use(500)])).kind == Kind.CHANGED


def test_the_newest_authorised_command_wins() -> None:
    newer = use(501, comment=2, at="2026-07-02T00:00:00Z")
    got = answer(facts(candidate(500), candidate(501), asked=[newer, use(500)]))
    assert (got.extra["runs"], kinds(got)) == ([501], {500: "not-named"})


def test_evals_that_the_target_added_are_notes() -> None:
    got = answer(facts(candidate(), asked=[use(500)], added_evals=("C64 gsm8k",)))
    assert (got.kind, got.details["notes"]) == (
        Kind.COVERS,
        ["evals that the target added since: C64 gsm8k"],
    )


def test_C68_a_merge_of_main_keeps_what_was_authorised() -> None:
    merged = [measured(mark) for mark in WHOLE]
    got = answer(facts(candidate(500, merged), asked=[use(500, bound=True)], head_sha="c" * 40))
    assert (got.kind, got.go) == (Kind.COVERS, True)


def test_C70_a_no_op_run_never_counts_however_green() -> None:
    noop, real = candidate(27588869506, []), candidate(27528759942)
    got = answer(facts(noop, real, asked=[BARE]))
    assert (got.extra["runs"], kinds(got)) == ([27528759942], {27588869506: "empty"})


def test_C71_the_answer_comes_while_the_pull_request_is_open() -> None:
    failed = candidate(3, WHOLE, run=run(3, conclusion="failure", attempt=3))
    got = answer(facts(candidate(1, []), candidate(2, []), failed, asked=[BARE]))
    assert (got.go, kinds(got)) == (False, {3: "unsuccessful", 2: "empty", 1: "empty"})
    told = [
        "run 3: it ended in failure; pin it with /use 3",
        *(f"run {n}: it measured nothing" for n in (2, 1)),
    ]
    assert got.reason == "; ".join(told)
    assert answer(facts(failed, asked=[use(3)])).kind == Kind.COVERS


@pytest.mark.parametrize("asked", [BARE, use(27996)])
def test_C73_equal_points_count_although_the_commit_was_rewritten(asked: Authorisation) -> None:
    old = candidate(27996, run=run(27996, head_sha="01d1" * 10), in_pull=False)
    got = answer(facts(old, asked=[asked]))
    assert (got.kind, got.details["warnings"]) == (
        Kind.COVERS,
        ["run 27996 measured 01d101d, a commit that was rewritten since"],
    )


def test_C73_another_image_is_another_point() -> None:
    old = [measured(other(mark, row="x"), differs=("image: v1 → v2",)) for mark in WHOLE]
    got = answer(facts(candidate(27996, old, in_pull=False), asked=[use(27996)]))
    assert got.kind == "execution-inputs-changed"
    assert "image: v1 → v2" in got.reason


@pytest.mark.parametrize(("asked", "go"), [(BARE, False), (use(30326), True)])
def test_C74_a_cancelled_run_counts_point_by_point_when_it_is_pinned(asked: Authorisation, go: bool) -> None:
    cut = candidate(30326, MARKS, run=run(30326, conclusion="cancelled"))
    got = answer(facts(cut, asked=[asked]))
    assert got.go == go
    if go:
        assert (got.reason, got.details["warnings"]) == (
            "partial 0 of 1 evals, pinned by @mia",
            ["missing: C48 gsm8k"],
        )


def test_C76_a_trimmed_sweep_does_not_stand_for_a_full_one() -> None:
    plan = tuple(Mark.of(point(load)) for load in range(1, 19))
    got = answer(facts(candidate(8, plan[:3]), asked=[BARE], wanted=plan))
    assert (got.kind, "3 of 18" in got.reason) == ("partial-coverage", True)


def test_C77_a_later_push_that_touches_what_runs_voids_the_authorisation() -> None:
    bound = use(500, bound=True, lacking=(MARKS[8],))
    held = candidate(500, [*MARKS[:8], EVAL])
    assert answer(facts(held, asked=[bound])).kind == Kind.PARTIAL
    pushed = (other(MARKS[0], recipe="new"), *WHOLE[1:])
    got = answer(facts(held, asked=[bound], wanted=pushed))
    assert (got.go, got.kind, missing(got)) == (
        False,
        "execution-inputs-changed",
        {"C1": "execution-inputs-changed"},
    )


@pytest.mark.parametrize(("policy", "kind"), [("", Kind.COVERS), ("excluded-node: refuse", Kind.EXCLUDED)])
def test_C77_an_excluded_node_is_a_warning_or_what_the_policy_says(policy: str, kind: Kind) -> None:
    held = candidate(500, [measured(mark, node="b300-005") for mark in WHOLE])
    got = answer(facts(held, asked=[use(500)], excluded_nodes=("b300-005", "b300-006")), policy)
    assert (got.kind, "b300-005" in str(got.as_json())) == (kind, True)


def test_C79_latest_authorised_command_wins_and_a_bare_one_unpins() -> None:
    asked = [
        use(100),
        use(999, comment=2, may=Answer.NO),
        use(501, comment=6, at="2026-07-06T00:00:00Z"),
        use(comment=7, at="2026-07-07T00:00:00Z"),
    ]
    runs = [candidate(100), candidate(501), candidate(999)]
    pinned = [answer(facts(*runs, asked=asked[:count])).extra["runs"] for count in (2, 3, 4)]
    assert pinned == [[100], [501], [999]]


MARK = st.sampled_from(WHOLE)
POINT = st.builds(
    measured,
    st.one_of(
        MARK, MARK.map(lambda mark: other(mark, recipe="x")), MARK.map(lambda mark: other(mark, shared="x"))
    ),
    state=st.sampled_from(State),
    held=st.booleans(),
    node=st.sampled_from(["n1", "bad"]),
    drift=st.sampled_from([(), ("lib.sh",)]),
    own=st.sampled_from([(), ("lib.sh",)]),
)
POINTS = st.lists(POINT, max_size=12, unique_by=lambda one: one.mark.id).map(tuple)
RUN = st.builds(
    candidate,
    st.integers(1, 6),
    st.one_of(POINTS, st.just(tuple(measured(mark) for mark in WHOLE))),
    in_pull=st.booleans(),
    plan=st.sampled_from([Recorded(pr=7, head_sha=A, reusable=True), None]),
)
RUNS = st.lists(RUN, max_size=5, unique_by=lambda one: one.run.id)
ASKED = st.builds(
    lambda runs, **fields: use(*runs, **fields),
    st.lists(st.integers(1, 8), max_size=3, unique=True),
    comment=st.integers(1, 3),
    accept_changed=st.booleans(),
    may_accept_changed=st.sampled_from(Answer),
    standing=st.booleans(),
    bound=st.booleans(),
)
COMMANDS = st.lists(ASKED, max_size=3, unique_by=lambda one: one.comment)
FACTS = st.builds(
    lambda runs, asked, nodes: facts(*runs, asked=asked, excluded_nodes=nodes),
    RUNS,
    COMMANDS,
    st.sampled_from([(), ("bad",)]),
)
POLICY = st.sampled_from(["", "base-drift: refuse", "excluded-node: refuse"])


def essence(decision: Decision) -> tuple[Any, ...]:
    """What is decided, without the list of what was refused."""
    chosen = [(one["point"], one["run"]) for one in decision.details.get("accepted", ())]
    return (decision.go, decision.extra["runs"], decision.extra["coverage"], chosen)


@given(FACTS, st.randoms(), POLICY)
def test_the_order_of_runs_and_commands_does_not_matter(found: SourceFacts, dice: Any, policy: str) -> None:
    runs, asked = list(found.candidates), list(found.authorisations)
    dice.shuffle(runs)
    dice.shuffle(asked)
    mixed = replace(found, candidates=tuple(runs), authorisations=tuple(asked))
    assert answer(mixed, policy) == answer(found, policy)


INELIGIBLE = st.sampled_from(
    [fields for _, fields in REFUSED if fields != {"points": [other(MARKS[0], recipe="x")]}]
)


@settings(max_examples=200)
@given(FACTS, INELIGIBLE, st.integers(1, 9), POLICY)
def test_an_ineligible_run_never_changes_the_answer(
    found: SourceFacts, fields: dict[str, Any], number: int, policy: str
) -> None:
    if number in {run.run.id for run in found.candidates}:
        return
    made = candidate(number, **fields)
    more = replace(made, run=replace(made.run, id=number))
    after = answer(replace(found, candidates=(more, *found.candidates)), policy)
    assert essence(after) == essence(answer(found, policy))


@given(FACTS, ASKED, st.sampled_from([Answer.NO, Answer.UNKNOWN]))
def test_an_unauthorised_person_never_changes_the_answer(
    found: SourceFacts, asked: Authorisation, may: Answer
) -> None:
    theirs = replace(asked, may=may, at="2026-12-01T00:00:00Z", comment=99)
    assert answer(replace(found, authorisations=(theirs, *found.authorisations))) == answer(found)


def merged(found: SourceFacts) -> SourceFacts:
    """The same pull request after main, which changed a shared file, was merged into it."""
    wanted = tuple(other(mark, shared="of main") for mark in found.wanted)
    runs = tuple(
        replace(run, points=tuple(replace(one, drift=("main.sh", *one.drift)) for one in run.points))
        for run in found.candidates
    )
    return replace(found, head_sha=B, wanted=wanted, candidates=runs)


@given(RUNS, COMMANDS)
def test_a_merge_of_main_never_voids(runs: list[Candidate], asked: list[Authorisation]) -> None:
    """Of runs with a recorded plan: what older tooling shared with other recipes is not on record."""
    plan = Recorded(pr=7, head_sha=A, reusable=True)
    own = [replace(run, plan=plan, points=tuple(replace(one, own=()) for one in run.points)) for run in runs]
    before = facts(*own, asked=asked)
    assert not answer(before).go or answer(merged(before)).go


@given(FACTS, POLICY)
def test_every_answer_is_from_the_closed_list_and_only_taken_points_are_covered(
    found: SourceFacts, policy: str
) -> None:
    got = answer(found, policy)
    assert isinstance(got.kind, Kind)
    assert got.go == bool(got.extra["runs"])
    assert {one["rule"] for one in got.extra["refused"]} <= {str(kind) for kind in Kind}
    assert set(got.extra["runs"]) <= {run.run.id for run in found.candidates}
    assert len(available(found, rules(policy))) == len(WHOLE)


@pytest.mark.parametrize(
    ("runs", "kind"), [((12,), Kind.COVERS), (range(1, 13), Kind.COVERS), ((40,), Kind.EMPTY)]
)
def test_a_busy_pull_request_is_decided_at_once(runs: Sequence[int], kind: Kind) -> None:
    plan = tuple(Mark.of(point(load)) for load in range(1, 301))
    full = [candidate(number, plan) for number in range(1, 13)]
    empty = [candidate(number, []) for number in range(13, 41)]
    asked = [use(*runs, comment=number) for number in range(300)]
    found = facts(*full, *empty, asked=asked, wanted=plan)
    assert answer(found).kind == kind
    assert min(seconds(found) for _ in range(5)) < 0.05


def seconds(found: SourceFacts) -> float:
    started = time.process_time()
    answer(found)
    return time.process_time() - started
