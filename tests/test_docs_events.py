"""docs/events.md names every kind of the event decision."""

from pathlib import Path

import pytest

from infx.verdict import FAILS, GO, Kind

ROWS = [
    line
    for line in (Path(__file__).parent.parent / "docs" / "events.md").read_text().splitlines()
    if line.startswith("| `")
]


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_is_documented_as_it_is(kind: Kind) -> None:
    (row,) = [row for row in ROWS if f"`{kind}`" in row.split("|")[1]]
    _, _, goes, red, _, _ = (cell.strip() for cell in row.split("|"))
    assert (bool(goes), red == "red") == (kind in GO, kind in FAILS)
