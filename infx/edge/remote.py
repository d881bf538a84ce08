"""Remote: the address of the repository's pull requests, from the environment or the clone's origin."""

import re

from infx import block
from infx.edge.git import Git
from infx.edge.world import World
from infx.errors import BadInput

PULL = re.compile(r"(https?://[^/\s]+/[^/\s]+/[^/\s]+/pull)/\w+")
ORIGIN = re.compile(r"^(?:\w+://)?(?:[^@/]*@)?([^/:]+)(?::\d+)?[/:](.+?)(?:\.git)?/?$")
"""Host and path of `https://host/o/r.git`, `git@host:o/r` and `ssh://git@host:22/o/r`."""


def pulls(git: Git, world: World) -> str:
    """`https://github.com/o/r/pull`; empty when neither the environment nor the clone says it."""
    repository = world.env.get("GITHUB_REPOSITORY")
    if repository:
        return f"{world.env.get('GITHUB_SERVER_URL', 'https://github.com')}/{repository}/pull"
    done = git.attempt("remote", "get-url", "origin")
    match = ORIGIN.match(done.text.strip()) if done.code == 0 else None
    return f"https://{match[1]}/{match[2]}/pull" if match and match[2].count("/") == 1 else ""


def needed(git: Git, world: World, *, changelog: bytes) -> str:
    """As `pulls`; a clone of a folder has its newest entry's. BadInput when nothing says it."""
    entries = block.blocks(changelog)
    newest = PULL.fullmatch(block.link(entries[-1]).decode("utf-8", "replace")) if entries else None
    found = pulls(git, world) or (newest[1] if newest else "")
    if not found:
        raise BadInput("no remote says where pull requests are", todo="set GITHUB_REPOSITORY=owner/name")
    return found
