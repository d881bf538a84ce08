"""Configs with something odd in them: rows or one clear refusal, never anything else."""

import contextlib
import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from infx.canon import canonical
from infx.errors import BadInput, Refused
from infx.matrix import schema
from infx.matrix.generate import FullSweep, full_sweep
from infx.read.config import read_catalog
from tests.matrix.sample import RUNNERS, config, dram, dump, engine, pools, trace, worker

PLAIN: dict[str, Any] = {
    "a": config(fixed=[engine(), engine(tp=4)], agentic=[dram(), trace()]),
    "b": config(fixed=[pools(prefill=worker(additional_settings=["A=1"]))], agentic=[pools()]),
}
ODD: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(
        [None, True, 0, -1, 1, 10**30, -(10**30), 1.5, float("nan"), float("inf"), "", "x", [], {}]
    ),
    st.text(max_size=5),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=2),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths of everything inside."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for step, one in inner for place in places(one, (*path, step)))]


def changed(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    if not path:
        return odd
    fresh = copy.copy(value)
    fresh[path[0]] = changed(value[path[0]], path[1:], odd)
    return fresh


def sweep(masters: Any, runners: Any) -> None:
    with contextlib.suppress(BadInput, Refused):
        catalog = read_catalog([("m.yaml", dump(masters))], ("r.yaml", dump(runners)))
        for options in (FullSweep(), FullSweep(all_evals=True), FullSweep(max_conc=4, evals_only=True)):
            jobs = full_sweep(catalog, options)
            schema.check(jobs)
            canonical([job.row for job in jobs])


@given(st.sampled_from(places(PLAIN)), ODD)
def test_odd_master_files(path: tuple[Any, ...], odd: Any) -> None:
    sweep(changed(PLAIN, path, odd), RUNNERS)


@given(st.sampled_from(places(RUNNERS)), ODD)
def test_odd_runners_files(path: tuple[Any, ...], odd: Any) -> None:
    sweep(PLAIN, changed(RUNNERS, path, odd))


@given(st.binary(max_size=200))
def test_odd_bytes(data: bytes) -> None:
    with contextlib.suppress(BadInput):
        read_catalog([("m.yaml", data)], ("r.yaml", data))
