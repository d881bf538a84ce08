from collections.abc import Iterator

import pytest

from tests.simulator.parser import Parser


@pytest.fixture(scope="session")
def parser() -> Iterator[Parser]:
    with Parser.running() as running:
        yield running
