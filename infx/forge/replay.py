"""`infx forge replay`: a recorded life answers again, and its events are delivered again."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from infx.edge.world import World
from infx.errors import CouldNotTell

TIMEOUT_S = 30


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "example: infx forge replay life.jsonl.gz --port 8080"
    parser.add_argument("file", type=Path, help="what `infx forge record` or `serve --record` wrote")
    parser.add_argument("--port", type=int, default=0, help="default: a free one")
    parser.add_argument("--deliver", metavar="URL", default="", help="post the events there, in their order")
    parser.add_argument(
        "--json", action="store_true", help="print the events as JSON lines, and serve nothing"
    )


def run(args: argparse.Namespace, world: World) -> int:
    """Says the address, delivers the events if asked to, then serves until interrupted."""
    import json

    from infx.forge.life import form
    from infx.forge.life.player import Player
    from infx.forge.server import HOST, Server, bind, until_told

    life = form.read(world.cwd / args.file)
    if args.json:
        for event in life.of("event"):
            world.say(json.dumps({"name": event["name"], "payload": event["payload"]}, ensure_ascii=False))
        return 0
    if not life.complete:
        world.note("infx forge replay: the recording reached its bound; what came after is missing")
    sock = bind(args.port)
    home = f"http://{HOST}:{sock.getsockname()[1]}"
    server = Server(Player(life, home), sock)
    try:
        world.say(f"api: {home}/api/v3")
        world.out.flush()
        if args.deliver:
            world.note(f"delivered {deliver(args.deliver, life.of('event'))} events")
        until_told()
    finally:
        server.close()
    return 0


def deliver(url: str, events: Sequence[Mapping[str, Any]]) -> int:
    """One after another, as GitHub's webhooks come; how many there were."""
    import httpx

    for number, event in enumerate(events, 1):
        headers = {"X-GitHub-Event": str(event["name"]), "X-GitHub-Delivery": str(number)}
        try:
            httpx.post(url, json=event["payload"], headers=headers, timeout=TIMEOUT_S).raise_for_status()
        except httpx.HTTPError as error:
            raise CouldNotTell(
                f"event {number} was not taken ({error})", where=url, todo="start the receiver first"
            ) from error
    return len(events)
