import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.errors import BadInput
from infx.matrix import split
from infx.plan import KeyPlan
from infx.point import EVAL, Point
from tests.matrix.rows import CANARY, HICACHE, disagg, fixed, h200, point, pool, trace

H200 = "qwen3.5-fp8-h200-sglang-agentic-mtp"


def key_plan(points: list[Point], **fields: Any) -> KeyPlan:
    (made,) = split.key_plans(points, **{"canary": True, "seconds": {}, "rule": CANARY, **fields})
    return made


def test_the_h200_pull_request_starts_with_C1_and_then_C4() -> None:
    points = [point(row, H200) for row in h200()]
    points.append(point(trace(16, **{"run-eval": True, "eval-only": True}), H200, EVAL))
    plan = key_plan(points)
    titles = {made.id: made.title for made in points}
    assert titles[plan.canary or ""] == "C1"
    assert [titles[one] for one in plan.candidates[:3]] == ["C4", "C4 hicache", "C8"]
    assert (plan.deadline_s, plan.next_deadline_s) == (5400, 5400)


@pytest.mark.parametrize(
    ("rows", "title"),
    [
        ([trace(4, **HICACHE), trace(4)], "C4"),
        ([trace(4, tp=8), trace(4, tp=4)], "C4"),
        ([fixed(8), trace(4, **HICACHE)], "C4 hicache"),
        ([fixed(4, **{"run-eval": True}), fixed(8)], "C8"),
        ([disagg([1]), fixed(8)], "C8"),
        ([disagg([4], **{"scenario-type": "agentic-coding", "duration": 3600}), disagg([1])], "C4"),
    ],
)
def test_lowest_concurrency_then_no_offload_then_fewer_gpus(rows: list[dict[str, Any]], title: str) -> None:
    points = [point(row) for row in rows]
    plan = key_plan(points)
    chosen = next(made for made in points if made.id == plan.canary)
    assert (chosen.title, chosen.gpus) == (title, min(one.gpus for one in points if one.title == title))


def test_file_order_breaks_the_last_tie() -> None:
    first, second = point(trace(4, image="a:1")), point(trace(4, image="b:1"))
    assert key_plan([first, second]).canary == first.id
    assert key_plan([second, first]).canary == second.id


@pytest.mark.parametrize(
    ("points", "fields", "why"),
    [
        ([point(trace(4))], {"canary": False}, split.NO_CANARY_LABEL),
        ([point(trace(4))], {"accepted": {("k1", "cluster:h200-dgxc")}}, split.ACCEPTED),
        ([point(disagg([1]))], {}, split.NONE_QUALIFIES),
        ([point(trace(4), mode=EVAL)], {}, split.NONE_QUALIFIES),
        ([point(fixed(4, **{"run-eval": True}))], {}, split.NONE_QUALIFIES),
    ],
)
def test_canary_none_says_why(points: list[Point], fields: dict[str, Any], why: str) -> None:
    plan = key_plan(points, **fields)
    assert (plan.canary, plan.why, plan.deadline_s) == (None, why, None)


def test_an_accepted_point_on_another_pool_does_not_release_the_key() -> None:
    assert key_plan([point(trace(4))], accepted={("k1", "cluster:b200")}).canary


def test_deadline_is_twice_the_recorded_duration() -> None:
    plan = key_plan([point(trace(1)), point(trace(4))], seconds={"k1 C1": 700, "k1 C4": 1000})
    assert (plan.deadline_s, plan.next_deadline_s) == (1400, 2000)


@pytest.mark.parametrize(
    ("count", "sizes"), [(0, []), (255, [255]), (256, [256]), (257, [256, 1]), (300, [256, 44])]
)
def test_C28_at_most_256_rows_a_matrix_and_none_is_lost(count: int, sizes: list[int]) -> None:
    points = [point(trace(conc)) for conc in range(1, count + 1)]
    parts = split.shards(points)
    assert [len(part) for part in parts] == sizes
    assert [made for part in parts for made in part] == points


def test_C28_beyond_eight_matrices_the_biggest_keys_are_named() -> None:
    points = [point(trace(conc), "big") for conc in range(1, 2048)] + [point(trace(1), "small")]
    assert len(split.shards(points)) == 8
    with pytest.raises(BadInput, match=r"plan-too-large: 2049 points.*big \(2047\), small \(2\)"):
        split.shards([*points, point(trace(2), "small")])


@given(st.integers(0, 5000))
def test_the_splitter_keeps_order_for_any_number(count: int) -> None:
    one = point(trace(4))
    parts = split.chunks([one] * count)
    assert sum(len(part) for part in parts) == count
    assert all(len(part) == split.CELLS for part in parts[:-1])


def test_5000_points_of_a_plan_are_twenty_matrices() -> None:
    points = [point(trace(conc), f"key-{conc % 50}") for conc in range(1, 5001)]
    assert [len(part) for part in split.chunks(points)] == [256] * 19 + [136]


@pytest.mark.parametrize("key", ["k", "k" * 300, 'quote"back\\slash', "schlüssel-中文" * 20])
def test_C29_a_full_matrix_of_cells_is_64_KiB_in_UTF16(key: str) -> None:
    points = [point(trace(conc, runner="cluster:" + "x" * 40), key) for conc in range(1, 257)]
    text = split.output(points)
    assert len(text.encode("utf-16-le")) <= 64 * 1024
    assert [cell["id"] for cell in split.cells(points)] == [made.id for made in points]


def test_C29_eight_full_outputs_stay_below_the_limit_of_one_job() -> None:
    assert split.CELL_CHARS * split.CELLS * split.SHARDS < 400_000


def test_a_cell_names_id_runner_and_title() -> None:
    made = point(trace(4, **HICACHE), H200)
    assert split.cells([made]) == [
        {"id": made.id, "runner": "cluster:h200-dgxc", "name": f"{H200} C4 hicache"},
    ]


def test_a_long_key_is_cut_and_the_title_is_kept() -> None:
    (cell,) = split.cells([point(trace(4), "k" * 300)])
    assert cell["name"].endswith("k.. C4")


def test_longest_first_then_as_planned() -> None:
    short, long, also = (
        point(trace(1), duration_s=1),
        point(trace(2), duration_s=9),
        point(trace(4), duration_s=9),
    )
    assert split.in_order([short, long, also]) == [long, also, short]


def test_gpus_of_a_multi_node_canary_count_both_pools() -> None:
    assert point(disagg([4], prefill=pool(2, 4), decode=pool(1, 8))).gpus == 16


def test_more_canaries_than_one_matrix_holds_are_too_large() -> None:
    points = [point(trace(4), f"key-{number}") for number in range(257)]
    assert len(split.key_plans(points[:256], canary=True, seconds={}, rule=CANARY)) == 256
    assert len(split.key_plans(points, canary=False, seconds={}, rule=CANARY)) == 257
    with pytest.raises(BadInput, match="plan-too-large: 257 config keys"):
        split.key_plans(points, canary=True, seconds={}, rule=CANARY)


def test_C29_a_plan_of_more_than_a_megabyte_leaves_ids_in_the_outputs() -> None:
    points = [point(trace(conc), H200) for conc in range(1, 2001)]
    assert len(json.dumps([made.as_json() for made in points])) > 1_200_000
    texts = [split.output(shard) for shard in split.shards(points)]
    assert all(len(text.encode("utf-16-le")) <= 64 * 1024 for text in texts)
    assert [cell["id"] for text in texts for cell in json.loads(text)] == [made.id for made in points]
