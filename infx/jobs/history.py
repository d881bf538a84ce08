"""`infx results history`: every published version of points, with what was withdrawn and why."""

import argparse

from infx import shelf
from infx.edge.world import World
from infx.results import table

EXAMPLE = """examples:
  infx results history --key qwen3.5-fp8-h200-sglang --conc 64
  infx results history --run 27528759942 --json"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    shelf.filters(parser)
    shelf.arguments(parser)


def run(args: argparse.Namespace, world: World) -> int:
    where, values = shelf.condition(args)
    sql = f"SELECT *, count(*) OVER () AS total FROM marked WHERE {where}"
    order = "ORDER BY curve, shape, conc, task, published DESC, version DESC"
    return shelf.answer(args, world, (f"{sql} {order}", values), table.HISTORY)
