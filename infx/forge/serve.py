"""`infx forge serve`: the embedded GitHub for a person with a client, until interrupted."""

import argparse
from collections.abc import Callable
from pathlib import Path

from infx.edge import files
from infx.edge.world import World
from infx.errors import BadInput
from infx.forge.actions.late import Late
from infx.forge.faults import DELIVERIES, REQUESTS
from infx.forge.forge import EngineFactory, Forge
from infx.forge.ports import Engine, Store
from infx.forge.server import until_told
from infx.forge.site import Limits, Secondary

FOLDER = ".infx/forge"
EXAMPLES = f"""\
examples:
  infx forge serve --port 8080 --repo acme/infx=. --user alice=admin
  infx forge serve --fault 'error_after POST * times=0 chance=0.1' --fault 'duplicate workflow_run.*' --seed 7

faults: KIND TARGET [times=N] [skip=N] [chance=P] [seconds=S] [status=N]
  of requests (TARGET is `METHOD /path`, both with *):
    {" ".join(REQUESTS)}
  of deliveries (TARGET is `event.action`, with *):
    {" ".join(DELIVERIES)}
  times=0 strikes always; chances come from --seed. docs/forge.md says what each does.
"""
HOSTED = "ubuntu-latest"
HOSTED_RUNNERS = 2


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument(
        "--folder", type=Path, default=Path(FOLDER), help=f"where it lives (default {FOLDER})"
    )
    parser.add_argument("--port", type=int, default=0, help="default: a free one")
    parser.add_argument(
        "--record", metavar="FILE", type=Path, help="write requests and events there at the end"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the chances of faults (default 0)")
    parser.add_argument(
        "--secondary-limits", action="store_true", help="keep GitHub's limits of content and speed, too"
    )
    for flag, metavar, text in (
        ("--repo", "OWNER/NAME=PATH", "make the repository from a git folder unless it is there"),
        ("--user", "LOGIN=ROLE", "give the role in every --repo and print a new token"),
        ("--runner", "NAME=LABEL[,LABEL]", "register a self-hosted runner for all repositories"),
        ("--fault", "RULE", "something goes wrong, such as 'lost POST */comments times=2' (see below)"),
    ):
        parser.add_argument(flag, metavar=metavar, action="append", default=[], help=text)


def run(args: argparse.Namespace, world: World) -> int:
    """Says address and tokens, then serves."""
    folder = world.cwd / args.folder
    if args.folder == Path(FOLDER):
        files.uncommitted(folder.parent)
    limits = Limits(secondary=Secondary() if args.secondary_limits else None)
    with Forge.start(folder, with_act(folder, world), port=args.port, limits=limits) as forge:
        forge.site.faults.seed(args.seed)
        for rule in args.fault:
            forge.fault(rule)
        tape = forge.record() if args.record else None
        prepare(forge, args, world)
        world.say(f"api: {forge.api}")
        world.say(f"pages: {forge.url}")
        world.out.flush()
        try:
            until_told()
        finally:
            if tape:
                tape.save(world.cwd / args.record)
    return 0


def with_act(folder: Path, world: World) -> EngineFactory:
    """The engine that runs the real workflow files; its own faults go to standard error."""
    return lambda store, url: Late(lambda: of_act(store, url, folder=folder, log=world.note))


def of_act(store: Store, url: str, *, folder: Path, log: Callable[[str], None]) -> Engine:
    from infx.forge.actions.engine import Engine as Act  # the first answer waits for no engine

    jobs, api = folder / "jobs", f"{url}/api/v3"
    return Act(store, folder=jobs, api_url=api, results_url=f"{url}/", log=log)


def prepare(forge: Forge, args: argparse.Namespace, world: World) -> None:
    """What the flags ask for, as far as it is not there from an earlier start."""
    repos = [pair(text, "--repo") for text in args.repo]
    for name, source in repos:
        if not forge.has(name):
            forge.create_repo(name, world.cwd / source)
        world.say(f"git of {name}: {forge.store.repository(name).git_dir}")
    for login, role in (pair(text, "--user") for text in args.user):
        world.say(f"token of {login}: {forge.user(login)}")
        for name, _ in repos:
            forge.role(name, login, role)
    hosted = [(f"hosted-{number}", HOSTED) for number in range(HOSTED_RUNNERS)]
    for name, labels in [*hosted, *(pair(text, "--runner") for text in args.runner)]:
        forge.runner(name, labels.split(","), hosted=labels == HOSTED)


def pair(text: str, flag: str) -> tuple[str, str]:
    left, sign, right = text.partition("=")
    if not (left and sign and right):
        raise BadInput(f"{text!r} has no two sides", where=flag, todo="write it as NAME=VALUE")
    return left, right
