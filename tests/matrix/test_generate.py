from typing import Any

import pytest

from infx.errors import BadInput
from infx.matrix import generate
from infx.matrix.generate import FullSweep
from tests.matrix.sample import catalog, config, engine, pools, trace

CATALOG = catalog(
    a=config(fixed=[engine(conc_list=[4, 8])]),
    b=config(fixed=[pools()], agentic=[pools(conc_list=[4, 8])]),
    c=config(agentic=[trace()]),
)


def named(**options: Any) -> list[generate.Job]:
    return generate.test_config(CATALOG, generate.TestConfig(**options))


def test_jobs_know_their_key() -> None:
    assert [job.key for job in named(config_keys=("c", "a"))] == ["c", "a", "a"]


def test_conc_keeps_listed_values() -> None:
    found = named(config_keys=("*",), conc=(8, 64))
    assert [job.row["conc"] for job in found] == [8, [64], [8]]


def test_node_filter_names_nodes_and_label() -> None:
    assert [job.row["runner"] for job in named(config_keys=("a",), conc=(4,), runner_node_filter="box")] == [
        "box-a_0",
        "box-b_0",
        "box",
    ]
    swept = generate.full_sweep(CATALOG, FullSweep(runner_node_filter="-a_"))
    assert [job.row["runner"] for job in swept] == ["box-a_0", "box-a_0"]


@pytest.mark.parametrize(
    "options",
    [
        {"no_evals": True, "evals_only": True},
        {"no_evals": True, "all_evals": True},
        {"step_size": 1},
        {"min_conc": 9, "max_conc": 8},
    ],
)
def test_options_that_exclude_each_other(options: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        FullSweep(**options)
