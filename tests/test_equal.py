"""When a measured point stands for a planned one."""

from dataclasses import replace
from typing import Any

import pytest

from infx.equal import Mark, Match, stands
from infx.jobs.schema import document
from infx.point import Fingerprint
from infx.policy import changelog

MINE = Mark(
    id="i",
    key="k",
    title="C4",
    mode="throughput",
    conc=(4,),
    fingerprint=Fingerprint(row="r", recipe="c", shared="s"),
)


def other(**digests: str) -> Mark:
    return replace(MINE, fingerprint=replace(MINE.fingerprint, **digests))


@pytest.mark.parametrize(
    ("measured", "match"),
    [
        (MINE, Match.EQUAL),
        (replace(MINE, id="x", key="renamed", title="renamed"), Match.EQUAL),
        (replace(MINE, conc=(8,), title="C8"), Match.OTHER),
        (replace(MINE, conc=(4, 8), title="C4,8"), Match.OTHER),
        (replace(MINE, mode="eval", task="gsm8k"), Match.OTHER),
        (replace(MINE, task="gsm8k"), Match.OTHER),
        (other(row="x"), Match.CHANGED),
        (other(recipe="x"), Match.CHANGED),
        (other(row="x", recipe="x", shared="x"), Match.CHANGED),
        (other(recipe="x", shared="x"), Match.CHANGED),
    ],
)
@pytest.mark.parametrize("drift", [True, False])
def test_what_is_executed_decides_whatever_drifted(measured: Mark, match: Match, drift: bool) -> None:
    assert stands(measured, MINE, drift=drift) == match


@pytest.mark.parametrize(("drift", "match"), [(True, Match.BASE_DRIFT), (False, Match.CHANGED)])
def test_shared_files_may_differ_by_what_the_target_brought(drift: bool, match: Match) -> None:
    assert stands(other(shared="x"), MINE, drift=drift) == match


@pytest.mark.parametrize(("question", "kinds"), [("match", Match), ("changelog", changelog.Kind)])
def test_closed_lists_are_published(question: str, kinds: Any) -> None:
    assert document("kinds")[question] == [str(one) for one in kinds]
