"""`infx sweep simulate`: what failures cost under three ways to deal with them, on a recorded history."""

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from infx.edge import history, settings
from infx.edge.checkout import Paths, added_entries, catalog_at
from infx.edge.git import Git
from infx.edge.world import World
from infx.entry import Entry
from infx.errors import BadInput, InfxError, Refused
from infx.matrix.plan import sweep
from infx.matrix.points import Maker
from infx.point import EVAL, THROUGHPUT, Fingerprint, Point, row_fingerprint
from infx.recipe import Catalog
from infx.rules import Rules
from infx.say.words import plural
from infx.strategy import Change, Lab, Model, compare

EXAMPLE = """examples:
  infx sweep simulate                    the recorded history at INFX_ORACLE, else the configs at hand
  infx sweep simulate --fail-share 0.1 --seed 7 --json"""
COUNTS = ("points", "gpu_points", "gpu_hours", "repeated", "missing")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--seed", type=int, default=1, help="of the failures (default 1)")
    parser.add_argument(
        "--fail-share",
        metavar="SHARE",
        type=float,
        default=0.05,
        help="of points, in one attempt (default 0.05)",
    )
    parser.add_argument("--history", metavar="FOLDER", type=Path, help="recorded changes, else INFX_ORACLE")
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")


def run(args: argparse.Namespace, world: World) -> int:
    """1 when a resumed sweep measured something twice or left something out."""
    if not 0 <= args.fail_share < 1:
        raise BadInput(f"--fail-share is {args.fail_share}", todo="give a share from 0 to below 1")
    rules, model = settings.load(world.cwd), Model(seed=args.seed, share=args.fail_share)
    named = args.history or world.env.get("INFX_ORACLE")
    folder = world.cwd / (named or "")
    recorded = bool(named) and (folder / history.BUNDLE).exists()
    if args.history and not recorded:
        raise BadInput("there is no recorded history", where=str(folder), todo=f"it holds {history.BUNDLE}")
    if not recorded:
        missing = f"no recorded history at {folder}" if named else "INFX_ORACLE names no recorded history"
        world.note(f"infx: {missing}, so every config key at hand stands for one change")
    planned = dict(of_history(folder, rules, world) if recorded else of_configs(rules, world))
    changes = [Change.imagined(name, points, model) for name, points in planned.items() if points]
    if not changes:
        raise BadInput("no change measures anything", where=str(folder), todo="check the history")
    found = {name: totals(labs) for name, labs in compare(changes, model, rules).items()}
    answer = {"seed": args.seed, "fail_share": args.fail_share, "merged": len(changes), "strategies": found}
    world.say(json.dumps(answer, indent=1) if args.json else text(answer))
    wrong = found["resume-sweep"]["repeated"] + found["resume-sweep"]["missing"]
    return Refused.exit_code if wrong else 0


def of_history(folder: Path, rules: Rules, world: World) -> Iterator[tuple[str, Sequence[Point]]]:
    """Step → its points; a step that today's rules refuse was never merged."""
    layout = rules.layout
    paths = Paths(masters=[layout.path(one) for one in MASTERS], runners=layout.path(layout.runners))
    names, refused = history.steps(folder), 0
    with history.unbundled(folder) as git:
        for number, step in enumerate(names, 1):
            try:
                yield step, of_step(git, step, rules, paths=paths)
            except InfxError:
                refused += 1
            if number % 25 == 0:
                world.note(f"{number} of {len(names)} changes are read")
    world.note(f"{plural(refused, 'change')} of {len(names)} would be refused, and count for nothing")


MASTERS = ("configs/nvidia-master.yaml", "configs/amd-master.yaml")
"""Master configs of the recorded repository."""


def of_step(git: Git, step: str, rules: Rules, *, paths: Paths) -> tuple[Point, ...]:
    base, head = git.resolve(f"refs/tags/{step}-base"), git.resolve(f"refs/tags/{step}")
    entries = added_entries(git, rules.layout.path(rules.layout.changelog), base=base, head=head)
    catalog = catalog_at(git, head, paths=paths)
    return points_of(entries, catalog, rules, before=lambda: catalog_at(git, base, paths=paths))


def of_configs(rules: Rules, world: World) -> Iterator[tuple[str, Sequence[Point]]]:
    """Every config key of the work tree, as if one change had added it."""
    git = Git(world.cwd)
    layout = rules.layout
    paths = Paths(masters=[layout.path(one) for one in layout.masters], runners=layout.path(layout.runners))
    catalog = catalog_at(git, git.resolve("HEAD"), paths=paths)
    for key in catalog.configs:
        entry = Entry(config_keys=(key,), description=("imagined",), pr_link="")
        yield key, points_of([entry], catalog, rules, before=lambda: catalog)


def points_of(entries: Sequence[Entry], head: Catalog, rules: Rules, *, before: Any) -> tuple[Point, ...]:
    """Points that the entries ask for. Recorded history holds no scripts, so rows alone tell points apart."""
    found = sweep(entries, head, refs=("base", "head"), base=before)
    maker = Maker(
        script=lambda row: "",
        fingerprint=lambda row, script: Fingerprint(row=row_fingerprint(row), recipe="", shared=""),
        durations=rules.durations,
        task=rules.eval_task,
    )
    return (*maker.points(found.throughput, THROUGHPUT), *maker.points(found.evals, EVAL))


def totals(labs: Iterable[Lab]) -> dict[str, float]:
    """Sums over all changes."""
    every = list(labs)
    return {name: round(sum(getattr(lab, name) for lab in every), 1) for name in COUNTS}


def text(answer: Mapping[str, Any]) -> str:
    """A table, per merged pull request."""
    merged, found = answer["merged"], answer["strategies"]
    lines = [
        f"{merged} merged pull requests · two pushes each, main merged once · "
        f"{answer['fail_share']:.0%} of points fail per attempt · seed {answer['seed']}",
        f"{'per merged pull request':36}{'points':>10}{'GPU-points':>12}{'GPU-hours':>12}",
    ]
    for name, one in found.items():
        numbers = (one["points"], one["gpu_points"], one["gpu_hours"])
        cells = "".join(
            f"{value / merged:>{width},.1f}" for value, width in zip(numbers, (10, 12, 12), strict=True)
        )
        lines.append(f"{name:36}{cells}")
    saved = found["rerun failed jobs of the same run"]["gpu_hours"] - found["resume-sweep"]["gpu_hours"]
    resumed = found["resume-sweep"]
    lines += [
        f"resume-sweep: {resumed['repeated']:.0f} accepted points ran twice, "
        f"{resumed['missing']:.0f} missing",
        f"saved against rerun failed jobs: {saved:,.0f} GPU-hours, {saved / merged:,.0f} a pull request",
    ]
    return "\n".join(lines)
