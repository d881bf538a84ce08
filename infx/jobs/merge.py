"""`infx merge`: the supported way to merge a pull request; whatever was measured is published afterwards."""

import argparse
import json

from infx.edge import settings
from infx.edge.github import connect
from infx.edge.world import World
from infx.join import Asked, Joiner
from infx.merge import METHODS
from infx.policy import merging
from infx.verdict import exit_number

EXAMPLE = """examples:
  infx merge 2428                  bring it up to date, repair the changelog, wait for checks, merge
  infx merge 2428 --dry-run        the next step and its reason; changes nothing on GitHub but the status
  infx merge 2428 --method rebase

Inside a clone, with GITHUB_REPOSITORY and the token of a person or an App in GITHUB_TOKEN: GitHub starts no
workflow for what a job's own token pushes or merges. Interrupted, it goes on where it was when run again."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("number", metavar="PR", type=int, help="number of the pull request")
    parser.add_argument("--method", choices=METHODS, default="squash", help="default squash")
    parser.add_argument(
        "--wait", metavar="MINUTES", type=float, default=60.0, help="longest waiting for checks, default 60"
    )
    parser.add_argument(
        "--poll", metavar="SECONDS", type=float, default=15.0, help="between two looks, default 15"
    )
    parser.add_argument("--dry-run", action="store_true", help="decide the next step and do nothing")
    parser.add_argument("--json", action="store_true", help="print the last decision as JSON")


def run(args: argparse.Namespace, world: World) -> int:
    """0 when it is merged, or would go on. Refused with the reason and the repair when it may not be."""
    asked = Asked(number=args.number, method=args.method, limit_s=args.wait * 60, poll_s=max(args.poll, 0.05))
    joiner = Joiner(world=world, github=connect(world.env), rules=settings.load(world.cwd), asked=asked)
    decision = merging.decide(joiner.look()) if args.dry_run else joiner.run()
    step = decision.extra["step"]
    world.say(json.dumps(decision.as_json(), indent=1) if args.json else f"{step}: {decision.reason}")
    return exit_number(decision)
