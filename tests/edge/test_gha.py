import io
from pathlib import Path

import pytest

from infx.edge import gha
from infx.edge.world import World
from infx.errors import BadInput


def world(folder: Path) -> World:
    env = {"GITHUB_OUTPUT": str(folder / "output")}
    return World(env=env, cwd=folder, out=io.StringIO(), err=io.StringIO())


@pytest.mark.parametrize(("text", "fits"), [("x" * 32768, True), ("x" * 32769, False), ("中" * 32769, False)])
def test_C29_an_output_is_measured_in_UTF16_before_anything_is_written(
    tmp_path: Path, text: str, fits: bool
) -> None:
    if fits:
        gha.outputs(world(tmp_path), {"first": "1", "s0": text})
        assert text in (tmp_path / "output").read_text()
        return
    with pytest.raises(BadInput, match="output s0 has 65538 bytes in UTF-16"):
        gha.outputs(world(tmp_path), {"first": "1", "s0": text})
    assert not (tmp_path / "output").exists()
