"""The scripted GitHub, one per test."""

from collections.abc import Iterator

import pytest

from tests.edge.server import Server, serving


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as started:
        yield started
