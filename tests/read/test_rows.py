"""Rows that anybody may have written: each is taken, or named with what is wrong."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.errors import BadInput
from infx.flat import flat
from infx.read.rows import Defect, rows
from tests.builders import published_row
from tests.shelving import publication


def read(*values: Any) -> Any:
    return rows(json.dumps(list(values)), where="rows.json")


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in published_row(4).items() if key != name}


def test_rows_of_the_community_s_format_are_taken() -> None:
    found = read(published_row(4), published_row(16))
    assert found.problems == ()
    assert [flat(one).conc for one in found.taken] == [4, 16]
    assert found.taken[0].title == "C4"


def test_one_row_a_line_and_publications_are_taken_too() -> None:
    text = "\n".join(json.dumps(one) for one in (published_row(4), publication(16).as_json()))
    bare, whole = rows(text, where="rows.jsonl").taken
    assert (bare.run, whole) == (0, publication(16))


@pytest.mark.parametrize(
    ("row", "defect", "detail"),
    [
        (without("hw"), Defect.MISSING_FIELD, "hw"),
        (without("tput_per_gpu"), Defect.MISSING_FIELD, "neither throughput nor score"),
        ({**published_row(4), "tput_per_gpu": "1234"}, Defect.NOT_A_NUMBER, "tput_per_gpu is '1234'"),
        ({**published_row(4), "conc": "4"}, Defect.NOT_A_NUMBER, "conc is '4'"),
        ({**published_row(4), "conc": [4, True]}, Defect.NOT_A_NUMBER, "conc is True"),
        ({**published_row(4), "median_ttft": -0.1}, Defect.NEGATIVE, "median_ttft is -0.1"),
        ({**published_row(4), "p99_e2el": float("nan")}, Defect.NOT_FINITE, "p99_e2el is nan"),
        ({**published_row(4), "p99_e2el": float("inf")}, Defect.NOT_FINITE, "p99_e2el is inf"),
        ({**published_row(4), "image": float("inf")}, Defect.NOT_FINITE, "a field is inf"),
        ({**published_row(4), "servers": {"x": [float("nan")]}}, Defect.NOT_FINITE, "a field is nan"),
        ({**published_row(4), "tput_per_gpu": 10**400}, Defect.NOT_FINITE, "tput_per_gpu is 1000"),
        ({**published_row(4), "conc": 10**400}, Defect.NOT_FINITE, "conc is 1000"),
        ({**published_row(4), "conc": []}, Defect.NOT_A_NUMBER, "conc is []"),
        ({**published_row(4), "conc": 0}, Defect.NOT_A_NUMBER, "conc is 0"),
        ({**published_row(4), "conc": 1.5}, Defect.NOT_A_NUMBER, "conc is 1.5"),
        ({**published_row(4), "image": "\ud800"}, Defect.NO_ROW, "no Unicode"),
        ({**published_row(4), "model": 7}, Defect.NO_ROW, "hw, model, framework and precision are texts"),
        ("row", Defect.NO_ROW, "str, not an object"),
        ({"row": published_row(4)}, Defect.NO_ROW, "missing"),
    ],
)
def test_a_bad_row_is_named_and_costs_no_other(row: Any, defect: Defect, detail: str) -> None:
    found = read(row, published_row(16))
    (problem,) = found.problems
    assert problem.defect == defect
    assert detail in problem.detail
    assert problem.text.startswith("rows.json[0]: ")
    assert [one.title for one in found.taken] == ["C16"]


def test_rows_of_an_older_schema_get_what_they_lack() -> None:
    old = {name: value for name, value in published_row(4).items() if name not in ("spec_decoding", "disagg")}
    (found,) = read({**old, "dp_attention": "true"}).taken
    assert (found.row["spec_decoding"], found.row["disagg"], found.row["dp_attention"]) == (
        "none",
        False,
        True,
    )


@pytest.mark.parametrize("text", ["[", "{", "[1", "x", "[" * 100_000])
def test_a_file_that_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="not JSON"):
        rows(text, where="rows.json")


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@given(st.sampled_from(sorted(published_row(4))), JUNK)
def test_whatever_stands_in_a_field_a_row_is_taken_or_named(name: str, value: Any) -> None:
    found = rows(json.dumps([{**published_row(4), name: value}]), where="rows.json")
    assert len(found.taken) + len(found.problems) == 1
    for one in found.taken:
        flat(one)
