"""`infx bench` finds the benchmarks of the checkout it is run in."""

from io import StringIO
from pathlib import Path

import pytest

from infx.cli import main
from infx.edge.world import World

ROOT = Path(__file__).parents[2]


def bench(folder: Path, *names: str) -> tuple[int, str]:
    err = StringIO()
    return main(["bench", *names], World(env={}, cwd=folder, out=StringIO(), err=err)), err.getvalue()


def test_the_one_that_is_named_is_run(capsys: pytest.CaptureFixture[str]) -> None:
    code, _ = bench(ROOT, "explain")
    assert code == 0
    said = capsys.readouterr().out
    assert said.startswith("# explain\n")
    assert said.count("# ") == 1


def test_elsewhere_there_is_none(tmp_path: Path) -> None:
    code, said = bench(tmp_path)
    assert (code, "run it in a checkout of infx" in said) == (2, True)


def test_a_wrong_name_is_answered_with_the_nearest() -> None:
    code, said = bench(ROOT, "result")
    assert code == 2
    assert "results" in said
