"""`infx forge demo`: the whole life of one pull request, on this machine, by the real workflow files."""

import argparse
import shutil
from contextlib import suppress
from pathlib import Path

from infx.edge import files
from infx.edge.world import World
from infx.errors import Refused
from infx.forge import chapters
from infx.forge.cast import REPOSITORY, Cast
from infx.forge.forge import Forge
from infx.forge.serve import with_act
from infx.forge.server import until_told

FOLDER = Path(".infx/demo")
LEFT = f"""
what is left to look at, in {FOLDER}:
  report/index.html    the results page of the sweep
  facts/facts.json     why it started: `infx explain {FOLDER}/facts/facts.json`
  clone/               the repository: `infx results latest` in it says what main has published"""
UP = """
the embedded GitHub stays up until Ctrl-C:
  {repo}/pull/1    the conversation
  {repo}/pulls     pull requests
  {repo}/actions   runs, jobs and their logs"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "example: infx forge demo --keep"
    parser.add_argument("--keep", action="store_true", help="leave the embedded GitHub up until interrupted")


def run(args: argparse.Namespace, world: World) -> int:
    """0 when every point is valid, the sign-off passed, and every job after the merge is green."""
    folder = world.cwd / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    files.uncommitted(folder.parent)
    with Forge.start(folder / "forge", with_act(folder / "forge", world)) as forge:
        cast = Cast(world, folder, forge)
        green = chapters.life(cast)
        cast.say(LEFT)
        if args.keep:
            cast.say(UP.format(repo=f"{forge.url}/{REPOSITORY}"))
            with suppress(KeyboardInterrupt):
                until_told()
    return 0 if green else Refused.exit_code
