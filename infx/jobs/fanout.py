"""`infx job fanout`: the cells that canary records release, as outputs `s0` to `s7`."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from infx.edge import artifacts, gha
from infx.edge.world import World
from infx.errors import BadInput
from infx.matrix import split
from infx.matrix.release import Release, release
from infx.point import Point
from infx.results.tally import newest
from infx.say.words import plural

EXAMPLE = """example:
  infx job fanout --plan plan.json --records artifacts"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--plan", type=Path, default=Path("infx-in/plan"), help="plan.json or its folder")
    parser.add_argument(
        "--records", type=Path, default=Path("infx-in/canary"), help="folder of downloaded canary artifacts"
    )


def run(args: argparse.Namespace, world: World) -> int:
    """0 also when nothing is released: the ledger, not this job, says what a failed canary means."""
    plan = artifacts.plan_at(world.cwd / args.plan, seal=world.env.get("INFX_SEAL", ""))
    if plan is None:
        raise BadInput("there is no plan", where=str(args.plan), todo="look at the job `plan`")
    records, problems = artifacts.records(world.cwd / args.records)
    for problem in problems:
        world.note(f"{problem.artifact}: {problem.what}")
    released = release(plan, newest(records))
    shards = split.shards(split.in_order(released.points))
    gha.outputs(world, outputs(shards))
    world.say(text(released, len(shards)))
    gha.summary(world, text(released, len(shards)))
    return 0


def outputs(shards: Sequence[Sequence[Point]]) -> Mapping[str, str]:
    """All eight outputs; `[]` keeps a shard job from starting."""
    made = {f"s{at}": split.output(shard) for at, shard in enumerate(shards)}
    return {f"s{at}": made.get(f"s{at}", "[]") for at in range(split.SHARDS)}


def text(released: Release, shards: int) -> str:
    lines = [f"released {plural(len(released.points), 'point')} in {plural(shards, 'shard')}"]
    lines += [f"not released: {key}: {why}" for key, why in released.blocked.items()]
    return "\n".join(lines)
