"""The schemas of raw results take what real cells left, and nothing else."""

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from infx.jobs import schema
from infx.read import raw
from tests import builders
from tests.results.test_normalize import complaints

EVIDENCE = Path(__file__).parents[2] / "docs" / "evidence" / "h200"
POINTS = sorted(EVIDENCE.glob("points/*"))


def fits(name: str, value: Any) -> bool:
    return jsonschema_rs.validator_for(raw.schema(name)).is_valid(value)


def test_there_is_evidence() -> None:
    assert len(POINTS) == 6


@pytest.mark.parametrize("folder", POINTS, ids=lambda path: path.name)
def test_what_an_h200_left_fits(folder: Path) -> None:
    record = json.loads((folder / "record.json").read_text())
    assert fits("record", record)
    assert fits("power", json.loads((folder / "power.json").read_text()))
    assert complaints(record["result"]) == []
    corpus = record["result"].get("corpus")
    assert corpus is None or fits("corpus", corpus)


@pytest.mark.parametrize(
    "change", [{"sha": "x"}, {"outcome": "green"}, {"reason": "Because!"}, {"extra": 1}, {"attempt": "1"}]
)
def test_another_record_does_not(change: dict[str, Any]) -> None:
    record = builders.record(builders.point()).as_json()
    assert fits("record", record)
    assert not fits("record", {**record, **change})


def test_power_has_reasons_of_the_closed_list_and_no_infinity() -> None:
    power = json.loads((POINTS[0] / "power.json").read_text())
    assert fits("power", {**power, "valid": False, "reasons": [["gap", "7.5 over 3.0"]], "joules": None})
    assert not fits("power", {**power, "reasons": [["tired", ""]]})
    assert not fits("power", {**power, "joules": "Infinity"})


def test_published_rows_have_a_schema_by_name_too() -> None:
    assert schema.document("result-row")["title"] == "Published result row"
