"""`infx changelog fix`: writes the bytes that the gate would accept into the work tree."""

import argparse
from dataclasses import replace

from infx.edge import files, remote, settings
from infx.edge.git import Git
from infx.edge.tree import versions
from infx.edge.world import World
from infx.entry import PLACEHOLDER
from infx.versions import relinked, right

EXAMPLE = """example:
  infx changelog fix --base origin/main --pr 2428
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument(
        "--base", default="origin/main", metavar="REF", help="target branch, default origin/main"
    )
    parser.add_argument("--pr", type=int, metavar="N", help="number to put in place of a placeholder link")


def run(args: argparse.Namespace, world: World) -> int:
    git, rules = Git(world.cwd), settings.load(world.cwd)
    path = rules.layout.path(rules.layout.changelog)
    now = files.read_bytes(world.cwd / path)
    found = replace(versions(git, path, base=git.resolve(args.base), head=git.resolve("HEAD")), head=now)
    repaired = right(found)
    if args.pr:
        pulls = remote.needed(git, world, changelog=now)
        repaired = relinked(replace(found, head=repaired), f"{pulls}/{PLACEHOLDER}", f"{pulls}/{args.pr}")
    if repaired == now:
        world.note(f"infx: nothing to fix in {path}")
        return 0
    files.write_bytes(world.cwd / path, repaired)
    world.note(f"infx: wrote {path}: the bytes of {args.base}, then the entries of this branch; commit it")
    return 0
