"""Lives are started by the test that needs one, with the tree it wants."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from infx.forge.actions.parser import Parser
from tests.lives.world import Life

MEMORY = Path("/dev/shm")
ROOM = 2 << 30
"""Bytes that must be free there: a job's checkout takes about 10 MB, its measurement less."""


@pytest.fixture(scope="session")
def parser() -> Iterator[Parser]:
    """One parser process for all lives."""
    made = Parser()
    yield made
    made.close()


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Path]:
    """Where jobs work: in memory where programs may run there, since each job checks everything out."""
    if not roomy():
        yield tmp_path / "jobs"
        return
    folder = Path(tempfile.mkdtemp(prefix="infx-jobs-", dir=MEMORY))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def roomy() -> bool:
    """False on systems without a file system in memory, and in containers whose own is small or `noexec`."""
    if not os.access(MEMORY, os.W_OK):
        return False
    found = os.statvfs(MEMORY)
    return found.f_bavail * found.f_frsize >= ROOM and not found.f_flag & os.ST_NOEXEC


@pytest.fixture
def live(tmp_path: Path, workshop: Path, parser: Parser) -> Iterator[Callable[..., Life]]:
    """Starts a life: `live(tree, clusters=2)`. It ends with the test."""
    started: list[Life] = []

    def start(tree: dict[str, bytes], *, clusters: int = 2, env: dict[str, str] | None = None) -> Life:
        name = str(len(started))
        made = Life(tmp_path / name, parser, tree, jobs=workshop / name, clusters=clusters, env=env)
        started.append(made)
        return made

    yield start
    for life in started:
        life.close()
