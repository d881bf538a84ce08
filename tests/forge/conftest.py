"""A small world: repository `acme/infx` with a workflow, people by role, one client for each."""

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from infx.forge.forge import Forge
from tests.forge.client import REPO, Client, World
from tests.forge.recorder import Recorder

ROLES = {"olga": "admin", "mia": "maintain", "will": "write", "tom": "triage", "rita": "read"}
FIRST = {
    "README.md": "infx\n",
    "configs/a.yaml": "a: 1\n",
    ".github/workflows/sweep.yml": "name: Sweep\non:\n  workflow_dispatch:\njobs: {}\n",
}


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """Folder of a forge that is made once and copied for each test, and the tokens in it."""
    folder = tmp_path_factory.mktemp("template") / "forge"
    return folder, furnish(folder)


def furnish(folder: Path) -> dict[str, str]:
    """Make that forge; tokens by login."""
    with Forge.start(folder, lambda store, url: Recorder()) as forge:
        forge.create_repo(REPO)
        tokens = {login: forge.user(login) for login in ROLES}
        for login, role in ROLES.items():
            forge.role(REPO, login, role)
        will = forge.at(REPO, "will")
        will.push("main", FIRST, message="first")
        will.push("feature", {"configs/a.yaml": "a: 2\n"}, message="change a")
    return tokens


@pytest.fixture(scope="session")
def closing() -> Iterator[Callable[[Forge], object]]:
    """Closes a forge while other tests go on: a server takes a tenth of a second for it."""
    with ThreadPoolExecutor(1) as pool:
        ends: list[Future[None]] = []
        yield lambda forge: ends.append(pool.submit(forge.close))
        for end in ends:
            end.result()


@pytest.fixture
def world(
    tmp_path: Path, template: tuple[Path, dict[str, str]], closing: Callable[[Forge], object]
) -> Iterator[World]:
    folder, tokens = template
    shutil.copytree(folder, tmp_path / "forge")
    recorder = Recorder()
    forge = Forge.start(tmp_path / "forge", lambda store, url: recorder)
    yield World(forge=forge, recorder=recorder, tokens=tokens)
    closing(forge)


@pytest.fixture
def pull(world: World) -> int:
    """Number of an open pull request of will."""
    number = world.at("will").open_pull("feature", title="Change a")
    world.recorder.events.clear()
    return number


@pytest.fixture
def will(world: World) -> Any:
    """A PyGithub repository with will's token."""
    return world.pygithub("will")


@pytest.fixture
def anyone(world: World) -> Client:
    return Client(world.forge.api)
