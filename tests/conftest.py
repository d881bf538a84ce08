"""Fixtures that several test folders share."""

from collections.abc import Iterator

import pytest

from tests.edge.server import Server, serving


@pytest.fixture
def server() -> Iterator[Server]:
    """The scripted GitHub, one per test."""
    with serving() as started:
        yield started
