from dataclasses import replace
from typing import Any

import pytest

from infx.jobs.schema import document
from infx.point import Fingerprint
from infx.policy.stands import Drift, Standing, Subject, stands

MINE = Subject(
    concurrencies=(4,), mode="throughput", task=None, fingerprint=Fingerprint(row="r", recipe="c", shared="s")
)
NONE = Drift(own=frozenset(), brought=frozenset())


def other(**digests: str) -> Subject:
    return replace(MINE, fingerprint=replace(MINE.fingerprint, **digests))


@pytest.mark.parametrize(
    ("result", "standing"),
    [
        (MINE, Standing.EQUAL),
        (replace(MINE, concurrencies=(8,)), Standing.OTHER_POINT),
        (replace(MINE, concurrencies=(4, 8)), Standing.OTHER_POINT),
        (replace(MINE, mode="eval", task="gsm8k"), Standing.OTHER_POINT),
        (replace(MINE, task="gsm8k"), Standing.OTHER_POINT),
        (other(row="x"), Standing.ROW),
        (other(recipe="x"), Standing.RECIPE),
        (other(row="x", recipe="x", shared="x"), Standing.ROW),
        (other(recipe="x", shared="x"), Standing.RECIPE),
    ],
)
@pytest.mark.parametrize("rule", ["warn", "refuse"])
def test_what_is_executed_decides_under_either_rule(result: Subject, standing: Standing, rule: Any) -> None:
    verdict = stands(result, MINE, NONE, rule=rule)
    assert (verdict.standing, verdict.go) == (standing, standing == Standing.EQUAL)


@pytest.mark.parametrize(
    ("own", "rule", "standing"),
    [
        (set(), "warn", Standing.BASE_DRIFT),
        (set(), "refuse", Standing.BASE_DRIFT_REFUSED),
        ({"benchmarks/lib.sh"}, "warn", Standing.SHARED),
        ({"benchmarks/lib.sh"}, "refuse", Standing.SHARED),
    ],
)
def test_base_drift_names_the_files(own: set[str], rule: Any, standing: Standing) -> None:
    drift = Drift(own=frozenset(own), brought=frozenset({"benchmarks/lib.sh", "benchmarks/flags.yaml"}))
    verdict = stands(other(shared="x"), MINE, drift, rule=rule)
    assert (verdict.standing, verdict.go) == (standing, standing == Standing.BASE_DRIFT)
    assert "benchmarks/lib.sh" in verdict.reason


def test_closed_lists_are_published() -> None:
    assert document("kinds")["result"] == [str(one) for one in Standing]
    assert "stale-branch" in document("kinds")["changelog"]
