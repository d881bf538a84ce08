"""`infx bench`: the benchmarks of infx itself, which lie in its checkout and in no package."""

import argparse
import importlib
import sys
from pathlib import Path

from infx.edge.world import World
from infx.errors import BadInput
from infx.spell import near

FOLDER = Path("benchmarks/self")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "example: infx bench matrix results"
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks to run; all of them without one")


def run(args: argparse.Namespace, world: World) -> int:
    """0: figures are for people to read side by side, none of them fails. BadInput where there are none."""
    known = sorted({path.stem for path in (world.cwd / FOLDER).glob("*.py")} - {"__init__", "__main__"})
    if not known:
        raise BadInput("there are no benchmarks", where=str(FOLDER), todo="run it in a checkout of infx")
    for name in args.names:
        if name not in known:
            raise BadInput(f"no benchmark is called {name!r:.40}", where=str(FOLDER), todo=near(name, known))
    sys.path.insert(0, str(world.cwd))
    importlib.import_module("benchmarks.self.__main__").main(args.names)
    return 0
