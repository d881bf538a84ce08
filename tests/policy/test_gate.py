"""The event decision: handed cases, roles, money, forks, re-runs, and what GitHub itself holds back."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.decision import Decision
from infx.event import Run, Title, Webhook
from infx.facts import Answer, Facts, Reuse
from infx.policy import gate
from infx.verdict import FAILS, GO, Kind
from tests.builders import FAIL_FAST, FULL, REPO, B, C, dispatched, event, on_head, pull, rules, run_of


def decide(facts: Facts, policy: str = "") -> Decision:
    return gate.decide(facts, rules(policy))


def test_C01_a_label_of_somebody_else_starts_nothing() -> None:
    facts = event("labeled", "reuse-full-sweep-results", (FULL, "reuse-full-sweep-results"))
    decision = decide(replace(facts, runs=(run_of(100, facts, status="completed"),)))
    assert (decision.kind, decision.go, decision.extra["cancels"]) == (Kind.IGNORED, False, [])


def test_C02_every_run_has_its_own_group_and_a_stray_label_cancels_nothing() -> None:
    sweep = run_of(200, event("labeled", FAIL_FAST, (FAIL_FAST,)))
    decision = decide(
        event("labeled", "documentation", (FAIL_FAST, "documentation"), runs=(sweep,), run_id=201)
    )
    assert decision.extra == {"group": "sweep-201", "cancels": []}


def test_C04_the_event_that_repairs_a_clash_starts_without_a_commit() -> None:
    both = (FULL, FAIL_FAST)
    first = event("labeled", FULL, (FULL,), run_id=1)
    clash = event("labeled", FAIL_FAST, both, run_id=2, runs=(run_of(1, first),))
    repair = event("unlabeled", FAIL_FAST, (FULL,), run_id=3, runs=(run_of(1, first), run_of(2, clash)))
    decisions = [decide(facts) for facts in (first, clash, repair)]
    assert [decision.kind for decision in decisions] == [Kind.START, Kind.CLASH, Kind.START]
    assert [decision.extra["cancels"] for decision in decisions] == [[], [], [1]]
    assert FULL in decisions[1].reason
    assert FAIL_FAST in decisions[1].reason
    assert "no commit" in decisions[1].reason


@pytest.mark.parametrize("now", [(FAIL_FAST, "agentx-fast"), (FAIL_FAST, "evals-only")])
def test_C05_no_reuse_is_accepted_while_a_blocking_modifier_is_on(now: tuple[str, ...]) -> None:
    assert decide(event("synchronize", "", now, reuse=Reuse.COVERS)).kind == Kind.START
    assert decide(event("synchronize", "", (FAIL_FAST,), reuse=Reuse.COVERS)).kind == Kind.REUSE


def test_C43_a_trigger_label_that_is_on_already_does_not_start_for_a_later_one() -> None:
    custom = (
        "labels: {primary: {run-ci: {canary: true, canary-failure: key, fail-fast: false}}, modifier: {}}"
    )
    assert decide(event("labeled", "perf", ("run-ci", "perf")), custom).kind == Kind.IGNORED


@pytest.mark.parametrize(
    ("role", "live_head", "labels", "kind"),
    [
        (Answer.YES, "a" * 40, (FULL,), Kind.DISPATCH),
        (Answer.NO, "a" * 40, (FULL,), Kind.NOT_ALLOWED),
        (Answer.UNKNOWN, "a" * 40, (FULL,), Kind.COULD_NOT_TELL),
        (Answer.YES, C, (FULL,), Kind.HEAD_MOVED),
        (Answer.YES, "a" * 40, (FULL, FAIL_FAST), Kind.CLASH),
    ],
)
def test_C110_a_label_approves_one_head_of_a_fork(
    role: Answer, live_head: str, labels: Any, kind: Kind
) -> None:
    assert decide(fork("labeled", labels, may_label=role, live=pull(head_sha=live_head))).kind == kind


def test_C110_a_push_to_a_fork_needs_a_new_label_and_ends_the_old_sweep() -> None:
    old = on_head(event("labeled", FULL, (FULL,)), C)
    decision = decide(fork("synchronize", (FULL,), runs=(run_of(5, old, event="workflow_dispatch"),)))
    assert (decision.kind, decision.extra["cancels"]) == (Kind.FORK, [5])


def test_C82_the_marker_counts_on_a_pull_request_only() -> None:
    push = decide(Facts(webhook=Webhook(name="push", message="Update (#1)\n\n* refresh [skip-sweep]")))
    assert (push.kind, "ignored here" in push.reason) == (Kind.IGNORED, True)
    assert decide(event("synchronize", "", (FULL,), message="refresh [skip-sweep]")).kind == Kind.SKIPPED


def fork(action: str, labels: tuple[str, ...], *, head_repo: str | None = "eve/bench", **facts: Any) -> Facts:
    made = event(action, FULL if action == "labeled" else "", labels, **facts)
    assert made.webhook.pull
    theirs = replace(made.webhook.pull, head_repo=head_repo)
    return replace(made, webhook=replace(made.webhook, pull=theirs))


def test_a_deleted_head_repository_is_refused() -> None:
    assert decide(fork("labeled", (FULL,), head_repo=None)).kind == Kind.FORK_GONE


def test_dependabot_is_treated_like_a_fork() -> None:
    made = event("synchronize", "", (FULL,))
    assert made.webhook.pull
    bot = replace(made.webhook.pull, author="dependabot[bot]")
    assert decide(replace(made, webhook=replace(made.webhook, pull=bot))).kind == Kind.FORK


def test_a_label_that_came_with_the_opening_does_not_undo_the_marker() -> None:
    facts = event("labeled", FULL, (FULL,), message="docs [Skip-Sweep]")
    assert decide(facts).kind == Kind.START, "a person asked afterwards"
    assert decide(replace(facts, webhook=replace(facts.webhook, at_opening=True))).kind == Kind.SKIPPED


def test_an_opening_with_labels_is_told_several_times_and_starts_once() -> None:
    labels = (FULL, "all-evals")
    opened, first, second = (
        event("opened", "", labels),
        event("labeled", FULL, labels),
        event("labeled", "all-evals", labels),
    )
    runs = (run_of(1, opened), run_of(2, first), run_of(3, second))
    kinds = [
        decide(replace(one, run_id=i, runs=runs)).kind for i, one in enumerate((opened, first, second), 1)
    ]
    assert kinds == [Kind.START, Kind.NO_OP, Kind.NO_OP]


def test_removing_and_setting_the_primary_again_forces_a_sweep() -> None:
    labeled, gone = event("labeled", FULL, (FULL,)), event("unlabeled", FULL, ())
    runs = (run_of(1, labeled), run_of(2, gone))
    forced = decide(replace(labeled, run_id=3, runs=runs, reuse=Reuse.COVERS))
    assert (forced.kind, forced.extra["cancels"]) == (Kind.START, [1])


def test_control_that_comes_late_cancels_only_what_is_older_than_its_own_run() -> None:
    first, second = event("synchronize", "", (FULL,)), on_head(event("synchronize", "", (FULL,)), C)
    runs = (run_of(1, first), run_of(2, second))
    assert decide(replace(first, runs=runs, live=second.webhook.pull)).extra["cancels"] == []
    assert decide(replace(second, runs=runs, live=second.webhook.pull)).extra["cancels"] == [1]


def test_control_that_is_overtaken_and_sees_no_own_run_cancels_nothing() -> None:
    late, newer = event("unlabeled", FULL, ()), event("labeled", FULL, (FULL,))
    assert decide(replace(late, runs=(run_of(9, newer),), live=newer.webhook.pull)).extra["cancels"] == []


def test_an_equal_run_is_not_replaced_while_the_own_one_cannot_be_seen() -> None:
    pushed = event("synchronize", "", (FULL,))
    legacy = replace(run_of(1, pushed), title=None)
    older = run_of(2, on_head(pushed, C))
    mine = run_of(3, event("reopened", "", (FULL,)))
    assert decide(replace(pushed, runs=(legacy, older, mine))).extra["cancels"] == [2]


def test_a_run_with_a_foreign_title_is_replaced_too() -> None:
    pushed = event("synchronize", "", (FULL,))
    legacy = replace(run_of(1, pushed), title=None)
    assert decide(replace(pushed, run_id=4, runs=(legacy,))).extra["cancels"] == [1]


def test_runs_of_another_pull_request_are_left_alone() -> None:
    pushed = event("synchronize", "", (FULL,))
    other = replace(run_of(1, on_head(pushed, C)), pr=8)
    assert decide(replace(pushed, run_id=4, runs=(other,))).extra["cancels"] == []


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({}, Kind.REPEAT),
        ({"live": pull(labels=(FULL,))}, Kind.REPEAT),
        ({"live": pull(labels=(FULL,), open=False)}, Kind.REFUSED_RERUN),
        ({"live": pull(labels=(FULL,), head_sha=C)}, Kind.REFUSED_RERUN),
        ({"live": pull(labels=(FAIL_FAST,))}, Kind.REFUSED_RERUN),
        ({"live": pull(labels=())}, Kind.REFUSED_RERUN),
        ({"plan_recorded": False}, Kind.REFUSED_RERUN),
        ({"runs": (run_of(6, event("labeled", FULL, (FULL,))),)}, Kind.REFUSED_RERUN),
        ({"runs": (run_of(4, event("labeled", FULL, (FULL,))),)}, Kind.REPEAT),
        ({"runs": (run_of(6, event("labeled", "docs", (FULL,))),)}, Kind.REPEAT),
    ],
)
def test_a_rerun_repeats_its_plan_or_is_refused(changes: dict[str, Any], kind: Kind) -> None:
    assert decide(event("labeled", FULL, (FULL,), run_id=5, attempt=2, **changes)).kind == kind


def test_a_rerun_of_an_event_that_was_no_sweep_starts_none() -> None:
    again = event("labeled", "docs", (FULL, "docs"), run_id=5, attempt=2, live=pull(labels=(FULL,)))
    assert decide(again).kind == Kind.REFUSED_RERUN


@pytest.mark.parametrize("word", ["[skip ci]", "[CI skip]", "[no ci]", "[skip actions]", "[actions skip]"])
def test_githubs_own_skip_words_are_told_by_control(word: str) -> None:
    decision = decide(event("synchronize", "", (FULL,), message=f"fix {word}", runs=()))
    assert (decision.kind, word in decision.reason) == (Kind.SKIP_WORD, True)


def test_a_skip_trailer_counts_at_the_end_only() -> None:
    assert decide(event("opened", "", (FULL,), message="x\n\n\nskip-checks: true\n")).kind == Kind.SKIP_WORD
    assert decide(event("opened", "", (FULL,), message="x\nskip-checks: true\nmore")).kind == Kind.START


def test_a_run_that_exists_proves_that_github_started_it() -> None:
    facts = event(
        "synchronize", "", (FULL,), message="fix [skip ci]", live=pull(labels=(FULL,), mergeable=False)
    )
    assert decide(replace(facts, run_id=3)).kind == Kind.START
    assert decide(replace(facts, runs=(run_of(3, facts),))).kind == Kind.START


def test_a_conflict_and_a_held_run_are_told_apart() -> None:
    facts = event("labeled", FULL, (FULL,), live=pull(labels=(FULL,), mergeable=False))
    assert decide(facts).kind == Kind.CONFLICT
    held = run_of(3, facts, status="completed", conclusion="action_required")
    assert decide(replace(facts, runs=(held,))).kind == Kind.APPROVAL_PENDING


@pytest.mark.parametrize(
    ("answer", "kind"),
    [(Answer.YES, Kind.START), (Answer.NO, Kind.NOT_ALLOWED), (Answer.UNKNOWN, Kind.COULD_NOT_TELL)],
)
def test_the_role_of_who_set_the_label_counts(answer: Answer, kind: Kind) -> None:
    assert decide(event("labeled", FULL, (FULL,), may_label=answer)).kind == kind
    assert decide(event("synchronize", "", (FULL,), may_label=None)).kind == Kind.START


@pytest.mark.parametrize("action", ["opened", "reopened"])
@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (None, Kind.START),
        (Answer.YES, Kind.START),
        (Answer.NO, Kind.NOT_ALLOWED),
        (Answer.UNKNOWN, Kind.COULD_NOT_TELL),
    ],
)
def test_opening_with_a_label_needs_the_same_role(action: str, answer: Answer, kind: Kind) -> None:
    """Whoever may set labels but start no sweep could close and open again."""
    got = decide(event(action, "", (FULL,), may_label=answer))
    assert got.kind == kind
    assert got.go or FULL in got.reason


def test_a_pause_stops_everything_that_would_go_and_shows_its_reason() -> None:
    assert decide(event("labeled", FULL, (FULL,)), "paused: rack is down").reason.endswith("rack is down")
    assert decide(event("unlabeled", FULL, ()), "paused: rack is down").kind == Kind.CANCEL
    one_off = Facts(webhook=dispatched("one-off", pr=0))
    assert decide(one_off, "paused: x").kind == Kind.PAUSED


GRANT = "gpu-budget-approved"


@pytest.mark.parametrize(
    ("labels", "hours", "before", "grant", "kind"),
    [
        ((FULL,), 50.0, 0.0, None, Kind.START),
        ((FULL,), 101.0, 0.0, None, Kind.OVER_BUDGET),
        ((FULL,), 50.0, 260.0, None, Kind.OVER_BUDGET),
        ((FULL, GRANT), 101.0, 0.0, Answer.YES, Kind.START),
        ((FULL, GRANT), 101.0, 0.0, Answer.NO, Kind.OVER_BUDGET),
        ((FULL, GRANT), 101.0, 0.0, Answer.UNKNOWN, Kind.COULD_NOT_TELL),
    ],
)
def test_the_money_guard(labels: Any, hours: float, before: float, grant: Answer | None, kind: Kind) -> None:
    facts = event("synchronize", "", labels, gpu_hours=hours, gpu_hours_before=before, may_grant=grant)
    assert decide(facts, "max-gpu-hours: {plan: 100, pull: 300}").kind == kind


@pytest.mark.parametrize(
    ("hours", "grant", "kind"),
    [
        (101.0, Answer.YES, Kind.START),
        (50.0, Answer.YES, Kind.IGNORED),
        (101.0, Answer.NO, Kind.NOT_ALLOWED),
    ],
)
def test_the_grant_starts_the_sweep_that_waits_for_it(hours: float, grant: Answer, kind: Kind) -> None:
    facts = event("labeled", GRANT, (FULL, GRANT), gpu_hours=hours, may_grant=grant)
    assert decide(facts, "max-gpu-hours: {plan: 100}").kind == kind


def test_the_grant_changes_nothing_while_the_sweep_runs() -> None:
    running = run_of(1, event("labeled", FULL, (FULL,)))
    facts = event("labeled", GRANT, (FULL, GRANT), run_id=2, runs=(running,), may_grant=Answer.YES)
    assert decide(facts).kind == Kind.NO_OP


def test_an_empty_plan_starts_nothing_and_says_so() -> None:
    assert decide(event("labeled", FULL, (FULL,), points=0)).kind == Kind.NOTHING_TO_RUN


def test_a_base_change_cancels_only_when_points_changed() -> None:
    made = event("edited", "", (FULL,))
    running = run_of(1, made, event="pull_request")
    assert running.title
    old = replace(running, title=replace(running.title, action="opened", base_sha=C))
    edited = replace(made, webhook=replace(made.webhook, base_changed=True), runs=(old,))
    cancels = [
        decide(replace(edited, points_changed=value)).extra["cancels"] for value in (True, False, None)
    ]
    assert cancels == [[1], [], []]


@pytest.mark.parametrize(
    ("live", "kind"),
    [
        (pull(labels=(FULL,)), Kind.START),
        (pull(labels=(FULL,), open=False), Kind.CLOSED),
        (pull(labels=(FULL,), head_sha=C), Kind.HEAD_MOVED),
        (pull(labels=(FULL, FAIL_FAST)), Kind.CLASH),
        (pull(labels=()), Kind.CANCEL),
    ],
)
def test_a_dispatch_looks_again_before_it_starts(live: Any, kind: Kind) -> None:
    facts = Facts(webhook=dispatched("fork", labels=frozenset({FULL})), live=live, run_id=9)
    assert decide(facts).kind == kind


@pytest.mark.parametrize(
    ("other", "kind"),
    [
        ({"run_id": 10}, Kind.NO_OP),
        ({"run_id": 8}, Kind.START),
        ({"run_id": 10, "status": "completed"}, Kind.START),
        ({"run_id": 10, "event": "pull_request"}, Kind.START),
    ],
    ids=["newer", "older", "ended", "the fork's own"],
)
def test_of_two_labels_that_overlap_the_later_dispatch_measures(other: Any, kind: Kind) -> None:
    facts = Facts(webhook=dispatched("fork"), live=pull(labels=(FULL,)), run_id=9)
    rival = run_of(facts=facts, **{"event": "workflow_dispatch", **other})
    assert decide(replace(facts, runs=(rival,))).kind == kind


def test_a_resume_waits_for_the_sweep_of_the_same_head() -> None:
    facts = Facts(webhook=dispatched("resume"), live=pull(labels=(FULL,)), run_id=9)
    assert decide(replace(facts, runs=(run_of(8, event("labeled", FULL, (FULL,))),))).kind == Kind.NO_OP
    assert decide(facts).kind == Kind.START


def test_a_go_lists_what_it_took_for_granted() -> None:
    assert "the sender may start GPU jobs" in decide(event("labeled", FULL, (FULL,))).details["assumed"]
    assert decide(event("labeled", "docs", (FULL,))).details["assumed"] == []


def test_a_hostile_label_name_cannot_break_the_text() -> None:
    decision = decide(event("labeled", "\u202e\x1b[31m\n" + "x" * 5000, ()))
    assert decision.reason.isprintable()
    assert len(decision.reason) < 200


def test_a_label_with_a_typo_gets_a_suggestion() -> None:
    assert FULL in decide(event("labeled", "full-sweep-enable", ())).reason


def test_what_goes_is_never_red() -> None:
    assert not GO & FAILS


NAMES = st.sampled_from([FULL, FAIL_FAST, "all-evals", "agentx-fast", GRANT, "docs", "", "\u0000", "é"])
ACTIONS = ("labeled", "unlabeled", "opened", "closed", "edited", "synchronize", "odd", "reopened", "")
LABELS = st.lists(NAMES, max_size=4).map(tuple)
PULLS = st.builds(
    pull,
    labels=LABELS,
    open=st.booleans(),
    head_sha=st.sampled_from(["a" * 40, C]),
    head_repo=st.sampled_from([REPO, "eve/bench", None]),
    mergeable=st.sampled_from([None, True, False]),
)
HOOKS = st.one_of(
    st.builds(
        Webhook, name=st.just("pull_request"), action=st.sampled_from(ACTIONS), label=NAMES, pull=PULLS
    ),
    st.sampled_from([dispatched(mode) for mode in ("fork", "resume", "one-off")]),
    st.builds(Webhook, name=st.sampled_from(["push", "unknown", ""])),
)
TITLES = st.builds(
    Title,
    pr=st.just(7),
    action=st.sampled_from(ACTIONS),
    head_sha=st.sampled_from(["a" * 40, C]),
    base_sha=st.just(B),
    label=NAMES,
    labels=LABELS.map(frozenset),
)
RUNS = st.lists(
    st.builds(
        Run,
        id=st.integers(1, 9),
        status=st.sampled_from(["queued", "completed"]),
        pr=st.just(7),
        title=st.none() | TITLES,
    ),
    max_size=5,
).map(tuple)
FACTS = st.builds(
    Facts,
    webhook=HOOKS,
    run_id=st.none() | st.integers(1, 9),
    attempt=st.integers(1, 2),
    live=st.none() | PULLS,
    message=st.none() | st.sampled_from(["x", "[skip-sweep]", "[skip ci]"]),
    may_label=st.none() | st.sampled_from(Answer),
    may_grant=st.none() | st.sampled_from(Answer),
    reuse=st.none() | st.sampled_from(Reuse),
    runs=st.none() | RUNS,
    points=st.none() | st.integers(0, 2),
    points_changed=st.none() | st.booleans(),
    gpu_hours=st.none() | st.floats(0, 1e5),
)


@given(FACTS)
def test_every_fact_sheet_gets_one_answer_that_keeps_the_promises(facts: Facts) -> None:
    decision = decide(facts)
    assert decision.kind in list(Kind)
    assert decision.reason
    assert decision.go == (decision.kind in GO)
    assert facts.run_id not in decision.extra["cancels"] or facts.webhook.action == "closed"
    if facts.webhook.action in ("labeled", "unlabeled") and facts.webhook.label in ("docs", "", "é"):
        assert decision.extra["cancels"] == []
        assert not decision.go or facts.attempt > 1
