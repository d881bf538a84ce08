"""`infx results build`: the database becomes what the store of record holds now."""

import argparse
import json

from infx import shelf
from infx.edge import gha
from infx.edge.world import World
from infx.say.words import plural

EXAMPLE = """examples:
  infx results build
  infx results build --database /tmp/results.duckdb --json"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    shelf.arguments(parser)
    parser.add_argument("--json", action="store_true", help="what was read, as JSON")


def run(args: argparse.Namespace, world: World) -> int:
    """0 also when some lines are no records: each is named, and all others are taken."""
    built = shelf.build(world.cwd / args.database, shelf.store(world), world)
    for problem in built.problems:
        gha.untrusted(world, problem)
    if args.json:
        world.say(json.dumps({**vars(built), "problems": list(built.problems)}, indent=1))
    elif not built.commit:
        world.say("nothing was ever published: the store has no records yet")
    else:
        counts = {"file": built.files, "row": built.rows, "problem": len(built.problems)}
        files, rows, problems = (plural(count, word) for word, count in counts.items())
        world.say(f"at {built.commit[:7]}: {files} read, {rows}, {problems}")
    return 0
