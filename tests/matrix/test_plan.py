import hashlib
import json
from typing import Any

import pytest

from infx.entry import Entry
from infx.errors import Refused
from infx.matrix import schema
from infx.matrix.job import Job
from infx.matrix.plan import Flags, Sweep, sweep
from infx.recipe import Catalog
from tests.matrix.sample import catalog, config, engine, pools, trace, worker

HEAD = catalog(
    a=config(fixed=[engine(conc_list=[16, 4])], agentic=[trace(conc_list=[1, 2])]),
    b=config(
        fixed=[pools(prefill=worker(ep=4)), pools(prefill=worker(ep=8))], agentic=[pools(conc_list=[16, 32])]
    ),
    c=config(fixed=[engine(conc_list=[4], tp=4)]),
)


def entry(*keys: str, **fields: Any) -> Entry:
    return Entry(config_keys=keys, description=("x",), pr_link="y", **fields)


def planned(*entries: Entry, head: Catalog = HEAD, base: Catalog = HEAD, **flags: Any) -> Sweep:
    return sweep(entries, head, refs=("B", "H"), flags=Flags(**flags), base=lambda: base)


def shown(jobs: Any) -> list[tuple[str, Any]]:
    return [(job.key, job.row["conc"]) for job in jobs]


def test_rows_go_to_their_groups() -> None:
    found = planned(entry("*")).as_json()
    assert {name: len(rows) for name, rows in found["single_node"].items()} == {"8k1k": 3, "agentic": 2}
    assert {name: len(rows) for name, rows in found["multi_node"].items()} == {"8k1k": 2, "agentic": 2}
    lists = ("evals", "agentic_evals", "multinode_evals", "multinode_agentic_evals")
    assert [len(found[name]) for name in lists] == [1, 1, 2, 1]


def test_C25_each_eval_row_is_in_the_bucket_of_its_scenario_and_mode() -> None:
    found = planned(entry("*"), all_evals=True).as_json()
    for name in ("evals", "agentic_evals", "multinode_evals", "multinode_agentic_evals"):
        assert found[name]
        for row in found[name]:
            assert ("prefill" in row) == name.startswith("multinode")
            assert ("scenario-type" in row) == ("agentic" in name)
            assert ("isl" in row) != ("agentic" in name)


def test_metadata_fills_the_switches_in() -> None:
    (shown_entry,) = planned(entry("c", scenario_type=("fixed-seq-len",))).metadata["entries"]
    assert shown_entry == {
        "config-keys": ["c"],
        "description": ["x"],
        "pr-link": "y",
        "evals-only": False,
        "all-evals": False,
        "append-only": False,
        "scenario-type": ["fixed-seq-len"],
    }


def test_defaults_and_fingerprint() -> None:
    (job,) = planned(entry("c")).throughput
    row = dict(job.row)
    mark = row.pop("recipe-fingerprint")
    assert row.pop("eval-only") is False
    made = {name: value for name, value in row.items() if name not in ("conc", "exp-name")}
    text = json.dumps(made, sort_keys=True, separators=(",", ":"))
    assert mark == hashlib.sha256(text.encode()).hexdigest()


def test_multi_node_defaults() -> None:
    job = planned(entry("b")).throughput[0]
    assert job.row["eval-all-concs"] is False
    assert job.row["prefill"]["additional-settings"] == []


def test_no_pair_is_measured_twice() -> None:
    found = planned(entry("a", scenario_type=("agentic-coding",)), entry("a", "c"))
    assert shown(found.throughput) == [("a", 1), ("a", 2), ("a", 16), ("a", 4), ("c", 4)]


def test_all_evals_entries_go_first() -> None:
    found = planned(entry("c"), entry("c", all_evals=True))
    assert shown(found.throughput) == [("c", 4)]
    assert shown(found.evals) == [("c", 4)]


@pytest.mark.parametrize(
    ("fields", "flags", "throughput", "evals"),
    [
        ({}, {}, 1, 0),
        ({"evals_only": True}, {}, 0, 0),
        ({"all_evals": True}, {}, 0, 1),
        ({}, {"all_evals": True}, 1, 1),
        ({}, {"evals_only": True}, 0, 0),
        ({}, {"evals_only": True, "all_evals": True}, 0, 1),
        ({"no_evals": True}, {}, 1, 0),
    ],
)
def test_modifiers(fields: dict[str, Any], flags: dict[str, Any], throughput: int, evals: int) -> None:
    found = planned(entry("c", **fields), **flags)
    assert (len(found.throughput), len(found.evals)) == (throughput, evals)


def test_least_prefill_ep_keeps_single_node() -> None:
    found = planned(entry("*", eval_min_prefill_ep=8))
    assert [key for key, _ in shown(found.evals)] == ["a", "a", "b"]
    assert found.evals[-1].row["prefill"]["ep"] == 8


def test_trim_keeps_the_lowest_but_not_of_multi_node_agentic() -> None:
    found = planned(entry("*"), trim_conc=True)
    assert shown(found.throughput) == [
        ("a", 4),
        ("a", 1),
        ("b", [16]),
        ("b", [16]),
        ("b", [16]),
        ("b", [32]),
        ("c", 4),
    ]


def test_unknown_key_is_refused() -> None:
    with pytest.raises(Refused, match="`d` names no config"):
        planned(entry("d"))


def test_nothing_added_is_refused() -> None:
    with pytest.raises(Refused, match="adds no changelog entry"):
        planned()


@pytest.mark.parametrize("flag", ["all_evals", "evals_only"])
def test_C22_no_evals_against_a_modifier(flag: str) -> None:
    modifier: dict[str, Any] = {flag: True}
    with pytest.raises(Refused, match="no-evals"):
        planned(entry("a", no_evals=True), **modifier)


def test_C22_no_evals_is_about_its_own_entry() -> None:
    found = planned(entry("a", no_evals=True), entry("a"))
    assert {job.key for job in found.evals} == {"a"}
    assert found.metadata["entries"][0]["no-evals"] is True
    assert "no-evals" not in found.metadata["entries"][1]


def test_C23_all_evals_in_an_entry_drops_throughput() -> None:
    head = catalog(k=config(fixed=[engine(conc_list=[1, 2, 4, 8, 16, 32])]))
    found = planned(entry("k", all_evals=True), head=head)
    assert (len(found.throughput), len(found.evals)) == (0, 6)
    assert len(planned(entry("k"), head=head, all_evals=True).throughput) == 6


def test_C25_the_row_of_the_report_goes_to_the_agentic_evals() -> None:
    found = planned(entry("a", scenario_type=("agentic-coding",)), all_evals=True).as_json()
    assert [row["conc"] for row in found["agentic_evals"]] == [1, 2]
    assert not any(found[name] for name in ("evals", "multinode_evals", "multinode_agentic_evals"))
    assert all(row["run-eval"] and "isl" not in row for row in found["agentic_evals"])


@pytest.mark.parametrize("change", [{"isl": None}, {"osl": None}, {"max-model-len": None}])
def test_C25_a_row_without_what_its_bucket_needs_fails_planning(change: dict[str, Any]) -> None:
    job = next(job for job in planned(entry("a")).evals if not job.agentic)
    with pytest.raises(Refused, match="null is not of type"):
        schema.check([Job(key="a", row={**job.row, **change})])
