from dataclasses import dataclass
from typing import Any

import pytest

from infx.errors import BadInput
from infx.matrix.points import Labels, Maker, Origin, build, check_names, expected, kind
from infx.point import EVAL, THROUGHPUT, Fingerprint
from infx.rules import Durations
from tests.matrix.rows import DURATIONS, disagg, fixed, point, pool, trace

ORIGIN = Origin(repository="o/r", pr=7, head_sha="a" * 40, merge_base="b" * 40)


@dataclass(frozen=True)
class Job:
    key: str
    row: dict[str, Any]


def maker(**fields: Any) -> Maker:
    return Maker(
        script=lambda row: "benchmarks/x.sh",
        fingerprint=lambda row, script: Fingerprint(row="a", recipe=script, shared="c"),
        durations=DURATIONS,
        **fields,
    )


def test_points_carry_script_fingerprint_task_and_reason() -> None:
    (made,) = maker(reasons={"k": "entry 1"}).points([Job("k", trace(16))], EVAL)
    assert (made.task, made.script, made.fingerprint.recipe) == (
        "gsm8k",
        "benchmarks/x.sh",
        "benchmarks/x.sh",
    )
    assert made.reason.startswith("entry 1; eval: highest concurrency")
    assert made.duration_s == DURATIONS.eval
    (plain,) = maker().points([Job("k", fixed())], THROUGHPUT)
    assert (plain.task, plain.reason) == (None, "its config key changed")


@pytest.mark.parametrize(
    ("made", "fast", "recorded", "seconds"),
    [
        (point(fixed()), False, {}, 1200),
        (point(trace(4)), False, {}, 1800 + 3600),
        (point(trace(4)), True, {}, 1800 + 1200),
        (point(trace(4)), False, {"k1": 50}, 50),
        (point(trace(4)), False, {"k1": 50, "k1 C4": 40}, 40),
        (point(trace(4)), False, {"k1 C8": 40}, 5400),
    ],
)
def test_expected_seconds(made: Any, fast: bool, recorded: dict[str, int], seconds: int) -> None:
    durations = Durations(fixed=1200, agentic_extra=1800, fast_profile=1200, eval=1200, recorded=recorded)
    assert expected(made, durations, fast=fast) == seconds


def test_C44_two_points_that_differ_in_topology_only_have_two_names() -> None:
    first = point(disagg([64], prefill=pool(1, 4), decode=pool(2, 8)))
    second = point(disagg([64], prefill=pool(2, 4), decode=pool(2, 8)))
    check_names([first, second])
    assert first.artifact("bmk") != second.artifact("bmk")


def test_C44_equal_rows_fail_planning_by_name() -> None:
    with pytest.raises(BadInput, match="2 points are the same: C4"):
        build([point(trace(4)), point(trace(4))], (), origin=ORIGIN, labels=Labels(primary="p"), metadata={})


@pytest.mark.parametrize("length", [200, 222, 223, 224, 255, 256, 257, 400])
def test_C46_names_fit_and_stay_apart(length: int) -> None:
    key = "k" * length
    names = {one.artifact(kind(one)) for one in (point(trace(4), key), point(trace(8), key))}
    assert len(names) == 2
    assert all(len(name) <= 256 for name in names)


def test_a_throughput_and_an_eval_point_of_one_row_are_two_points() -> None:
    plan = build(
        [point(trace(4)), point(trace(4), mode=EVAL)],
        (),
        origin=ORIGIN,
        labels=Labels(primary="full-sweep-enabled", modifiers=("all-evals",), reusable=False),
        metadata={"entries": []},
    )
    assert len({made.artifact(kind(made)) for made in plan.points}) == 2
    assert (plan.primary, plan.modifiers, plan.reusable, plan.pr) == (
        "full-sweep-enabled",
        ("all-evals",),
        False,
        7,
    )
