"""From `infx init` in an empty repository to the end of its first sweep, by the commands of docs/adopt.md."""

import tempfile
import time
from pathlib import Path

from infx.forge.actions.parser import Parser
from tests import groups
from tests.lives.test_adopt import commands, follow
from tests.lives.world import Life
from tests.runtime import ROOT

SECONDS, COMMANDS = 300.0, 6
"""At most, on two cores, once the environments exist."""


def bench() -> None:
    """Print both beside their limits, or what is missing."""
    missing = next(filter(None, (groups.act(), groups.node(), groups.clients())), "")
    if missing:
        print(f"skipped: {missing}")
        return
    print(f"init to first sweep: {adopted():.0f} s (at most {SECONDS:.0f})")
    print(f"  commands: {len(commands())} (at most {COMMANDS})")


def adopted() -> float:
    """Seconds; the embedded GitHub is up before they begin."""
    parser = Parser()
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            life = Life(folder, parser, {"README.md": b"bench\n"}, env={"PYTHONPATH": str(ROOT)})
            try:
                begin = time.perf_counter()
                follow(life, folder / "clone")
                return time.perf_counter() - begin
            finally:
                life.close()
    finally:
        parser.close()
