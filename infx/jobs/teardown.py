"""`infx job teardown`: whatever became of a cell, nothing that it started is left on the machine."""

import argparse
from pathlib import Path

from infx.edge.world import World
from infx.launch import leftovers

GRACE_S = 5.0


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "example:\n  infx job teardown --out infx-out"
    parser.add_argument(
        "--out", type=Path, default=Path("infx-out"), help="the folder that `infx job point` was given"
    )


def run(args: argparse.Namespace, world: World) -> int:
    """0; says how many programs had to be ended."""
    ended = leftovers.end((world.cwd / args.out).resolve(), grace_s=GRACE_S)
    if ended:
        world.note(f"ended {ended} program{'s' if ended > 1 else ''} that the cell had left")
    return 0
