"""Which jobs a machine runs again."""

from typing import Any

import pytest

from infx.decision import Decision
from infx.event import JobView
from infx.ledger import Entry, State
from infx.policy.again import Failed, Way, again, culprits, missed


def entry(title: str, state: State, reason: str = "", attempt: int | None = None) -> Entry:
    own: dict[str, Any] = {"point": title.lower(), "key": "k", "title": title, "mode": "throughput"}
    return Entry(**own, state=state, reason=reason, attempt=attempt)


def job(name: str, *, attempt: int = 1, conclusion: str | None = "failure") -> JobView:
    return JobView(id=1, name=name, status="completed", conclusion=conclusion, attempt=attempt)


def failed(title: str, go: bool) -> Failed:
    decision = Decision(decision="failure", go=go, kind="x", reason="y")
    return Failed(entry=entry(title, State.INVALID, "client-failed"), job=job(title), failure=decision)


@pytest.mark.parametrize(
    ("given", "lasting", "way", "title"),
    [
        pytest.param([failed("C4", True)], False, Way.FAILED, None, id="C40-one-of-thirteen"),
        ([failed("C4", True), failed("C8", True)], False, Way.FAILED, None),
        ([failed("C4", False), failed("C8", True)], False, Way.JOB, "C8"),
        ([failed("C4", True)], True, Way.JOB, "C4"),
        ([failed("C4", False)], False, Way.NOTHING, None),
        ([], False, Way.NOTHING, None),
    ],
)
def test_only_what_may_pass_is_run_again(
    given: list[Failed], lasting: bool, way: Way, title: str | None
) -> None:
    found, one = again(given, lasting=lasting)
    assert (found, one.entry.title if one else None) == (way, title)


def test_points_that_others_cut_short_are_no_failures_of_their_own() -> None:
    entries = [
        entry("C1", State.VALID, attempt=1),
        entry("C4", State.INVALID, "engine-died"),
        entry("C8", State.NOT_STARTED, "fail-fast"),
        entry("C12", State.NOT_STARTED, "canary-failed"),
        entry("C16", State.MISSING, "no-artifact"),
        entry("C32", State.RUNNING),
    ]
    assert [one.title for one in culprits(entries)] == ["C4", "C16"]


@pytest.mark.parametrize(
    ("attempt", "jobs", "expected"),
    [
        (1, {}, ()),
        (2, {"c4": job("C4", attempt=2), "c8": job("C8", attempt=2)}, ()),
        (2, {"c4": job("C4", attempt=2), "c8": job("C8", attempt=1)}, ("C8",)),
        (2, {"c4": job("C4", attempt=2), "c8": job("C8", attempt=2, conclusion="skipped")}, ("C8",)),
        (2, {}, ("C4", "C8")),
    ],
)
def test_a_later_attempt_has_to_run_every_point_that_was_not_valid(
    attempt: int, jobs: dict[str, Any], expected: tuple[str, ...]
) -> None:
    entries = [
        entry("C1", State.VALID, attempt=1),
        entry("C4", State.VALID, attempt=2),
        entry("C8", State.MISSING, "no-artifact"),
    ]
    assert missed(entries, jobs.items(), attempt=attempt) == expected
