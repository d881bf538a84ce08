from typing import Any

import pytest

from infx.edge import settings
from infx.matrix.points import Labels, Origin, build
from infx.matrix.preview import Preview, preview
from infx.matrix.split import key_plans
from infx.point import Point
from infx.read.config import read_catalog
from tests.matrix.rows import CANARY, HICACHE, fixed, point, trace
from tests.repo import MASTER, RUNNERS

RULES = settings.parse("")
CATALOG = read_catalog([("m", MASTER.encode())], ("r", RUNNERS.encode()))
KEY = "m1-fp8-h200-sglang"


def shown(*points: Point) -> Preview:
    keys = key_plans(points, canary=True, seconds={}, rule=CANARY)
    origin = Origin(repository="o/r", pr=1, head_sha="h", merge_base="b")
    plan = build(points, keys, origin=origin, labels=Labels(primary="p"), metadata={})
    return preview(plan, CATALOG, RULES, base=CATALOG)


def arm(loads: list[int], **fields: Any) -> list[Point]:
    return [point(trace(conc, **{"spec-decoding": "mtp", **fields}), KEY) for conc in loads]


@pytest.mark.parametrize(
    ("points", "advice"),
    [
        (arm([1, 4, 8, 12, 16]), []),
        (arm([4, 5, 24]), [f"{KEY}: C4 and C5 are closer than 2, C24 is above 16: "]),
        (arm([4, 6]) + arm([5, 7], **HICACHE), []),
        (arm([24], **HICACHE), [f"{KEY} hicache: C24 is above 16: "]),
        (arm([4, 5, 24], **{"spec-decoding": "none"}), []),
        (arm([4, 5, 24], runner="cluster:b200-dgxc"), []),
        ([point(fixed(conc, **{"spec-decoding": "mtp"}), KEY) for conc in (4, 5, 24)], []),
    ],
)
def test_grid_advice_names_its_rule(points: list[Point], advice: list[str]) -> None:
    found = shown(*points).advice
    assert len(found) == len(advice)
    assert all(
        one.startswith(start) and one.endswith("(grid-rules)")
        for one, start in zip(found, advice, strict=True)
    )


def test_gpu_hours_runners_and_kind() -> None:
    (key,) = shown(point(fixed(4), KEY), point(trace(4), KEY)).keys
    assert key.gpu_hours == pytest.approx((1200 + 5400) * 8 / 3600)
    assert (key.runners, key.kind) == (2, "single-node fixed-sequence and single-node agentic")


@pytest.mark.parametrize(("count", "warned"), [(26, False), (27, True)])
def test_a_queue_that_is_not_served_in_time_is_a_warning(count: int, warned: bool) -> None:
    # 5,400 s each on two runners: 26 points take 19.5 h, 27 take 20.25 h.
    found = shown(*(point(trace(conc), KEY) for conc in range(1, count + 1)))
    assert any("in the queue" in one for one in found.warnings) is warned


def test_json_names_counts_keys_and_findings() -> None:
    value = shown(point(trace(4), KEY)).as_json()
    assert (value["throughput"], value["evals"], value["shards"], value["problems"]) == (1, 0, 1, [])
    assert value["keys"][0]["canary"] == "C4"
    assert value["keys"][0]["next_candidate"] is None
