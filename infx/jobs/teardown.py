"""`infx job teardown`: nothing that a cell started is left running, and what it recorded is named."""

import argparse
from pathlib import Path

from infx.edge import artifacts, gha
from infx.edge.world import World
from infx.launch import leftovers

GRACE_S = 5.0
NAMES = ("first", "second")
"""Outputs: a cell leaves the artifact of its point, and a second one when it tried the next candidate."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "example:\n  infx job teardown --out infx-out"
    parser.add_argument(
        "--out", type=Path, default=Path("infx-out"), help="the folder that `infx job point` was given"
    )


def run(args: argparse.Namespace, world: World) -> int:
    """0; says how many programs had to be ended."""
    out = (world.cwd / args.out).resolve()
    ended = leftovers.end(out, grace_s=GRACE_S)
    if ended:
        world.note(f"ended {ended} program{'s' if ended > 1 else ''} that the cell had left")
    left = sorted(folder.name for kind in artifacts.KINDS for folder in out.glob(f"{kind}*"))
    gha.outputs(world, dict(zip(NAMES, left, strict=False)))
    return 0
