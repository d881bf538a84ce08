"""`infx results retract`: published rows count no longer; they and the reason stay in history."""

import argparse

from infx import shelf
from infx.edge.store import retracted
from infx.edge.world import World
from infx.errors import BadInput, Refused
from infx.retraction import WHOLE_RUN, Retraction
from infx.say.words import plural

EXAMPLE = """examples:
  infx results retract 27528759942 --reason 'wrong draft model was served'
  infx results retract 27528759942 --point 0123456789abcdef --reason 'clock ran backwards'
  infx results retract 27528759942 --undo --reason 'the other run was meant'"""
REASON_LIMIT = 500
"""Characters."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("number", metavar="RUN", type=int, help="run whose published rows are withdrawn")
    parser.add_argument(
        "--point", metavar="ID", default=WHOLE_RUN, help="only this point, else all of the run"
    )
    parser.add_argument("--reason", metavar="TEXT", required=True, help="stands beside the rows for ever")
    parser.add_argument("--by", metavar="NAME", default="", help="who says so, else git's user.name")
    parser.add_argument("--undo", action="store_true", help="the rows count again")
    shelf.arguments(parser)


def run(args: argparse.Namespace, world: World) -> int:
    """BadInput when nothing of that run or point was published, Refused when there is nothing to undo."""
    reason = " ".join(args.reason.split())
    if not reason or len(reason) > REASON_LIMIT:
        raise BadInput(f"the reason has {len(reason)} characters", todo=f"give 1 to {REASON_LIMIT}")
    path, records = world.cwd / args.database, shelf.store(world)
    shelf.build(path, records, world)
    where, values = (
        ("run = ?", [args.number])
        if args.point == WHOLE_RUN
        else ("run = ? AND point = ?", [args.number, args.point])
    )
    (hit,) = shelf.ask(args, world, f"SELECT count(*) AS rows FROM rows WHERE {where}", values)
    if not hit["rows"]:
        raise BadInput(f"nothing of run {args.number} was published", todo="look with `infx results history`")
    if args.undo:
        standing(args, world)
    by = args.by or records.git.attempt("config", "user.name").text.strip() or "unknown"
    one = Retraction(
        run=args.number, point=args.point, reason=reason, by=by, at=world.now(), undone=args.undo
    )
    written = records.put(
        {retracted(args.number): {args.point: one.as_json()}},
        why=f"{'count again' if args.undo else 'withdraw'}: run {args.number}",
    )
    shelf.build(path, records, world)
    word = "count again" if args.undo else "withdrawn"
    world.say(f"{plural(hit['rows'], 'row')} of run {args.number}: {word}, recorded in {written.commit[:7]}")
    return 0


def standing(args: argparse.Namespace, world: World) -> None:
    """Refused unless the withdrawal to be undone stands: a whole run's holds for each of its points."""
    sql = "SELECT point FROM retractions WHERE run = ?"
    points = {one["point"] for one in shelf.ask(args, world, sql, [args.number])}
    if args.point in points:
        return
    what = f"run {args.number}" if args.point == WHOLE_RUN else f"point {args.point} of run {args.number}"
    whole = WHOLE_RUN in points
    raise Refused(
        f"all of run {args.number} is withdrawn" if whole else f"{what} is not withdrawn",
        todo="undo it without --point" if whole else "look with `infx results history`",
    )
