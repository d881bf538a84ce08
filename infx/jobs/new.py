"""`infx changelog new`: appends the entry that covers the keys that the work tree changes."""

import argparse
import json
import re
from collections.abc import Sequence
from dataclasses import replace

from infx import block
from infx.edge import files, remote, settings
from infx.edge.git import Git
from infx.edge.tree import states, versions
from infx.edge.world import World
from infx.entry import PLACEHOLDER
from infx.errors import Refused
from infx.matrix.changed import affected, changes
from infx.versions import difference, right

EXAMPLE = """example:
  infx changelog new --description "Bump the image to v0.5.16"
"""
PLAIN = re.compile(r"[A-Za-z][\w.]*-[\w.-]*", re.ASCII)
"""A key that YAML reads as text without quotes; words like `yes` have no hyphen."""
NAMELESS = ("-c", "user.name=infx", "-c", "user.email=infx@localhost")
"""git wants an author for the commit object that stands for the work tree."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--description", action="append", required=True, metavar="TEXT", help="repeatable")
    parser.add_argument(
        "--base", default="origin/main", metavar="REF", help="target branch, default origin/main"
    )
    parser.add_argument("--pr", type=int, metavar="N", help="number; without it a placeholder is written")


def run(args: argparse.Namespace, world: World) -> int:
    git, rules = Git(world.cwd), settings.load(world.cwd)
    git.work_tree()
    path = rules.layout.path(rules.layout.changelog)
    head = git(*NAMELESS, "stash", "create").decode().strip() or git.resolve("HEAD")
    before, after = states(git, [git.merge_base(args.base, "HEAD"), head], layout=rules.layout)
    keys = sorted(affected(changes(before, after, rules=rules)))
    if not keys:
        raise Refused("no config key changes, so no entry is needed", todo="change a recipe first")
    now = files.read_bytes(world.cwd / path)
    pulls = remote.needed(git, world, changelog=now)
    found = replace(versions(git, path, base=git.resolve(args.base), head=git.resolve("HEAD")), head=now)
    if difference(found).new:
        raise Refused("this branch has an entry already", where=path, todo="add the keys to it by hand")
    written = right(found)
    own = entry(keys, args.description, f"{pulls}/{args.pr or PLACEHOLDER}").encode()
    files.write_bytes(world.cwd / path, written + block.tail(written, [own]))
    world.note(f"infx: appended an entry for {', '.join(keys)} to {path}; commit it")
    return 0


def entry(keys: Sequence[str], description: Sequence[str], link: str) -> str:
    """Text of one entry; whatever the texts hold, it reads back as them."""
    lines = ["- config-keys:", *(f"    - {_scalar(key)}" for key in keys)]
    lines += ["  description:", *(f"    - {_quoted(text)}" for text in description)]
    return "\n".join([*lines, f"  pr-link: {link}"])


def _scalar(text: str) -> str:
    return text if PLAIN.fullmatch(text) else _quoted(text)


def _quoted(text: str) -> str:
    """A JSON string is a YAML one; what is left to escape is what YAML forbids raw."""
    return re.sub(
        r"[\x7f-\x9f\ufeff\ud800-\udfff]",
        lambda one: f"\\u{ord(one[0]):04x}",
        json.dumps(text, ensure_ascii=False),
    )
