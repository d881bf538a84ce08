"""`infx results export`: published rows as a Parquet or CSV file."""

import argparse
from pathlib import Path

from infx import shelf
from infx.edge import database
from infx.edge.world import World

EXAMPLE = """examples:
  infx results export rows.parquet            what stands now
  infx results export --history rows.csv      every version, withdrawn ones marked"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("file", metavar="FILE", type=Path, help="ends in .parquet or .csv")
    parser.add_argument(
        "--history", action="store_true", help="every version, not only the newest that stands"
    )
    shelf.filters(parser)
    shelf.arguments(parser)
    parser.set_defaults(limit=0)


def run(args: argparse.Namespace, world: World) -> int:
    where, values = shelf.condition(args)
    of = "marked" if args.history else "latest"
    (count,) = shelf.ask(args, world, f"SELECT count(*) AS rows FROM {of} WHERE {where}", values)
    connection = database.open_read(world.cwd / args.database)
    try:
        order = f"ORDER BY curve, shape, conc, task, published {shelf.limit(args)}"
        sql = f"SELECT * EXCLUDE (source) FROM {of} WHERE {where} {order}"
        database.export(connection, sql, values, to=world.cwd / args.file)
    finally:
        connection.close()
    world.say(f"{args.file}: {min(count['rows'], args.limit or count['rows'])} rows")
    return 0
