from typing import Any

import pytest

from infx.errors import BadInput
from infx.read.config import read_catalog
from tests.matrix.sample import RUNNERS, catalog, config, dram, dump, engine, named, pools, trace, worker


def refusal(**configs: Any) -> str:
    with pytest.raises(BadInput) as caught:
        catalog(**configs)
    return caught.value.sentence


def without(value: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: one for name, one in value.items() if name not in names}


ACCEPTED = {
    "null counts as absent": config(fixed=[engine(ep=None, dp_attn=None, router=None)], router=None),
    "lone start beside a list": config(fixed=[engine(conc_start=4)]),
    "equal ends of a range": config(fixed=[without(engine(conc_start=4, conc_end=4), "conc-list")]),
    "any runner label for fixed lengths": config(fixed=[engine()], runner="never-heard-of"),
    "no worker": config(fixed=[pools(decode=worker(num_worker=0))]),
    "hardware on both workers": config(
        fixed=[pools(prefill=worker(hardware="a"), decode=worker(hardware="b"))]
    ),
    "empty settings": config(fixed=[pools(prefill=worker(additional_settings=[]))]),
    "transfer on every entry": config(fixed=[pools(kv_p2p_transfer="nixl")], disagg=True),
    "entry router with a null above": config(
        fixed=[engine(router={"name": "r", "version": "1"})], router=None
    ),
    "null on the entry hides the config's": config(
        fixed=[engine(router=None)], router={"name": "r", "version": "1"}
    ),
    "ep beside agentic pools": config(agentic=[pools(ep=4, dp_attn=True)]),
    "agentic pools without offloading": config(agentic=[pools()]),
    "backend without version": config(agentic=[dram(kv_offload_backend={"name": "x", "version": None})]),
    "either agentic shape under either flag": config(agentic=[trace()], multinode=True),
    "full utilization as a whole number": config(agentic=[trace()])
    | {"scenarios": {"agentic-coding": [{"dram-utilization": 1, "search-space": [dram()]}]}},
}


@pytest.mark.parametrize("value", ACCEPTED.values(), ids=ACCEPTED)
def test_accepts(value: dict[str, Any]) -> None:
    assert list(catalog(k=value).configs) == ["k"]


REFUSED = {
    "text that is a number": (config(fixed=[engine()], precision=8), "must be text"),
    "missing field": (without(config(fixed=[engine()]), "image"), "`image` is missing"),
    "unknown field": (config(fixed=[engine()], framwork="x"), "did you mean `framework`"),
    "multinode in words": (config(fixed=[engine()], multinode="yes"), "must be true or false"),
    "disagg on one node": (config(fixed=[engine()], disagg=True), "cannot be disaggregated"),
    "transfer on one node": (config(fixed=[engine()], kv_p2p_transfer="nixl"), "only multi-node"),
    "disagg without transfer": (config(fixed=[pools()], disagg=True), "kv-p2p-transfer"),
    "transfer missing on one entry": (
        config(fixed=[pools(kv_p2p_transfer="nixl"), pools()], disagg=True),
        r"search-space\[1\]",
    ),
    "router on both levels": (
        config(fixed=[engine(router={"name": "r", "version": "1"})], router={"name": "r", "version": "1"}),
        "keep it on one level",
    ),
    "no item": (config(fixed=None), "no scenario has an item"),
    "unknown scenario": (config(fixed=[engine()]) | {"scenarios": {"chat": []}}, "fixed-seq-len"),
    "agentic without cluster": (config(agentic=[trace()], runner="box"), "begins? with `cluster:`"),
    "length on agentic": (
        config(agentic=[trace()]) | {"scenarios": {"agentic-coding": [{"isl": 1, "search-space": []}]}},
        "no fixed length",
    ),
    "tp in words": (config(fixed=[engine(tp="eight")]), "whole number, not 'eight'"),
    "tp as text": (config(fixed=[engine(tp="8")]), "whole number"),
    "pp true": (config(fixed=[engine(pp=True)]), "whole number, not true"),
    "pp zero": (config(fixed=[engine(pp=0)]), "at least 1"),
    "dcp that does not divide": (config(fixed=[engine(dcp_size=3)]), "not a multiple of dcp-size 3"),
    "worker dcp that does not divide": (config(fixed=[pools(prefill=worker(dcp_size=3))]), "dcp-size 3"),
    "no concurrency": (config(fixed=[without(engine(), "conc-list")]), "no complete range"),
    "half a range": (config(fixed=[without(engine(conc_end=4), "conc-list")]), "no complete range"),
    "range and list": (config(fixed=[engine(conc_start=4, conc_end=8)]), "both a range and a list"),
    "range reversed": (config(fixed=[without(engine(conc_start=9, conc_end=8), "conc-list")]), "swap them"),
    "concurrency zero": (config(fixed=[engine(conc_list=[4, 0])]), r"conc-list\[1\].*at least 1"),
    "no concurrencies": (config(fixed=[engine(conc_list=[])]), "must not be empty"),
    "unknown decoding": (config(fixed=[engine(spec_decoding="mpt")]), "did you mean `mtp`"),
    "router version number": (config(fixed=[engine()], router={"name": "r", "version": 1.2}), "must be text"),
    "router without version": (config(fixed=[engine()], router={"name": "r"}), "`version` is missing"),
    "router version is an image": (
        config(fixed=[engine()], router={"name": "r", "version": "image:x"}),
        "begin with `image:`",
    ),
    "pools on one node": (config(fixed=[pools()], multinode=False), "unknown field"),
    "tp beside pools": (config(fixed=[pools(tp=8)]), "put it on"),
    "worker without dp-attn": (
        config(fixed=[pools(decode=without(worker(), "dp-attn"))]),
        "`dp-attn` is missing",
    ),
    "hardware on one worker": (
        config(fixed=[pools(prefill=worker(hardware="a"))]),
        "both workers or on neither",
    ),
    "settings as text": (config(fixed=[pools(prefill=worker(additional_settings="A=1"))]), "list of texts"),
    "agentic without offloading": (config(agentic=[engine()]), "`kv-offloading` is missing"),
    "unknown offloading": (config(agentic=[trace(kv_offloading="ssd")]), "allowed: `none`, `dram`"),
    "dram without backend": (config(agentic=[trace(kv_offloading="dram")]), "needs a `kv-offload-backend`"),
    "backend without dram": (
        config(agentic=[trace(kv_offload_backend={"name": "x"})]),
        "without `kv-offloading",
    ),
    "pp beside agentic pools": (config(agentic=[pools(pp=1)]), "put it on"),
    "utilization above one": (
        config(agentic=[trace()])
        | {"scenarios": {"agentic-coding": [{"dram-utilization": 1.01, "search-space": []}]}},
        "at most 1",
    ),
    "dram without utilization": (
        config(agentic=[trace()]) | {"scenarios": {"agentic-coding": [{"search-space": [dram()]}]}},
        "`dram-utilization` is missing",
    ),
}


@pytest.mark.parametrize(("value", "says"), REFUSED.values(), ids=REFUSED)
def test_refuses_with_file_line_and_key(value: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput, match=says) as caught:
        catalog(k=value)
    assert caught.value.where.startswith("master.yaml:")
    assert ": k" in caught.value.sentence


def test_message_names_the_line_of_the_key() -> None:
    text = dump({"k": config(fixed=[engine(), engine(tp="x")])})
    with pytest.raises(BadInput) as caught:
        read_catalog([("m.yaml", text)], ("r.yaml", dump(RUNNERS)))
    line = int(caught.value.where.split(":")[1])
    assert text.decode().splitlines()[line - 1].strip() == "- tp: x"


@pytest.mark.parametrize("text", ["- a", "", "just text"])
def test_a_master_file_is_a_mapping(text: str) -> None:
    with pytest.raises(BadInput, match="must be a mapping of config keys"):
        read_catalog([("m.yaml", text.encode())], ("r.yaml", dump(RUNNERS)))


def test_a_master_file_may_be_empty() -> None:
    assert read_catalog([("m.yaml", b"{}")], ("r.yaml", dump(RUNNERS))).configs == {}


def test_a_star_in_a_key() -> None:
    assert "may not hold `*`" in refusal(**{"bad*key": config(fixed=[engine()])})


def test_a_key_in_two_files() -> None:
    one = dump({"k": config(fixed=[engine()])})
    with pytest.raises(BadInput, match=r"`k` is also in a\.yaml"):
        read_catalog([("a.yaml", one), ("b.yaml", one)], ("r.yaml", dump(RUNNERS)))


def test_unknown_field_of_a_newer_format() -> None:
    text = dump({"k": config(fixed=[engine(warp=9)])})
    with pytest.raises(BadInput, match="newer format 2"):
        read_catalog([("m.yaml", text)], ("r.yaml", dump(RUNNERS)), format=2)


@pytest.mark.parametrize(
    ("runners", "says"),
    [
        ({"labels": ["a"]}, "must be a mapping"),
        ({}, "`labels` is missing"),
        ({"labels": {"a": []}}, "labels.a: must not be empty"),
        ({"labels": {"a": [1]}}, "must be text"),
        ({"labels": {}, "hardware": {"a": {"gpus-per-node": 8}}}, "`available-cpu-dram-mib` is missing"),
        ({"labels": {}, "hardware": {"a": {"available-cpu-dram-mib": 0, "gpus-per-node": 8}}}, "at least 1"),
        ({"labels": {}, "numa": {}}, "unknown field"),
    ],
)
def test_runners_file(runners: Any, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        read_catalog([("m.yaml", b"{}")], ("r.yaml", dump(named(runners))))
