"""`infx forge demo`: the whole life of one pull request, on this machine, by the real workflow files."""

import argparse
import shutil
import time
from pathlib import Path

from infx.edge.world import World
from infx.errors import Refused
from infx.forge import chapters
from infx.forge.cast import REPOSITORY, Cast
from infx.forge.forge import Forge
from infx.forge.serve import with_act

FOLDER = Path(".infx/demo")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "example: infx forge demo --keep"
    parser.add_argument("--keep", action="store_true", help="leave the embedded GitHub up until interrupted")


def run(args: argparse.Namespace, world: World) -> int:
    """0 when every point of the sweep is valid and every job after the merge is green."""
    folder = world.cwd / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    with Forge.start(folder / "forge", with_act(folder / "forge", world)) as forge:
        cast = Cast(world, folder, forge)
        green = chapters.life(cast)
        cast.say(f"\nthe conversation: {forge.url}/{REPOSITORY}/pull/1")
        cast.say(f"the results page: {folder / 'report' / 'index.html'}")
        while args.keep:
            cast.say(f"the embedded GitHub stays up at {forge.url}/{REPOSITORY}/pulls; Ctrl-C ends it")
            time.sleep(3600)
    return 0 if green else Refused.exit_code
