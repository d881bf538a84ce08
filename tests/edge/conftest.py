"""Fixtures that several test folders share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.edge.server import Server, serving
from tests.repo import Repo


@pytest.fixture
def server() -> Iterator[Server]:
    """The scripted GitHub, one per test."""
    with serving() as started:
        yield started


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)
