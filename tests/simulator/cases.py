"""Lives of a run of sweep.yml: for each kind of event, and for each way in which jobs can end."""

from dataclasses import replace

from infx.event import Run, Title
from infx.facts import Answer, Reuse
from tests.builders import FAIL_FAST, FREE, FULL, A, B, C, point
from tests.builders import pull as live
from tests.simulator.events import dispatch, pull
from tests.simulator.life import CANCELLED, FAILURE, SHARDS, SUCCESS, Life

SWEPT = {"plan": SUCCESS, "canary": SUCCESS, "fanout": SUCCESS, "s0": SUCCESS}
FANNED_OUT = {"plan": SUCCESS, "canary": SUCCESS, "fanout": SUCCESS}
LABELED = pull("labeled", FULL, changed=FULL)
GO = Life(happening=LABELED, kind="start", jobs=SWEPT, gpu=3)
IDLE = replace(GO, jobs={"plan": SUCCESS}, gpu=0)
RED = replace(GO, jobs={"plan": FAILURE}, gpu=0)
FAST = replace(GO, happening=pull("labeled", FAIL_FAST, changed=FAIL_FAST))
OPENED = pull("opened", FULL)
TWIN = Run(
    id=4,
    status="in_progress",
    pr=7,
    title=Title(pr=7, action="opened", head_sha=A, base_sha=B, labels=frozenset({FULL})),
)
AGAIN = {"attempt": 2, "plan_recorded": True}
TWO_KEYS = (point(1, key="k1"), point(1, key="k2"), point(4, key="k2"))

EVENTS = {
    "opened with labels": replace(GO, happening=OPENED),
    "opened without labels": replace(IDLE, happening=pull("opened"), kind="preview"),
    "labeled with a primary": GO,
    "labeled with a modifier": replace(GO, happening=pull("labeled", FULL, "all-evals", changed="all-evals")),
    "C01 labeled with an unknown label": replace(
        IDLE, happening=pull("labeled", FULL, "docs", changed="docs"), kind="ignored"
    ),
    "last primary removed": replace(IDLE, happening=pull("unlabeled", changed=FULL), kind="cancel"),
    "C04 second primary": replace(
        RED, happening=pull("labeled", FAIL_FAST, FULL, changed=FULL), kind="clash"
    ),
    "C04 clash repaired": replace(GO, happening=pull("unlabeled", FULL, changed=FAIL_FAST)),
    "modifier without a primary": replace(
        RED, happening=pull("labeled", "all-evals", changed="all-evals"), kind="clash"
    ),
    "reopened with labels": replace(GO, happening=pull("reopened", FULL)),
    "push": replace(GO, happening=pull("synchronize", FULL)),
    "push covered by a reuse": replace(
        IDLE, happening=pull("synchronize", FULL), facts={"reuse": Reuse.COVERS}, kind="reuse"
    ),
    "push without a sweep label": replace(IDLE, happening=pull("synchronize"), kind="preview"),
    "our own skip marker": replace(
        IDLE, happening=pull("synchronize", FULL, message="notes [skip-sweep]"), kind="skip-marker"
    ),
    "label after our own skip marker": replace(
        GO, happening=pull("labeled", FULL, changed=FULL, message="notes [skip-sweep]")
    ),
    "same head, labels and plan are running": replace(IDLE, facts={"runs": (TWIN,)}, kind="no-op"),
    "closed since": replace(IDLE, facts={"live": live(open=False, labels=(FULL,))}, kind="closed"),
    "label by somebody without the role": replace(RED, facts={"may_label": Answer.NO}, kind="not-allowed"),
    "could not tell": replace(RED, facts={"may_label": Answer.UNKNOWN}, kind="could-not-tell"),
    "empty plan": replace(IDLE, facts={"points": 0}, kind="nothing-to-run"),
    "over budget": replace(RED, facts={"gpu_hours": 1e6}, kind="over-budget"),
    "re-run that still holds": replace(GO, facts={**AGAIN, "live": live(labels=(FULL,))}, kind="repeat"),
    "re-run with stale labels": replace(
        RED, facts={**AGAIN, "live": live(labels=(FREE,))}, kind="refused-rerun"
    ),
    "re-run of an older head": replace(
        RED, facts={**AGAIN, "live": live(labels=(FULL,), head_sha=C)}, kind="refused-rerun"
    ),
    "re-run without a plan": replace(RED, facts={"attempt": 2, "plan_recorded": False}, kind="refused-rerun"),
    "fork": replace(IDLE, happening=pull("labeled", FULL, changed=FULL, fork=True), kind="fork"),
    "fork dispatched by control": replace(
        GO, happening=dispatch(FULL), facts={"live": live(labels=(FULL,), head_repo="eve/bench")}
    ),
    "fork that moved since": replace(
        RED, happening=dispatch(FULL), facts={"live": live(labels=(FULL,), head_sha=C)}, kind="head-moved"
    ),
}

LIVES = {
    "C31 no canary": replace(
        GO,
        happening=pull("labeled", FREE, changed=FREE),
        jobs={"plan": SUCCESS, "fanout": SUCCESS, "s0": SUCCESS},
    ),
    "C31 canary failed": replace(
        GO,
        ends={"k1-C1": FAILURE},
        jobs={"plan": SUCCESS, "canary": FAILURE, "fanout": SUCCESS},
        gpu=1,
    ),
    "C31 canary cancelled or lost": replace(
        GO,
        ends={"k1-C1": CANCELLED},
        jobs={"plan": SUCCESS, "canary": CANCELLED, "fanout": SUCCESS},
        gpu=1,
    ),
    "C34 every job fails": replace(
        FAST,
        ends=dict.fromkeys(("k1-C1", "k1-C4", "k1-C8"), FAILURE),
        jobs={"plan": SUCCESS, "canary": FAILURE, "fanout": SUCCESS},
        gpu=1,
    ),
    "a failed canary stops its own key": replace(
        GO,
        points=TWO_KEYS,
        ends={"k1-C1": FAILURE},
        jobs={"plan": SUCCESS, "canary": FAILURE, "fanout": SUCCESS, "s0": SUCCESS},
    ),
    "a failed canary stops the other canaries": replace(
        FAST,
        points=TWO_KEYS,
        ends={"k1-C1": FAILURE},
        jobs={"plan": SUCCESS, "canary": FAILURE, "fanout": SUCCESS},
        gpu=1,
    ),
    "a failing point": replace(GO, ends={"k1-C4": FAILURE}, jobs={**FANNED_OUT, "s0": FAILURE}),
    "a failing point with fail-fast, in its shard only": replace(
        FAST,
        points=tuple(point(conc, key="k1") for conc in (1, 4, 8, 16, 32)),
        shard=3,
        ends={"k1-C4": FAILURE},
        jobs={**FANNED_OUT, "s0": FAILURE, "s1": SUCCESS},
    ),
    "eight shards": replace(
        GO,
        points=tuple(point(conc, key="k1") for conc in range(1, 10)),
        shard=1,
        jobs={**FANNED_OUT, **dict.fromkeys(SHARDS, SUCCESS)},
        gpu=9,
    ),
    "the canary was everything": replace(GO, points=(point(1, key="k1"),), jobs=FANNED_OUT, gpu=1),
    "fanout fails": replace(
        GO,
        ends={"fanout": FAILURE},
        jobs={"plan": SUCCESS, "canary": SUCCESS, "fanout": FAILURE},
        gpu=1,
    ),
    "cancelled while planning": replace(GO, cancel=("plan", 0), jobs={"plan": CANCELLED}, gpu=0),
    "cancelled during the canary": replace(
        GO, cancel=("canary", 0), jobs={"plan": SUCCESS, "canary": CANCELLED}, gpu=0
    ),
    "C32 cancelled in mid fan-out": replace(
        GO,
        points=tuple(point(conc, key="k1") for conc in (1, 4, 8, 16)),
        cancel=("s0", 1),
        jobs={**FANNED_OUT, "s0": CANCELLED},
        gpu=2,
    ),
}
