"""A poisoned runner is taken out by its own word only, and comes back once it is well."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from infx.fleet import Ended
from infx.poison import Care, Mark, Move, Ward
from infx.policy import care
from infx.premises import Runner

POOL = ("pool",)
MARK = Mark(node="n1", why="w", run=5, labels=POOL)
OPEN = replace(MARK, labels=())
"""Its labels stayed on."""
OVER = replace(MARK, standing=False)


def runner(*labels: str) -> Runner:
    return Runner(id=1, name="n1", online=True, busy=False, labels=labels)


def moves(*reasons: str, run: int = 9, **more: Any) -> list[Move]:
    """`reasons` are those of the node's cells in this run, the newest first."""
    facts: dict[str, Any] = {
        "labels": {"pool": ("n1",)},
        "runners": [runner("pool", "x")],
        "ended": [Ended(node="n1", reason=reason, run=run) for reason in reasons],
        "marks": {},
        "probed": {},
    }
    return list(care.moves(Ward(**{**facts, **more})))


@pytest.mark.parametrize(
    ("reasons", "more", "expected"),
    [
        ([], {}, []),
        (["runner-poisoned"], {}, [(Care.TAKE, POOL)]),
        (["runner-poisoned"], {"runners": None}, [(Care.MARK, ())]),
        (["runner-poisoned"], {"runners": []}, [(Care.MARK, ())]),
        (["runner-poisoned"], {"runners": [runner("x")]}, [(Care.MARK, ())]),
        (["", "runner-poisoned"], {}, []),
        (["interrupted", "interrupted"], {}, []),
        (["engine-died"], {}, []),
        # what was over before is no news
        (["runner-poisoned"], {"marks": {"n1": OVER}, "run": 5}, []),
        (["runner-poisoned"], {"marks": {"n1": OVER}}, [(Care.TAKE, POOL)]),
        # it stands, and nothing says that it is well
        ([], {"marks": {"n1": MARK}, "runners": [runner("infx-probe-n1")]}, []),
        (["runner-poisoned"], {"marks": {"n1": MARK}, "runners": None}, []),
        (["engine-died"], {"marks": {"n1": OPEN}, "runners": None}, []),
        # its labels are on although they were taken, or the token may now
        ([], {"marks": {"n1": MARK}}, [(Care.TAKE, POOL)]),
        ([], {"marks": {"n1": OPEN}}, [(Care.TAKE, POOL)]),
        # it is well
        ([""], {"marks": {"n1": OPEN}}, [(Care.GIVE, ())]),
        ([""], {"marks": {"n1": OPEN}, "runners": None}, [(Care.GIVE, ())]),
        ([""], {"marks": {"n1": OPEN}, "run": 5}, [(Care.TAKE, POOL)]),
        ([], {"marks": {"n1": MARK}, "probed": {"n1": "success"}}, [(Care.GIVE, POOL)]),
        ([], {"marks": {"n1": MARK}, "runners": [runner()], "probed": {"n1": "failure"}}, []),
        ([], {"marks": {"n1": MARK}, "runners": None, "probed": {"n1": "success"}}, []),
    ],
)
def test_what_is_done(reasons: list[str], more: dict[str, Any], expected: list[Any]) -> None:
    assert [(move.care, move.labels) for move in moves(*reasons, **more)] == expected


REASONS = some.sampled_from(["", "runner-poisoned", "engine-died", "interrupted"])


@given(
    some.lists(REASONS, max_size=4),
    some.sampled_from([None, MARK, OPEN, OVER]),
    some.sampled_from([None, [], [runner("pool")], [runner("x")]]),
    some.sampled_from(["", "success", "failure"]),
)
def test_only_a_runner_that_is_seen_changes_and_a_mark_stands_until_it_is_well(
    reasons: list[str], mark: Mark | None, runners: list[Runner] | None, probe: str
) -> None:
    marks = {"n1": mark} if mark else {}
    for move in moves(*reasons, runners=runners, marks=marks, probed={"n1": probe}):
        assert move.runner == (1 if move.labels else 0)
        assert runners or not move.labels
        assert move.mark.standing is (move.care != Care.GIVE)
        assert reasons[:1] == ["runner-poisoned"] or (mark is not None and mark.standing)


def test_a_look_that_was_cut_off_forgets_no_label() -> None:
    """The record names both, one is off already: both come back later."""
    both = replace(MARK, labels=("pool", "big"))
    labels = {"pool": ("n1",), "big": ("n1",)}
    (move,) = moves(marks={"n1": both}, labels=labels, runners=[runner("big", "infx-probe-n1")])
    assert (move.care, move.labels, move.mark.labels) == (Care.TAKE, ("big",), ("pool", "big"))
