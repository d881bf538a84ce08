"""The status before the merge: one line that says what main would do."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.decision import Decision
from infx.policy import readiness, source
from infx.policy.readiness import LIMIT, STATE, Kind
from infx.source import ReadinessFacts, SourceFacts
from tests.builders import B, rules
from tests.policy.test_source import FACTS
from tests.sources import EVAL, MARKS, WHOLE, candidate, facts, other, use


def status(found: SourceFacts, sweeping: int | None = None) -> Decision:
    whole = ReadinessFacts(source=found, sweeping=sweeping)
    return readiness.decide(source.decide(found, rules()), whole)


HALF = candidate(500, MARKS[:5])
REST = candidate(501, [*MARKS[5:], EVAL])
ALL = candidate(500)


@pytest.mark.parametrize(
    ("found", "state", "text"),
    [
        (facts(wanted=()), "success", "not needed: no config key changes"),
        (
            facts(HALF, REST, asked=[use(500, 501)]),
            "success",
            "main will publish 9 of 9 points, 1 of 1 evals from runs 500 and 501",
        ),
        (
            facts(ALL, asked=[use(500)], wanted=MARKS),
            "success",
            "main will publish 9 of 9 points from run 500",
        ),
        (facts(HALF, asked=[use(500)], wanted=MARKS), "success", "partial 5 of 9, pinned by @mia"),
        (facts(HALF, wanted=MARKS), "failure", "partial 5 of 9: /sweep resume, or pin with /use"),
        (
            facts(HALF, asked=[use(500, bound=True)]),
            "failure",
            "partial 5 of 9, 0 of 1 evals: /sweep resume, or pin with /use",
        ),
        (facts(), "failure", "nothing authorised: /use <id>"),
        (facts(asked=[use()]), "failure", "nothing authorised: /use <id>"),
        (facts(ALL), "failure", "nothing authorised: /use 500"),
        (facts(ALL, asked=[use(withdraw=True)]), "failure", "nothing authorised: /use 500"),
        (
            facts(ALL, asked=[use(9)]),
            "failure",
            "no-such-run: run 9: no such run in this repository",
        ),
        (
            facts(ALL, labels=("evals-only",)),
            "failure",
            'blocking-modifier: label "evals-only" blocks reuse; remove it',
        ),
        (
            facts(ALL, asked=[use(500)], seen_head=B),
            "failure",
            "head-moved: head moved from bbbbbbb to aaaaaaa, repeat the command",
        ),
        (facts(trouble="GitHub answers 502"), "error", "could not tell: GitHub answers 502"),
    ],
)
def test_each_text(found: SourceFacts, state: str, text: str) -> None:
    got = status(found)
    assert (got.extra["state"], got.reason) == (state, text)
    assert got.extra["context"] == "infx/merge-readiness"


@pytest.mark.parametrize(
    ("fields", "state"), [({}, "pending"), ({"wanted": ()}, "success"), ({"trouble": "502"}, "pending")]
)
def test_a_running_sweep_is_pending_unless_nothing_is_needed(fields: dict[str, Any], state: str) -> None:
    assert status(facts(ALL, asked=[use(500)], **fields), sweeping=502).extra["state"] == state


def test_many_runs_are_counted() -> None:
    runs = [candidate(10**18 + number, [mark]) for number, mark in enumerate(WHOLE)]
    got = status(facts(*runs, asked=[use(*(run.run.id for run in runs))]))
    assert got.reason == "main will publish 9 of 9 points, 1 of 1 evals from 10 runs"
    assert status(facts(*runs)).reason == "nothing authorised: /use <id>"


def test_a_long_reason_is_cut() -> None:
    changed = candidate(500, [other(mark, recipe="x" * 64) for mark in MARKS])
    got = status(facts(changed, trouble="x" * 500))
    assert (len(got.reason), got.reason[-1]) == (LIMIT, "…")


@given(FACTS, st.none() | st.integers(1, 9))
def test_every_status_fits_and_agrees_with_the_decision(found: SourceFacts, sweeping: int | None) -> None:
    got = status(found, sweeping)
    assert isinstance(got.kind, Kind)
    assert (len(got.reason) <= LIMIT, "\n" in got.reason) == (True, False)
    assert got.extra["state"] == STATE[got.kind]
    if sweeping is None:
        assert (got.extra["state"] == "success") == source.decide(found, rules()).go
