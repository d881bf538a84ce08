"""Groups of tests. Without the tool that one needs a line says so; `INFX_REQUIRE=all` makes that an error.

Tests of no slow group are also marked `unit`.
"""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

from infx.errors import CouldNotTell
from infx.forge.actions.act import program
from tests.launch import cluster, dockerd
from tests.oracle.recorded import FOLDER, STEPS

ROOT = Path(__file__).parent.parent
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome") or ""


def act() -> str:
    """What is missing; `""` when nothing is."""
    try:
        program()
    except CouldNotTell as problem:
        return problem.sentence
    return ""


def node() -> str:
    if not shutil.which("node"):
        return "node is not installed"
    return "" if (ROOT / "node_modules" / "@actions").is_dir() else "node_modules is not there: run `npm ci`"


def clients() -> str:
    folder = Path(os.environ.get("INFX_CLIENTS") or ROOT / ".venv-clients")
    return "" if (folder / "bin" / "aiperf").exists() else f"no load and accuracy clients in {folder}"


def oracle() -> str:
    return "" if STEPS else f"no recorded sweeps in {FOLDER}: set INFX_ORACLE"


def chromium() -> str:
    if not BROWSER:
        return "chromium is not installed"
    driver = ROOT / "node_modules" / "playwright-core"
    return "" if driver.is_dir() else "node_modules is not there: run `npm ci`"


@dataclass(frozen=True)
class Group:
    """Tests with one marker."""

    absent: Callable[[], str]


GROUPS = {
    "act": Group(act),
    "forge": Group(lambda: ""),
    "chromium": Group(chromium),
    "clients": Group(clients),
    "docker": Group(dockerd.absent),
    "slurm": Group(cluster.absent),
    "oracle": Group(oracle),
    "node": Group(node),
    "process": Group(lambda: ""),
    "seeds": Group(lambda: ""),
}
PROCESSES = (
    "edge/test_checkout.py",
    "edge/test_database.py",
    "edge/test_git.py",
    "edge/test_ignore.py",
    "edge/test_landed.py",
    "edge/test_patch.py",
    "edge/test_store.py",
    "edge/test_tree.py",
    "edge/test_world.py",
    "jobs/",
    "launch/",
    "read/test_dated.py",
    "test_bad_input.py",
    "test_groups.py",
    "test_shelf.py",
    "test_join.py",
    "test_publish.py",
    "test_audit.py",
    "test_recovery.py",
    "test_package.py",
    "test_sources.py",
    "test_sources_older.py",
    "test_spent.py",
    "test_staging.py",
    "test_status.py",
)
"""Places below this folder whose tests start git, shells and engines: group `process`."""
CLUSTERS = ("docker", "slurm")
"""Groups that start services of the machine; their tests are in no other group."""
SERVICES = "tests/launch/"
"""Where all of them are."""
SKIPPED = pytest.StashKey[list[str]]()


def required() -> bool:
    """No group may be left out."""
    return os.environ.get("INFX_REQUIRE") == "all"


class Together(LoadScopeScheduling):  # type: ignore[misc]  # the library has no types
    """A test for whichever worker is free; one worker runs all that may start services of the machine."""

    def _split_scope(self, nodeid: str) -> str:
        return SERVICES if nodeid.startswith(SERVICES) else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Together:
    return Together(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        place = item.path.relative_to(here).as_posix()
        clustered = any(item.get_closest_marker(name) for name in CLUSTERS)
        if clustered and not item.nodeid.startswith(SERVICES):
            raise pytest.UsageError(f"{item.nodeid} starts services: it belongs into {SERVICES}")
        if place.startswith(PROCESSES) and not clustered:
            item.add_marker("process")
        if not any(item.get_closest_marker(name) for name in GROUPS):
            item.add_marker("unit")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """After `-m` and `-k` have chosen, and before workers say what they have: what was not asked for is not
    missed."""
    lines = []
    for name, group in GROUPS.items():
        members = [item for item in session.items if item.get_closest_marker(name)]
        missing = group.absent() if members else ""
        if missing:
            lines.append(f"group {name}, {len(members)} tests: {missing}")
            session.items[:] = [item for item in session.items if item not in members]
    if lines and required():
        session.items.clear()
    session.config.stash[SKIPPED] = lines
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["skipped"] = lines


def pytest_testnodedown(node: Any) -> None:
    """One of several workers has ended: its lines are said once, by the process that gathers results."""
    node.config.stash[SKIPPED] = node.workeroutput.get("skipped", [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    what = "INFX_REQUIRE=all, but this cannot run" if required() else "skipped"
    for line in terminalreporter.config.stash.get(SKIPPED, []):
        terminalreporter.write_line(f"{what}: {line}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not session.config.stash.get(SKIPPED, []):
        return
    if required():
        session.exitstatus = pytest.ExitCode.USAGE_ERROR
    elif session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = pytest.ExitCode.OK
