"""Which nodes and queues need a person."""

from typing import Any

import pytest

from infx.fleet import Ended, Fleet, Queue, Shape, Waiting
from infx.policy import fleet
from infx.premises import Runner

LABELS = {"pool": ("n1", "n2")}


def runner(name: str, **changes: Any) -> Runner:
    given = {"online": True, "busy": False, "labels": ("pool",), **changes}
    return Runner(id=1, name=name, **given)


def shapes(*runners: Runner, ended: list[Ended] | None = None, excluded: str = "") -> dict[str, Shape]:
    found = fleet.nodes(LABELS, runners, ended=ended or [], excluded=frozenset([excluded]))
    return {node.name: node.shape for node in found}


def failed(*reasons: str, node: str = "n1") -> list[Ended]:
    return [Ended(node=node, reason=reason, run=1) for reason in reasons]


@pytest.mark.parametrize(
    ("changes", "shape"),
    [
        ({}, Shape.IDLE),
        ({"busy": True}, Shape.BUSY),
        ({"online": False}, Shape.OFFLINE),
        ({"labels": ("other",)}, Shape.UNLABELLED),
    ],
)
def test_one_node(changes: dict[str, Any], shape: Shape) -> None:
    assert shapes(runner("n1", **changes)) == {"n1": shape, "n2": Shape.MISSING}


@pytest.mark.parametrize(
    ("reasons", "poisoned"),
    [
        (["runner-unclean", "gpu-missing"], True),
        (["runner-unclean", "gpu-missing", ""], True),
        (["runner-unclean"], False),
        (["runner-unclean", ""], False),
        (["", "runner-unclean", "gpu-missing"], False),
        (["engine-died", "engine-died"], False),
    ],
)
def test_a_node_is_poisoned_by_its_newest_cells_only(reasons: list[str], poisoned: bool) -> None:
    assert (shapes(runner("n1"), ended=failed(*reasons))["n1"] == Shape.POISONED) is poisoned


def test_cells_of_another_node_poison_nobody() -> None:
    assert shapes(runner("n1"), ended=failed("gpu-missing", "gpu-missing", node="n2"))["n1"] == Shape.IDLE


def test_a_node_that_nobody_named_and_one_that_is_excluded() -> None:
    found = shapes(runner("n1"), runner("n9"), excluded="n1")
    assert (found["n1"], found["n9"]) == (Shape.EXCLUDED, Shape.UNKNOWN)


def test_without_runners_poison_is_still_seen() -> None:
    found = list(fleet.nodes(LABELS, None, ended=failed("node-lost", "node-lost"), excluded=frozenset()))
    assert [node.shape for node in found] == [Shape.POISONED, Shape.UNSEEN]
    assert fleet.decide(Fleet(nodes=found[1:])).kind == "could-not-tell"


def test_only_late_jobs_make_a_queue() -> None:
    jobs = [Waiting(name="a", labels=("pool",), since=since, run=1) for since in (0, 3000, 6900)]
    (queue,) = fleet.queues(jobs, alert_s=3600, now=7200)
    assert queue == Queue(label="pool", jobs=2, minutes=120)
    assert not fleet.decide(Fleet(queues=[queue])).go
