import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from infx.cli import main
from infx.edge import proc
from infx.edge.world import World
from tests.matrix.sample import RUNNERS, config, dump, engine, pools


class Session:
    """The command line in a folder of its own."""

    def __init__(self, root: Path) -> None:
        self.root, self.out, self.err = root, io.StringIO(), io.StringIO()
        (root / "configs").mkdir()
        (root / "configs/runners.yaml").write_bytes(dump(RUNNERS))
        (root / "m.yaml").write_bytes(dump({"a": config(fixed=[engine()]), "b": config(fixed=[pools()])}))

    def __call__(self, *words: str) -> int:
        world = World(env={}, cwd=self.root, out=self.out, err=self.err)
        return main(["matrix", "generate", *words], world)

    @property
    def rows(self) -> Any:
        return json.loads(self.out.getvalue())


@pytest.fixture
def infx(tmp_path: Path) -> Session:
    return Session(tmp_path)


def test_rows_alone_go_to_standard_output(infx: Session) -> None:
    assert infx("full-sweep", "--config-files", "m.yaml") == 0
    assert [row["model-prefix"] for row in infx.rows] == ["mo", "mo"]
    assert infx.err.getvalue() == ""


def test_bounds_that_exclude_everything_are_accepted_with_a_notice(infx: Session) -> None:
    assert infx("full-sweep", "--config-files", "m.yaml", "--max-conc", "0") == 0
    assert infx.rows == []
    assert "exclude everything" in infx.err.getvalue()


@pytest.mark.parametrize(
    ("words", "count"),
    [
        (("full-sweep", "--single-node"), 1),
        (("full-sweep", "--seq-lens", "1k1k"), 0),
        (("full-sweep", "--runner-type", "box", "--precision", "fp8", "fp4"), 2),
        (("full-sweep", "--evals-only", "--scenario-type", "fixed-seq-len"), 2),
        (("test-config", "--config-keys", "[ab]*"), 2),
        (("test-config", "--config-keys", "a", "--conc", "16", "4"), 1),
        (("test-config", "--config-keys", "a", "--runner-node-filter", "box"), 3),
    ],
)
def test_filters(infx: Session, words: tuple[str, ...], count: int) -> None:
    assert infx(*words, "--config-files", "m.yaml") == 0
    assert len(infx.rows) == count


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("full-sweep", "--config-files", "no.yaml"), 2, "no.yaml"),
        (("full-sweep", "--config-files", "m.yaml", "m.yaml"), 2, "also in m.yaml"),
        (("full-sweep", "--config-files", "m.yaml", "--runner-type", "bx"), 1, "did you mean `box`"),
        (("full-sweep", "--config-files", "m.yaml", "--step-size", "1"), 2, "--step-size"),
        (("test-config", "--config-files", "m.yaml", "--config-keys", "z*"), 1, "names no config"),
    ],
)
def test_refusals_are_one_sentence(infx: Session, words: tuple[str, ...], code: int, says: str) -> None:
    assert infx(*words) == code
    assert says in infx.err.getvalue()
    assert infx.err.getvalue().count("\n") == 1
    assert infx.out.getvalue() == ""


@pytest.mark.parametrize(
    "words",
    [
        ("full-sweep",),
        ("full-sweep", "--config-files", "m.yaml", "--conc", "4"),
        ("full-sweep", "--config-files", "m.yaml", "--scenario-type", "other"),
        ("test-config", "--config-files", "m.yaml"),
        ("test-config", "--config-files", "m.yaml", "--config-keys", "a", "--max-conc", "4"),
    ],
)
@pytest.mark.usefixtures("capsys")
def test_usage_errors(infx: Session, words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as caught:
        infx(*words)
    assert caught.value.code == 2


def test_the_community_name_of_the_command(infx: Session) -> None:
    argv = [sys.executable, "-m", "infx.matrix.generate", "full-sweep", "--config-files", "m.yaml"]
    root = str(Path(__file__).parents[2])
    done = proc.run(argv, cwd=infx.root, env={**os.environ, "PYTHONPATH": root})
    assert (done.code, len(json.loads(done.out))) == (0, 2)
