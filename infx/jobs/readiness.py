"""`infx job readiness`: the status of a pull request's head, written when it is another one than before."""

import argparse

from infx.edge import gha, settings
from infx.edge.github import connect
from infx.edge.world import World
from infx.read import rest
from infx.read.place import At
from infx.status import desk_of, show

EXAMPLE = """example:
  GITHUB_EVENT_PATH=event.json GITHUB_TOKEN=… infx job readiness
  GITHUB_REPOSITORY=o/r GITHUB_TOKEN=… infx job readiness --pr 7"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--pr", metavar="N", type=int, help="number of the pull request, else the event's")


def run(args: argparse.Namespace, world: World) -> int:
    """0 whatever the status says; CouldNotReport when it could not be written."""
    number = args.pr or number_of(At(gha.event(world), "event"))
    if not number:
        world.say("the event is of no pull request")
        return 0
    answer = show(desk_of(connect(world.env), settings.load(world.cwd), world, number))
    gha.untrusted(world, f"{answer.extra['state']}: {answer.reason}")
    return 0


def number_of(event: At) -> int | None:
    """The pull request that an event is about; of a sweep, the one that its title names."""
    if not event["workflow_run"].absent:
        return rest.run(event["workflow_run"]).pr
    pull = event["issue"] if event["pull_request"].absent else event["pull_request"]
    return None if pull.absent else pull["number"].integer()
