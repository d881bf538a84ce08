"""Lives of a run of sweep.yml: what happened, what infx says to it, and which jobs must run then.

`Case.decided` and `Case.released` stand for the answers of `infx job decide` and `infx job fanout`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.simulator.events import Happening
from tests.simulator.graph import CANCELLED, FAILURE, SUCCESS

SHARDS = [f"s{number}" for number in range(8)]
PRIMARY = "full-sweep-fail-fast"


@dataclass(frozen=True, kw_only=True)
class Decided:
    """What the `plan` job says, and how it ends: `failure` when the gate refuses or could not tell."""

    go: bool = True
    canary: Sequence[str] = ("k1-C1",)
    fail_fast: bool = False
    ends: str = SUCCESS


NOTHING = Decided(go=False, canary=())
REFUSED = replace(NOTHING, ends=FAILURE)
GO = Decided()


def pull(action: str, *labels: str, changed: str = "", **facts: Any) -> Happening:
    return Happening(event="pull_request", action=action, label=changed, labels=labels, **facts)


LABELED = pull("labeled", PRIMARY, changed=PRIMARY)
DISPATCH = Happening(
    event="workflow_dispatch",
    workflow="sweep",
    inputs=(("pr", "7"), ("mode", "fork"), ("head-sha", "aaa1"), ("merge-base", "bbb2"), ("labels", PRIMARY)),
    by_job_token=True,
)


@dataclass(frozen=True, kw_only=True)
class Then:
    """What must come of it."""

    jobs: Mapping[str, str]
    """Results of the jobs that are not skipped; collect, which never is, is left out."""
    gpu: int
    """Cells that take a runner of the pool."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One life of a run of sweep.yml."""

    decided: Decided
    happening: Happening = LABELED
    released: Sequence[Sequence[str]] = (("k1-C4", "k1-C8"),)
    """Point ids in s0, s1, …"""
    ends: Mapping[str, str] = field(default_factory=dict)
    """How points and hosted jobs end that do not succeed."""
    cancel: tuple[str, int] | None = None
    then: Then


PLANNED = {"plan": SUCCESS}
FANNED_OUT = {"plan": SUCCESS, "canary": SUCCESS, "fanout": SUCCESS}
IDLE = Then(jobs=PLANNED, gpu=0)
STOPPED = Then(jobs={"plan": FAILURE}, gpu=0)
SWEPT = Then(jobs={**FANNED_OUT, "s0": SUCCESS}, gpu=3)
TWO = Decided(canary=("k1-C1", "k2-C1"))

EVENTS = {
    "opened with labels": Case(happening=pull("opened", PRIMARY), decided=GO, then=SWEPT),
    "labeled with a primary": Case(decided=GO, then=SWEPT),
    "labeled with a modifier": Case(
        happening=pull("labeled", PRIMARY, "all-evals", changed="all-evals"), decided=GO, then=SWEPT
    ),
    "C01 labeled with an unknown label": Case(
        happening=pull("labeled", PRIMARY, "documentation", changed="documentation"),
        decided=NOTHING,
        then=IDLE,
    ),
    "last primary removed": Case(happening=pull("unlabeled", changed=PRIMARY), decided=NOTHING, then=IDLE),
    "C04 second primary": Case(
        happening=pull("labeled", PRIMARY, "full-sweep-enabled", changed=PRIMARY),
        decided=REFUSED,
        then=STOPPED,
    ),
    "C04 clash repaired": Case(
        happening=pull("unlabeled", "full-sweep-enabled", changed=PRIMARY), decided=GO, then=SWEPT
    ),
    "push": Case(happening=pull("synchronize", PRIMARY), decided=GO, then=SWEPT),
    "push covered by a reuse": Case(happening=pull("synchronize", PRIMARY), decided=NOTHING, then=IDLE),
    "push without a sweep label": Case(happening=pull("synchronize"), decided=NOTHING, then=IDLE),
    "our own skip marker": Case(
        happening=pull("synchronize", PRIMARY, message="x [skip-sweep]"), decided=NOTHING, then=IDLE
    ),
    "same head, labels and plan are running": Case(
        happening=pull("opened", PRIMARY), decided=NOTHING, then=IDLE
    ),
    "re-run with stale labels": Case(decided=REFUSED, then=STOPPED),
    "re-run that still holds": Case(decided=GO, then=SWEPT),
    "fork": Case(happening=pull("labeled", PRIMARY, changed=PRIMARY, fork=True), decided=NOTHING, then=IDLE),
    "fork dispatched by control": Case(happening=DISPATCH, decided=GO, then=SWEPT),
    "could not tell": Case(decided=replace(GO, ends=FAILURE), then=STOPPED),
}

LIVES = {
    "C31 canary none": Case(
        decided=replace(GO, canary=()),
        released=[["r1", "r2", "r3"]],
        then=Then(jobs={"plan": SUCCESS, "fanout": SUCCESS, "s0": SUCCESS}, gpu=3),
    ),
    "C31 canary failed": Case(
        decided=GO,
        ends={"k1-C1": FAILURE},
        released=[],
        then=Then(jobs={"plan": SUCCESS, "canary": FAILURE, "fanout": SUCCESS}, gpu=1),
    ),
    "C31 canary cancelled or lost": Case(
        decided=GO,
        ends={"k1-C1": CANCELLED},
        released=[],
        then=Then(jobs={"plan": SUCCESS, "canary": CANCELLED, "fanout": SUCCESS}, gpu=0),
    ),
    "C34 every job fails": Case(
        decided=replace(GO, fail_fast=True),
        ends=dict.fromkeys(("k1-C1", "k1-C4", "k1-C8"), FAILURE),
        released=[],
        then=Then(jobs={"plan": SUCCESS, "canary": FAILURE, "fanout": SUCCESS}, gpu=1),
    ),
    "a failed canary stops its own key": Case(
        decided=TWO,
        ends={"k1-C1": FAILURE},
        released=[["k2-C4"]],
        then=Then(jobs={"plan": SUCCESS, "canary": FAILURE, "fanout": SUCCESS, "s0": SUCCESS}, gpu=3),
    ),
    "a failed canary stops the other canaries": Case(
        decided=replace(TWO, fail_fast=True),
        ends={"k1-C1": FAILURE},
        released=[],
        then=Then(jobs={"plan": SUCCESS, "canary": FAILURE, "fanout": SUCCESS}, gpu=1),
    ),
    "a failing point": Case(
        decided=GO,
        ends={"k1-C4": FAILURE},
        then=Then(jobs={**FANNED_OUT, "s0": FAILURE}, gpu=3),
    ),
    "a failing point with fail-fast, in its shard only": Case(
        decided=replace(GO, fail_fast=True),
        ends={"k1-C4": FAILURE},
        released=[["k1-C4", "k1-C8", "k1-C16"], ["k1-C32"]],
        then=Then(jobs={**FANNED_OUT, "s0": FAILURE, "s1": SUCCESS}, gpu=3),
    ),
    "eight shards": Case(
        decided=GO,
        released=[[f"k1-C{number}"] for number in range(8)],
        then=Then(
            jobs={"plan": SUCCESS, "canary": SUCCESS, "fanout": SUCCESS, **dict.fromkeys(SHARDS, SUCCESS)},
            gpu=9,
        ),
    ),
    "the canary was everything": Case(decided=GO, released=[], then=Then(jobs=FANNED_OUT, gpu=1)),
    "fanout fails": Case(
        decided=GO,
        ends={"fanout": FAILURE},
        then=Then(jobs={"plan": SUCCESS, "canary": SUCCESS, "fanout": FAILURE}, gpu=1),
    ),
    "cancelled while planning": Case(
        decided=GO, cancel=("plan", 0), then=Then(jobs={"plan": CANCELLED}, gpu=0)
    ),
    "cancelled during the canary": Case(
        decided=GO, cancel=("canary", 0), then=Then(jobs={"plan": SUCCESS, "canary": CANCELLED}, gpu=0)
    ),
    "C32 cancelled in mid fan-out": Case(
        decided=GO,
        released=[["k1-C4", "k1-C8", "k1-C16"], ["k1-C32"]],
        cancel=("s0", 1),
        then=Then(jobs={**FANNED_OUT, "s0": CANCELLED}, gpu=2),
    ),
}
