"""`infx changelog resolve`: a merge conflict of the changelog, resolved from the three index stages."""

import argparse

from infx.edge import files, settings
from infx.edge.git import Git
from infx.edge.world import World
from infx.errors import BadInput
from infx.versions import Versions, right

EXAMPLE = """example:
  git merge origin/main || infx changelog resolve && git add perf-changelog.yaml
"""
REBASES = ("rebase-merge", "rebase-apply")
"""Folders that git keeps while it rebases."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument(
        "--target", choices=("ours", "theirs"), help="side that is the target branch; default: git is asked"
    )


def run(args: argparse.Namespace, world: World) -> int:
    git, rules = Git(world.cwd), settings.load(world.cwd)
    path = rules.layout.path(rules.layout.changelog)
    ancestor, ours, theirs = _stages(git, path)
    target = args.target or ("ours" if _rebasing(git, world) else "theirs")
    own, main = (theirs, ours) if target == "ours" else (ours, theirs)
    files.write_bytes(world.cwd / path, right(Versions(merge_base=ancestor, target=main, head=own)))
    world.note(
        f"infx: wrote {path}: the bytes of {target}, then the other side's entries; now git add {path}"
    )
    return 0


def _stages(git: Git, path: str) -> tuple[bytes, bytes, bytes]:
    """Contents of the common ancestor, ours and theirs. BadInput when the path is not in conflict."""
    found = {}
    for entry in git("ls-files", "-u", "-z", "--", path).split(b"\0"):
        if entry:
            _, oid, stage = entry.partition(b"\t")[0].split()
            found[int(stage)] = git("cat-file", "blob", oid.decode())
    if not {2, 3} <= found.keys():
        raise BadInput("the index holds no conflict of this file", where=path, todo="run this during a merge")
    return found.get(1, b""), found[2], found[3]


def _rebasing(git: Git, world: World) -> bool:
    """In a rebase git swaps the sides: ours is the branch that is rebased on."""
    places = (git("rev-parse", "--git-path", name).decode().strip() for name in REBASES)
    return any((world.cwd / place).exists() for place in places)
