"""`infx report`: static pages of results, and their charts as pictures."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from infx import press, shelf
from infx.edge import artifacts, files, gha, settings
from infx.edge.git import Git
from infx.edge.world import World
from infx.errors import BadInput
from infx.flat import Flat, flats
from infx.read import rows as reader
from infx.results.against import against
from infx.results.page import Mark, Page
from infx.say import comparison
from infx.say.words import plural

EXAMPLE = """examples:
  infx report                                       everything published, from the results database
  infx report --pr 7                                what one pull request published, beside what stood before
  infx report --ledger artifacts/ledger             one run: ledger.json and plan.json of its artifact
  infx report --rows agg_bmk.json --charts svg      rows in the community's format
  infx report --ledger artifacts/ledger --markdown  the comparison as a table for a comment"""
KINDS = ("svg", "png")
OUT = Path("infx-report")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--pr", metavar="N", type=int, help="rows of one pull request")
    what.add_argument("--ledger", metavar="FOLDER", type=Path, help="the artifact `ledger` of one run")
    what.add_argument(
        "--rows", metavar="FILE", type=Path, nargs="+", help="published rows, a list or one a line"
    )
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=OUT, help=f"else {OUT}")
    parser.add_argument(
        "--charts", choices=KINDS, action="append", default=[], help="also each chart as a picture"
    )
    parser.add_argument(
        "--note", metavar="TEXT", action="append", default=[], help="what readers must know, above the charts"
    )
    parser.add_argument("--markdown", action="store_true", help="print the comparison as a compact table")
    shelf.arguments(parser)


def run(args: argparse.Namespace, world: World) -> int:
    """0 also when some rows could not be read: each is named on the page and on standard error."""
    shown, own = _page(args, world)
    shown = replace(shown, banners=(*args.note, *shown.banners))
    out = world.cwd / args.out
    if args.out == OUT:
        files.uncommitted(out)
    press.write(out / "index.html", shown, world.env)
    for kind in dict.fromkeys(args.charts):
        press.pictures(out / "charts", own, kind=kind)
    if args.markdown:
        world.say(comparison.text(shown.compared) if shown.compared else "nothing to compare")
    world.note(f"{args.out / 'index.html'}: {plural(len(shown.rows), 'row')}")
    return 0


def _page(args: argparse.Namespace, world: World) -> tuple[Page, Sequence[Flat]]:
    """The page, and the rows that its charts show."""
    if args.ledger:
        return _of_run(args, world)
    if args.rows:
        return _of_rows(args, world)
    rows = _published(args, world)
    if args.pr is None:
        shown = press.of_all(rows, marks=_marks(world))
        return shown, rows
    own = [one for one in rows if one.pr == args.pr]
    if not own:
        raise BadInput(f"nothing of #{args.pr} was published", todo="look with `infx results history`")
    first = min(one.published for one in own)
    earlier = [one for one in rows if one.pr != args.pr and one.published < first]
    shown = press.of_pull(args.pr, own, compared=against(own, earlier))
    return shown, own


def _of_run(args: argparse.Namespace, world: World) -> tuple[Page, Sequence[Flat]]:
    folder = world.cwd / args.ledger
    plan = artifacts.plan_at(folder)
    if plan is None:
        raise BadInput(
            "there is no plan.json", where=str(args.ledger), todo="give the artifact `ledger` of a run"
        )
    ledger = artifacts.ledger(files.read_bytes(folder / "ledger.json", limit=artifacts.DOCUMENT_LIMIT))
    shown = press.of_run(plan, ledger, address=gha.run_url(world.env))
    if (world.cwd / args.database).is_file():
        shown = press.set_beside(shown, against(shown.rows, _published(args, world)))
    return shown, shown.rows


def _of_rows(args: argparse.Namespace, world: World) -> tuple[Page, Sequence[Flat]]:
    found: list[Flat] = []
    problems: list[str] = []
    for path in args.rows:
        read = reader.rows(files.read_text(world.cwd / path), where=str(path))
        problems += [one.text for one in read.problems]
        for one in read.taken:
            try:
                found += flats(one)
            except (TypeError, ValueError, OverflowError) as error:
                problems.append(f"{path}: {one.title!s:.40}: no published row ({error})"[:300])
    for problem in problems:
        gha.untrusted(world, problem)
    shown = press.of_all(list(dict.fromkeys(found)), marks=_marks(world))
    return replace(shown, banners=(*shown.banners, *press.left_out(problems))), found


def _published(args: argparse.Namespace, world: World) -> list[Flat]:
    """Every version that was not withdrawn."""
    found = shelf.ask(args, world, "SELECT * FROM marked WHERE retracted IS NULL ORDER BY published, point")
    return [shelf.row_of(one) for one in found]


def _marks(world: World) -> list[Mark]:
    """Entries of this checkout's changelog, dated by the commit that added them; none elsewhere."""
    layout = settings.load(world.cwd).layout
    return press.marks(Git(world.cwd), layout.path(layout.changelog))
