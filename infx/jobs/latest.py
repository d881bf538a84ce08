"""`infx results latest`: the newest published row of every point that still stands."""

import argparse

from infx import shelf
from infx.edge.world import World
from infx.results import table

EXAMPLE = """examples:
  infx results latest                              the newest fifty
  infx results latest --hw h200-dgxc --conc 64     all that is known of one place
  infx results latest --model qwen3.5 --limit 0 --json"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    shelf.filters(parser)
    shelf.arguments(parser)


def run(args: argparse.Namespace, world: World) -> int:
    where, values = shelf.condition(args)
    sql = f"SELECT *, count(*) OVER () AS total FROM latest WHERE {where}"
    order = "ORDER BY published DESC, curve, shape, conc"
    return shelf.answer(args, world, (f"{sql} {order}", values), table.LATEST)
