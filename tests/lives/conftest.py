"""Lives are started by the test that needs one, with the tree it wants."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from infx.forge.actions.parser import Parser
from tests.lives.world import Life


@pytest.fixture(scope="session")
def parser() -> Iterator[Parser]:
    """One parser process for all lives."""
    made = Parser()
    yield made
    made.close()


@pytest.fixture
def live(tmp_path: Path, parser: Parser) -> Iterator[Callable[..., Life]]:
    """Starts a life: `live(tree, clusters=2)`. It ends with the test."""
    started: list[Life] = []

    def start(tree: dict[str, bytes], *, clusters: int = 2, env: dict[str, str] | None = None) -> Life:
        started.append(Life(tmp_path / str(len(started)), parser, tree, clusters=clusters, env=env))
        return started[-1]

    yield start
    for life in started:
        life.close()
