"""Files are written whole or not at all, whatever a stranger's text holds."""

import os
from pathlib import Path

import pytest

from infx.edge import files
from infx.errors import BadInput
from tests.repo import Repo


def test_half_of_a_surrogate_pair_survives_in_JSON(tmp_path: Path) -> None:
    value = {"label": "\ud800 é\\ud800"}
    files.write_json(tmp_path / "facts.json", value)
    assert files.read_json(tmp_path / "facts.json") == value


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "1" * 5000])
def test_what_is_no_JSON_is_named_with_its_file(text: str) -> None:
    with pytest.raises(BadInput, match=r"^a\.json"):
        files.parse_json(text, where="a.json")


def test_a_folder_or_a_pipe_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (tmp_path, pipe):
        with pytest.raises(BadInput, match="something other than a file is there"):
            files.write_text(path, "x")
    assert pipe.is_fifo()
    assert [one.name for one in tmp_path.iterdir()] == ["pipe"]


def test_git_leaves_out_what_lies_in_a_folder_of_ours(tmp_path: Path, repo: Repo) -> None:
    files.write_text(repo.root / ".infx" / "x", "x")
    assert repo.git("status", "--porcelain") == "?? .infx/"
    files.uncommitted(repo.root / ".infx")
    assert repo.git("status", "--porcelain") == ""
    (repo.root / ".infx" / ".gitignore").write_text("own\n")
    files.uncommitted(repo.root / ".infx")
    assert (repo.root / ".infx" / ".gitignore").read_text() == "own\n"
