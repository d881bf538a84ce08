"""Files are written whole or not at all, whatever a stranger's text holds."""

from pathlib import Path

from infx.edge import files


def test_half_of_a_surrogate_pair_survives_in_JSON(tmp_path: Path) -> None:
    value = {"label": "\ud800 é\\ud800"}
    files.write_json(tmp_path / "facts.json", value)
    assert files.read_json(tmp_path / "facts.json") == value
