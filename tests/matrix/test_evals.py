from typing import Any

import pytest

from infx.matrix.generate import FullSweep, full_sweep
from infx.matrix.job import Job
from tests.matrix.sample import catalog, config, engine, pools, trace, worker


def jobs(*, options: FullSweep | None = None, **configs: Any) -> list[Job]:
    return full_sweep(catalog(**configs), options or FullSweep())


def picked(found: list[Job]) -> list[Any]:
    return [job.row["conc"] for job in found if job.row.get("run-eval")]


ONLY, ALL = FullSweep(evals_only=True), FullSweep(all_evals=True)


@pytest.mark.parametrize(
    ("concs", "want"),
    [
        ([4, 8], []),
        ([8, 16], [16]),
        ([16, 32, 64], [32, 64]),
        ([16, 32, 64, 128], [64, 128]),
        ([16, 16, 64], [64]),
    ],
)
def test_single_node_fixed_last_and_middle(concs: list[int], want: list[int]) -> None:
    assert picked(jobs(k=config(fixed=[engine(conc_list=concs)]))) == want


def test_groups_span_configs_and_ignore_tp_ep_and_image() -> None:
    one, other = config(fixed=[engine(conc_list=[16, 32])]), config(fixed=[engine(tp=4, ep=4)], image="img:2")
    assert picked(jobs(a=one, b=other)) == [32]
    apart = config(fixed=[engine(dp_attn=True)])
    assert picked(jobs(a=one, b=apart)) == [32, 16]


def test_other_lengths_are_never_picked() -> None:
    assert picked(jobs(options=FullSweep(), k=config(fixed=[engine(conc_list=[64])], isl=1024))) == []
    assert jobs(options=ALL, k=config(fixed=[engine(conc_list=[64])], isl=1024)) == []


def test_multi_node_fixed_first_row_with_the_largest() -> None:
    same = [pools(conc_list=[8, 64]), pools(conc_list=[64]), pools(conc_list=[4, 32])]
    found = jobs(k=config(fixed=same))
    assert [job.row.get("eval-conc") for job in found] == [64, None, None]
    assert picked(jobs(k=config(fixed=[pools(conc_list=[8, 15])]))) == []


def test_multi_node_recipes_are_groups_of_their_own() -> None:
    found = jobs(k=config(fixed=[pools(), pools(decode=worker(tp=4))]))
    assert [job.row["eval-conc"] for job in found] == [64, 64]


def test_agentic_only_on_request() -> None:
    single, multi = (
        config(agentic=[trace(conc_list=[1, 4, 4])]),
        config(agentic=[pools(conc_list=[8, 16, 32])]),
    )
    plain = jobs(a=single, b=multi)
    assert [job.row["run-eval"] for job in plain] == [False] * 6
    chosen = jobs(options=ONLY, a=single, b=multi)
    assert [(job.row["conc"], job.row.get("eval-conc")) for job in chosen] == [(4, None), ([32], 32)]
    assert all(job.row["eval-only"] and job.row["run-eval"] for job in chosen)


def test_all_evals_widens_single_node() -> None:
    found = jobs(options=ALL, a=config(fixed=[engine(conc_list=[1, 64])]), b=config(agentic=[trace()]))
    assert picked(found) == [1, 64, 16]


def test_all_evals_merges_multi_node() -> None:
    fixed = config(fixed=[pools(conc_list=[8, 64]), pools(conc_list=[4, 8])])
    agentic = config(agentic=[pools(conc_list=[2, 8])], model="org/Other")
    one, two = (job.row for job in jobs(options=ALL, a=fixed, b=agentic))
    assert (one["conc"], one["eval-all-concs"], "eval-conc" in one) == ([4, 8, 64], True, False)
    assert (two["conc"], two["eval-conc"], "eval-all-concs" in two) == ([2, 8], 8, False)
    assert two["exp-name"].endswith("conc2")


def test_without_evals_fixed_rows_still_say_so() -> None:
    found = jobs(options=FullSweep(no_evals=True), a=config(fixed=[engine()]), b=config(agentic=[trace()]))
    assert [job.row.get("run-eval") for job in found] == [False, None]
