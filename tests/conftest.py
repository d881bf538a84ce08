"""Fixtures that several test folders share, and how properties are tried."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from infx.forge.actions.parser import Parser
from tests.edge.server import Server, serving
from tests.groups import (
    pytest_collection_finish,
    pytest_collection_modifyitems,
    pytest_sessionfinish,
    pytest_terminal_summary,
    pytest_testnodedown,
    pytest_xdist_make_scheduler,
)
from tests.repo import Repo

__all__ = [
    "pytest_collection_finish",
    "pytest_collection_modifyitems",
    "pytest_sessionfinish",
    "pytest_terminal_summary",
    "pytest_testnodedown",
    "pytest_xdist_make_scheduler",
]

settings.register_profile("quick", max_examples=25, deadline=None, derandomize=True, database=None)
settings.register_profile("thorough", max_examples=400, deadline=None, derandomize=True, database=None)
settings.register_profile("search", max_examples=2000, deadline=None, database=None)
settings.load_profile("quick")


@pytest.fixture
def server() -> Iterator[Server]:
    """The scripted GitHub, one per test."""
    with serving() as started:
        yield started


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """An empty git repository."""
    return Repo(tmp_path)


@pytest.fixture(scope="session")
def parser() -> Iterator[Parser]:
    """GitHub's parser; its process starts with the first question."""
    with Parser() as opened:
        yield opened
