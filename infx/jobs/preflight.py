"""`infx job preflight`: is this machine fit for a job; a runner's own hook asks before it takes one."""

import argparse

from infx.cluster import Cluster
from infx.edge import files, settings
from infx.edge.world import World
from infx.errors import BadInput, Refused
from infx.launch import preflight
from infx.read.clusters import clusters
from infx.reason import Reason

EXAMPLE = """example:
  ACTIONS_RUNNER_HOOK_JOB_STARTED names a script that ends with:
    cd "$GITHUB_WORKSPACE" && exec infx job preflight --gpus 8
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--gpus", type=int, default=0, metavar="N", help="GPUs that must be visible")
    parser.add_argument("--pool", metavar="LABEL", help="what the record of this runner label asks for")
    parser.add_argument("--driver", choices=("local", "docker", "slurm"), default="local")
    parser.add_argument(
        "--min-free-gib", type=float, default=1.0, metavar="GIB", help="free disk below which no job starts"
    )


def run(args: argparse.Namespace, world: World) -> int:
    """Refused with the first trouble that could not be mended."""
    cluster = asked(args, world)
    troubles = preflight.check(world.cwd, cluster, env=world.env, before_checkout=True)
    for one in troubles:
        mended = not one.reason and one.kind != preflight.Kind.CLOCK
        world.say(f"{one.kind}: {one.what}{' (mended)' if mended else ''}")
    for one in troubles:
        if one.reason:
            poisoned = f"{Reason.RUNNER_POISONED}: {one.what}"
            raise Refused(poisoned, where=str(one.kind), todo="mend the machine: no job can start on it")
    world.note("infx: this machine is fit for a job")
    return 0


def asked(args: argparse.Namespace, world: World) -> Cluster:
    """What the machine has to be: by the flags, or by the record of a pool in the checkout."""
    if not args.pool:
        return Cluster(driver=args.driver, gpus=args.gpus, min_free_gib=args.min_free_gib)
    layout = settings.load(world.cwd).layout
    path = layout.path(layout.clusters)
    known = clusters(files.read_text(world.cwd / path), where=path)
    if args.pool not in known:
        raise BadInput(f"no record of {args.pool:.80}", where=path, todo=f"give one of {', '.join(known)}")
    return known[args.pool]
