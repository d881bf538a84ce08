from typing import Any

import pytest

from infx.errors import Refused
from infx.matrix.expand import Limits, expand
from infx.matrix.ladder import Bounds
from tests.matrix.sample import RUNNERS, catalog, config, dram, engine, pools, trace, worker


def rows(value: dict[str, Any], limits: Limits | None = None, runners: Any = None) -> list[dict[str, Any]]:
    found = catalog(runners, k=value)
    return list(expand(found.configs["k"], limits or Limits(), runners=found.runners, runner=value["runner"]))


def test_single_node_fixed_row_in_full() -> None:
    router = {"name": "r", "version": "1"}
    (row,) = rows(config(fixed=[engine(ep=4, pp=2, spec_decoding="mtp", router=router)]))
    assert row == {
        "image": "img:1",
        "model": "org/Model",
        "model-prefix": "mo",
        "precision": "fp8",
        "framework": "sglang",
        "runner": "box",
        "spec-decoding": "mtp",
        "router": router,
        "isl": 8192,
        "osl": 1024,
        "tp": 8,
        "pp": 2,
        "dcp-size": 1,
        "pcp-size": 1,
        "ep": 4,
        "dp-attn": False,
        "conc": 16,
        "max-model-len": 9472,
        "exp-name": "mo_8k1k",
        "disagg": False,
        "run-eval": False,
    }


def test_multi_node_fixed_is_one_row_with_all_concurrencies() -> None:
    settings = worker(additional_settings=["A=1"], hardware="x")
    (row,) = rows(
        config(fixed=[pools(prefill=settings, decode=worker(hardware="y"), conc_list=[64, 16, 64])])
    )
    assert row["conc"] == [64, 16, 64]
    sizes = {"pp": 1, "dcp-size": 1, "pcp-size": 1}
    assert row["prefill"] == {**settings, **sizes}
    assert row["decode"] == {**worker(hardware="y"), **sizes}


def test_single_node_agentic_row() -> None:
    (row,) = rows(config(agentic=[dram(conc_list=[4], spec_decoding="mtp")]))
    assert row["exp-name"] == "mo_tp8_conc4_kvdram-cachex_spec-mtp"
    assert row["duration"] == 3600
    assert row["scenario-type"] == "agentic-coding"
    assert row["kv-offload-backend"] == {"name": "cachex"}
    assert "disagg" not in row
    assert "run-eval" not in row


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        (pools(conc_list=[2]), "mo_p1x8_d1x8_conc2"),
        (
            pools(prefill=worker(ep=8, dp_attn=True), decode=worker(num_worker=2, tp=4), conc_list=[2]),
            "mo_p1x8ep8dpa_d2x4_conc2",
        ),
        (
            pools(conc_list=[2], kv_offloading="dram", kv_offload_backend={"name": "q"}),
            "mo_p1x8_d1x8_conc2_kvdram-q",
        ),
    ],
)
def test_multi_node_agentic_rows(entry: dict[str, Any], name: str) -> None:
    (row,) = rows(config(agentic=[entry]))
    assert (row["exp-name"], row["conc"], row["disagg"]) == (name, [2], False)


@pytest.mark.parametrize(("isl", "name"), [(1024, "1k1k"), (8192, "8k1k"), (4000, "4000_1024")])
def test_length_names(isl: int, name: str) -> None:
    (row,) = rows(config(fixed=[engine()], isl=isl))
    assert (row["exp-name"], row["max-model-len"]) == (f"mo_{name}", isl + 1280)


@pytest.mark.parametrize(
    ("above", "on_entry", "shown"),
    [("top", "absent", "top"), (None, "own", "own"), ("top", None, None), (None, "absent", None)],
)
def test_the_entry_goes_before_the_config(above: str | None, on_entry: str | None, shown: str | None) -> None:
    entry = pools() if on_entry == "absent" else pools(kv_p2p_transfer=on_entry)
    (row,) = rows(config(fixed=[entry], kv_p2p_transfer=above))
    assert row.get("kv-p2p-transfer") == shown


@pytest.mark.parametrize(
    ("limits", "count"),
    [
        (Limits(max_tp=4), 1),
        (Limits(max_tp=0), 0),
        (Limits(max_ep=0), 0),
        (Limits(max_ep=2), 2),
        (Limits(lengths=("1k1k",)), 0),
        (Limits(scenarios=("agentic-coding",)), 0),
        (Limits(bounds=Bounds(listed=frozenset({5}))), 0),
    ],
)
def test_limits_on_single_node_fixed(limits: Limits, count: int) -> None:
    found = rows(config(fixed=[engine(ep=8), engine(tp=4, ep=4)]), limits)
    assert len(found) == count
    assert limits.max_ep is None or all(row["ep"] == limits.max_ep for row in found)


def test_a_shape_that_does_not_fit_multinode_is_refused_on_expansion_only() -> None:
    odd = config(fixed=[pools()], agentic=[trace()])
    assert len(rows(odd, Limits(scenarios=("fixed-seq-len",)))) == 1
    with pytest.raises(Refused, match=r"master\.yaml: k: an agentic entry is single-node"):
        rows(odd)


def budget(entry: dict[str, Any], share: float = 0.5, mib: int = 1_500_000) -> int:
    value = config(agentic=[entry])
    value["scenarios"]["agentic-coding"][0]["dram-utilization"] = share
    runners = {**RUNNERS, "hardware": {"cluster:alpha": {"available-cpu-dram-mib": mib, "gpus-per-node": 8}}}
    return int(rows(value, runners=runners)[0]["total-cpu-dram-gb"])


OFFLOAD = {"kv_offloading": "dram", "kv_offload_backend": {"name": "q"}}


@pytest.mark.parametrize(
    ("got", "want"),
    [
        (budget(trace()), 0),
        (budget(dram()), 786),
        (budget(dram(tp=4)), 393),
        (budget(dram(tp=2, pp=2, pcp_size=2)), 786),
        (budget(dram(), share=1, mib=9_000_000), 2999),
        (budget(dram(), share=0.1, mib=1953125), 204),  # 204.8 exactly, rounded down
        (budget(dram(), share=0.29, mib=3 * 5**9 * 100 // 1), 869),
        (budget(pools(**OFFLOAD)), 786),
        (budget(pools(prefill=worker(tp=16), **OFFLOAD)), 786),
        (budget(pools(prefill=worker(tp=4), decode=worker(num_worker=9), **OFFLOAD)), 393),
    ],
)
def test_host_memory_budget(got: int, want: int) -> None:
    assert got == want


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (dram(tp=16), "an engine of 16 GPUs on nodes of 8"),
        (pools(prefill=worker(tp=12), **OFFLOAD), "12 GPUs does not tile"),
        (pools(prefill=worker(tp=3), **OFFLOAD), "3 GPUs does not tile"),
        (pools(prefill=worker(tp=0), **OFFLOAD), "0 GPUs does not tile"),
    ],
)
def test_a_topology_that_does_not_fit_the_node(entry: dict[str, Any], says: str) -> None:
    with pytest.raises(Refused, match=says):
        rows(config(agentic=[entry]), Limits(bounds=Bounds(most=0)))


def test_offload_without_hardware_facts_is_refused() -> None:
    with pytest.raises(Refused, match="no hardware record"):
        rows(config(agentic=[dram()], runner="cluster:beta"))
