"""`infx job readiness`: the status of a pull request's head, written when it is another one than before."""

import argparse

from infx.edge import gha, settings
from infx.edge.github import connect
from infx.edge.world import World
from infx.status import desk_of, show

EXAMPLE = """example:
  GITHUB_REPOSITORY=o/r GITHUB_TOKEN=… infx job readiness --pr 7"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--pr", metavar="N", type=int, required=True, help="number of the pull request")


def run(args: argparse.Namespace, world: World) -> int:
    """0 whatever the status says; CouldNotReport when it could not be written."""
    github, rules = connect(world.env), settings.load(world.cwd)
    answer = show(desk_of(github, rules, world, args.pr))
    gha.untrusted(world, f"{answer.extra['state']}: {answer.reason}")
    return 0
