from typing import Any

import pytest

from infx.errors import Refused
from infx.matrix.plan import Sweep
from infx.recipe import Catalog
from tests.matrix.sample import RUNNERS, catalog, config, dram, engine, pools, trace, worker
from tests.matrix.test_plan import entry, planned, shown


def both(**changes: Any) -> Catalog:
    """A base with one config of every kind; `changes` replace some."""
    configs = {
        "s": config(fixed=[engine(conc_list=[4, 8])], agentic=[trace(conc_list=[1])]),
        "m": config(fixed=[pools(conc_list=[8, 16])]),
        **changes,
    }
    return catalog(**configs)


def appended(key: str, value: Any, *, scenarios: Any = None, base: Catalog | None = None) -> Sweep:
    asked = entry(key, append_only=True, scenario_type=scenarios)
    return planned(asked, head=both(**{key: value}), base=base or both())


def fixed(*entries: Any, **changes: Any) -> dict[str, Any]:
    return config(fixed=list(entries), agentic=[trace(conc_list=[1])], **changes)


@pytest.mark.parametrize(
    ("key", "value", "new"),
    [
        ("s", fixed(engine(conc_list=[4, 8, 16])), [("s", 16)]),
        ("s", fixed(engine(conc_list=[4, 8]), engine(conc_list=[16, 16])), [("s", 16)]),
        ("s", fixed(engine(conc_list=[4, 8]), engine(tp=4, conc_list=[2])), [("s", 2)]),
        ("m", config(fixed=[pools(conc_list=[8, 32, 16, 32])]), [("m", [32])]),
        ("m", config(fixed=[pools(conc_list=[8]), pools(conc_list=[16, 64])]), [("m", [64])]),
    ],
)
def test_only_new_points_are_measured(key: str, value: Any, new: list[Any]) -> None:
    found = appended(key, value)
    assert shown(found.throughput) == new
    assert found.evals == ()


def test_another_backend_joins_the_curve() -> None:
    base = both(s=config(agentic=[dram(conc_list=[1])]))
    other = dram(conc_list=[2], kv_offload_backend={"name": "other"})
    found = appended("s", config(agentic=[dram(conc_list=[1]), other]), base=base)
    assert shown(found.throughput) == [("s", 2)]


REFUSED = {
    "point removed": ("s", fixed(engine(conc_list=[4, 16])), r"concurrencies \[8\] are gone"),
    "recipe changed": ("s", fixed(engine(conc_list=[4, 8, 16], tp=4)), "changed or is gone"),
    "image changed": ("s", fixed(engine(conc_list=[4, 8, 16]), image="img:2"), "changed or is gone"),
    "nothing new": ("s", fixed(engine(conc_list=[8, 4])), "adds no point"),
    "scenario gone": (
        "s",
        config(fixed=[engine(conc_list=[4, 8, 16])], runner="cluster:alpha"),
        "gained or lost",
    ),
    "new curve": (
        "s",
        fixed(engine(conc_list=[4, 8]), engine(spec_decoding="mtp")),
        "joins no existing curve",
    ),
    "new hardware": (
        "m",
        config(
            fixed=[pools(conc_list=[8, 16]), pools(prefill=worker(hardware="x"), decode=worker(hardware="y"))]
        ),
        "joins no existing curve",
    ),
    "new key": ("n", config(fixed=[engine()]), "is new"),
}


@pytest.mark.parametrize(("key", "value", "says"), REFUSED.values(), ids=REFUSED)
def test_refuses(key: str, value: Any, says: str) -> None:
    with pytest.raises(Refused, match=says):
        appended(key, value)


def test_other_configs_stay_as_they_are() -> None:
    more = fixed(engine(conc_list=[4, 8, 16]))
    changed = both(s=more, m=config(fixed=[pools(conc_list=[8])]))
    with pytest.raises(Refused, match=r"m: append-only: changed"):
        planned(entry("s", append_only=True), head=changed, base=both())


def test_what_lies_outside_the_entry_stays_as_it_is() -> None:
    more = {"conc_list": [1, 2]}
    grown = config(fixed=[engine(conc_list=[4, 8])], agentic=[trace(**more)])
    only = ("agentic-coding",)
    assert shown(appended("s", grown, scenarios=only).throughput) == [("s", 2)]
    written_out = {**grown, "disagg": False}
    with pytest.raises(Refused, match="fields of the whole config changed"):
        appended("s", written_out, scenarios=only)
    assert shown(appended("s", written_out).throughput) == [("s", 2)]
    both_grown = config(fixed=[engine(conc_list=[4, 8, 16])], agentic=[trace(**more)])
    with pytest.raises(Refused, match="outside the entry changed"):
        appended("s", both_grown, scenarios=only)


def test_base_rows_are_made_with_the_base_runners() -> None:
    value = config(agentic=[dram(conc_list=[1, 2])])
    less = {
        **RUNNERS,
        "hardware": {"cluster:alpha": {"available-cpu-dram-mib": 1_000_000, "gpus-per-node": 8}},
    }
    base = catalog(less, s=config(agentic=[dram(conc_list=[1])]))
    with pytest.raises(Refused, match="changed or is gone"):
        planned(entry("s", append_only=True), head=catalog(s=value), base=base)


def test_mixed_with_an_ordinary_entry() -> None:
    with pytest.raises(Refused, match="in one change"):
        planned(entry("s", append_only=True), entry("m"), head=both(), base=both())


@pytest.mark.parametrize("flag", ["all_evals", "evals_only"])
def test_eval_modifiers_are_out_of_place(flag: str) -> None:
    with pytest.raises(Refused, match="measure no evals"):
        planned(entry("s", append_only=True), head=both(), base=both(), **{flag: True})
