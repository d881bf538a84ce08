"""`infx results since`: what was published or withdrawn since a date, beside what stood before."""

import argparse
from datetime import UTC, datetime

from infx import shelf
from infx.edge.world import World
from infx.errors import BadInput
from infx.results import table

EXAMPLE = """examples:
  infx results since 2026-07-01
  infx results since 2026-07-01T12:00:00Z --hw h200-dgxc --json"""
CHANGES = """
SELECT *, coalesce(tput, score) AS now, count(*) OVER () AS total FROM (
    SELECT *, lag(coalesce(tput, score)) OVER (PARTITION BY series ORDER BY published, version) AS before,
    CASE WHEN retracted IS NOT NULL AND retracted_at >= ? THEN 'withdrawn: ' || retracted
         WHEN published < ? THEN '' WHEN before IS NULL THEN 'new' ELSE 'measured again' END AS what
    FROM marked WHERE "current"
) WHERE what <> ''"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument(
        "date", metavar="DATE", help="2026-07-01, or with a time; UTC unless it says otherwise"
    )
    shelf.filters(parser)
    shelf.arguments(parser)


def run(args: argparse.Namespace, world: World) -> int:
    begin = moment(args.date)
    where, values = shelf.condition(args)
    sql = f"{CHANGES} AND {where} ORDER BY published DESC, curve, shape, conc"
    return shelf.answer(args, world, (sql, [begin, begin, *values]), table.SINCE)


def moment(text: str) -> float:
    """Unix seconds."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadInput(f"{text!r:.40} is no date", todo="give it as 2026-07-01") from error
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
