"""`infx job teardown`: nothing that a cell started is left, here or on nodes; what it recorded is named."""

import argparse
from pathlib import Path

from infx.edge import artifacts, gha
from infx.edge.world import World
from infx.launch import preflight
from infx.launch.environ import inherited

LIMIT_S = 30.0
"""Seconds for each answer of a container engine or scheduler; the step itself has four minutes."""
NAMES = ("first", "second")
"""Outputs: a cell leaves the artifact of its point, and a second one when it tried the next candidate."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "example:\n  infx job teardown --out infx-out"
    parser.add_argument(
        "--out", type=Path, default=Path("infx-out"), help="the folder that `infx job point` was given"
    )


def run(args: argparse.Namespace, world: World) -> int:
    """0; says what had to be ended. The cell's own exit code stays what the job shows."""
    out = (world.cwd / args.out).resolve()
    for found in preflight.release(out, env=inherited(world.env), limit_s=LIMIT_S):
        world.note(f"{found.kind}: {found.what}")
    left = sorted(folder.name for kind in artifacts.KINDS for folder in out.glob(f"{kind}*"))
    gha.outputs(world, dict(zip(NAMES, left, strict=False)))
    return 0
