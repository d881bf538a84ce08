"""Rows as columns: total over what may stand in a row, strict about what must."""

import json

import pytest

from infx import curve
from infx.flat import COLUMNS, flat
from infx.publication import Publication
from infx.read.rows import publication as lenient
from infx.retraction import Retraction
from tests.builders import published_row
from tests.shelving import publication


def test_a_publication_survives_its_json() -> None:
    one = publication(4)
    assert Publication.from_json(json.loads(json.dumps(one.as_json()))) == one


def test_an_older_and_a_newer_publication_are_read() -> None:
    old = {"point": "p", "row": {"conc": 1}, "run": 1, "merge": "m"}
    assert lenient({**old, "colour": "blue"}).mode == "throughput"
    assert flat(lenient(old)).published == 0
    with pytest.raises(TypeError, match="point"):
        lenient({"row": {}})


def test_a_withdrawal_survives_its_json() -> None:
    one = Retraction(run=1, reason="r", by="ada", at=1.0)
    assert Retraction.from_json(json.loads(json.dumps(one.as_json()))) == one


@pytest.mark.parametrize("value", ["1234", None, float("nan"), float("inf"), True, [1]])
def test_what_is_no_number_is_not_measured(value: object) -> None:
    if isinstance(value, float):
        with pytest.raises(ValueError, match="not JSON compliant"):
            flat(publication(4, row={"tput_per_gpu": value}))
    else:
        assert flat(publication(4, row={"tput_per_gpu": value})).tput is None


def test_energy_counts_only_when_power_was_valid() -> None:
    for valid, joules in ((1, 0.3), (0, None)):
        row = {"power_valid": valid, "joules_per_output_token": 0.3}
        assert flat(publication(4, row=row)).joules == joules


def test_a_newer_image_is_the_same_series_on_the_same_curve() -> None:
    old, new = flat(publication(4)), flat(publication(4, row={"image": "lmsysorg/sglang:v0.6.0"}))
    assert (old.series, old.curve) == (new.series, new.curve)
    other = flat(publication(4, row={"tp": 4}))
    assert old.series != other.series
    assert old.curve == other.curve


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"isl": 8192, "osl": 1024}, "8k1k"),
        ({"isl": 1024, "osl": 128}, "1024_128"),
        ({}, "agentic-coding"),
    ],
)
def test_scenarios_have_the_names_that_people_use(fields: dict[str, int], name: str) -> None:
    assert curve.scenario(published_row(4, **fields)) == name


def test_pools_are_told_apart() -> None:
    row = published_row(
        4,
        is_multinode=True,
        prefill_tp=4,
        decode_tp=8,
        decode_ep=8,
        prefill_num_workers=2,
        decode_num_workers=1,
    )
    assert curve.shape(row) == "P 2×TP4 D 1×TP8 EP8"


def test_the_whole_row_travels_along() -> None:
    one = flat(publication(4))
    assert one.row == publication(4).row
    assert set(vars(one)) == set(COLUMNS)
