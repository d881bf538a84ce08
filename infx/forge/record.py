"""`infx forge record`: a pull request of a real GitHub as a file that can be sent: no tokens, no people."""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from infx.edge.world import World
from infx.errors import BadInput

API = "https://api.github.com"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "example: GITHUB_TOKEN=… infx forge record --repo acme/infx --pull 7 --out life.jsonl.gz"
    parser.add_argument("--repo", metavar="OWNER/NAME", required=True)
    parser.add_argument("--pull", metavar="NUMBER", type=int, required=True)
    parser.add_argument("--out", metavar="FILE", type=Path, required=True)
    parser.add_argument("--api", default=API, help=f"default: {API}")
    parser.add_argument("--for", dest="span", metavar="SECONDS", type=float, default=0, help="go on looking")
    parser.add_argument("--every", metavar="SECONDS", type=float, default=30, help="default: 30")
    parser.add_argument("--json", action="store_true", help="say as JSON what was written")


def run(args: argparse.Namespace, world: World) -> int:
    """Looks once, or until `--for` is over or somebody interrupts; then the file is written in one step."""
    import json

    from infx.forge.life.poll import Poll
    from infx.forge.life.tape import Tape

    if args.repo.count("/") != 1 or args.every <= 0:
        raise BadInput(f"{args.repo!r} every {args.every:g} s cannot be read", todo="--repo OWNER/NAME")
    api = args.api.rstrip("/")
    tape = Tape(source="github", home=home_of(api), api=api)
    token = world.env.get("GITHUB_TOKEN", "")
    with Poll(tape, api, token, repo=args.repo, number=args.pull) as poll:
        try:
            watch(poll.look, world, every=args.every, until=world.now() + args.span)
        except KeyboardInterrupt:
            world.note("infx forge record: interrupted; writing what was seen")
        poll.tell()
    life = tape.save(world.cwd / args.out)
    counts = {"requests": len(life.of("request")), "events": len(life.of("event")), "complete": life.complete}
    world.say(json.dumps(counts) if args.json else ", ".join(f"{name}: {n}" for name, n in counts.items()))
    return 0


def watch(look: Callable[[], bool], world: World, *, every: float, until: float) -> None:
    while True:
        world.note("looked: something changed" if look() else "looked: nothing changed")
        if world.now() + every > until:
            return
        time.sleep(every)


def home_of(api: str) -> str:
    """Address for people of the site with this API: GitHub's own, or that of a server."""
    return "https://github.com" if api == API else api.removesuffix("/api/v3")
