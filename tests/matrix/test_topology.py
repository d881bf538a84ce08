from typing import Any

import pytest

from infx.matrix.topology import faults
from infx.recipe import Hardware
from tests.matrix.rows import disagg, fixed, pool

NODE = Hardware(available_cpu_dram_mib=1, gpus_per_node=8)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (fixed(), []),
        (fixed(ep=8), []),
        (fixed(tp=16), ["a single-node engine of 16 GPUs on nodes of 8"]),
        (fixed(tp=4, pp=4), ["a single-node engine of 16 GPUs on nodes of 8"]),
        (fixed(tp=0), ["the engine of 0 GPUs"]),
        (fixed(tp=4, ep=8), ["the engine of 4 GPUs cannot spread experts over 8"]),
        (fixed(tp=1, ep=8, **{"dp-attn": True}), []),
        (fixed(tp=8, ep=3), ["the engine of 8 GPUs does not divide into expert groups of 3"]),
        (disagg([4]), []),
        (disagg([4], prefill=pool(2, 16), decode=pool(0, 0)), []),
        (disagg([4], prefill=pool(1, 3)), ["a prefill worker of 3 GPUs does not tile nodes of 8"]),
        (disagg([4], decode=pool(1, 12)), ["a decode worker of 12 GPUs does not tile nodes of 8"]),
        (disagg([4], prefill=pool(0), decode=pool(0)), ["neither pool has a worker"]),
    ],
)
def test_what_no_node_can_hold_is_said(row: dict[str, Any], said: list[str]) -> None:
    assert list(faults(row, NODE)) == said


def test_without_a_hardware_record_only_the_engine_itself_is_judged() -> None:
    assert list(faults(fixed(tp=64), None)) == []
    assert list(faults(disagg([4], prefill=pool(1, 3)), None)) == []
    assert list(faults(fixed(tp=4, ep=8), None)) != []
