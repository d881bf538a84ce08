"""`infx job point`: one matrix cell from launch to record. Whatever happens, a record is left behind."""

import argparse
from pathlib import Path

from infx import cells
from infx.edge import artifacts
from infx.edge.world import World
from infx.errors import BadInput
from infx.plan import Plan
from infx.point import Point
from infx.record import Outcome

HELP = """example:
  infx job point --id 0123456789abcdef --canary"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = HELP
    parser.add_argument(
        "--plan", type=Path, default=Path("infx-in/plan/plan.json"), help="the plan of this run"
    )
    parser.add_argument("--id", required=True, help="point id, as the matrix cell names it")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("infx-out"),
        help="each point gets a folder here, named as its artifact",
    )
    parser.add_argument(
        "--canary", action="store_true", help="obey the key's deadline, then try its next candidate"
    )


def run(args: argparse.Namespace, world: World) -> int:
    """0 when the point, or the candidate tried in its place, succeeded."""
    plan = read_plan(world.cwd / args.plan)
    point = pick(plan, args.id)
    key = next((key for key in plan.keys if args.canary and key.canary == point.id), None)
    cluster = cells.cluster_of(world, point)
    job = cells.Job(world=world, plan=plan, cluster=cluster, out=(world.cwd / args.out).resolve())
    return 0 if cells.canary(job, point, key).outcome == Outcome.SUCCESS else 1


def read_plan(path: Path) -> Plan:
    plan = artifacts.plan_at(path)
    if plan is None:
        raise BadInput("there is no plan", where=str(path), todo="give the run's plan.json")
    return plan


def pick(plan: Plan, point_id: str) -> Point:
    if point_id not in plan.by_id:
        raise BadInput(f"the plan has no point {point_id}", todo="give an id of plan.json")
    return plan.by_id[point_id]
