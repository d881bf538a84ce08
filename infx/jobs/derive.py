"""`infx matrix plan`: the sweep that a change of the changelog asks for, from git objects."""

import argparse
import json

from infx.edge import settings
from infx.edge.checkout import Paths, added_entries, catalog_at
from infx.edge.git import Git
from infx.edge.world import World
from infx.matrix import schema
from infx.matrix.plan import Flags, Sweep, sweep

EXAMPLE = """example:
  infx matrix plan --base origin/main --head HEAD --trim-conc
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--base", required=True, metavar="REF", help="state before the change")
    parser.add_argument("--head", default="HEAD", metavar="REF", help="state with the change, default HEAD")
    for name in ("changelog", "runner-config"):
        parser.add_argument(f"--{name}", metavar="PATH", help="default: where the policy's layout says")
    parser.add_argument("--config-files", nargs="+", metavar="PATH", help="default: the layout's masters")
    parser.add_argument("--all-evals", action="store_true", help="every eval; throughput is kept")
    parser.add_argument("--evals-only", action="store_true", help="no throughput")
    parser.add_argument("--trim-conc", action="store_true", help="only the lowest concurrency of each recipe")


def run(args: argparse.Namespace, world: World) -> int:
    git = Git(world.cwd)
    layout = settings.load(world.cwd).layout
    paths = Paths(
        masters=args.config_files or [layout.path(name) for name in layout.masters],
        runners=args.runner_config or layout.path(layout.runners),
    )
    changelog = args.changelog or layout.path(layout.changelog)
    base, head = git.resolve(args.base), git.resolve(args.head)
    found = sweep(
        added_entries(git, changelog, base=base, head=head),
        catalog_at(git, head, paths=paths),
        refs=(args.base, args.head),
        flags=Flags(all_evals=args.all_evals, evals_only=args.evals_only, trim_conc=args.trim_conc),
        base=lambda: catalog_at(git, base, paths=paths),
    )
    schema.check([*found.throughput, *found.evals])
    if not found.throughput:
        world.note(_why_no_throughput(found, evals_only=args.evals_only))
    world.say(json.dumps(found.as_json()))
    return 0


def _why_no_throughput(found: Sweep, *, evals_only: bool) -> str:
    """Said loudly: an entry's `all-evals` drops throughput, the flag of that name does not."""
    reasons = ["--evals-only is on"] if evals_only else []
    for name in ("evals-only", "all-evals"):
        if any(entry[name] for entry in found.metadata["entries"]):
            reasons.append(f"an entry says {name}")
    why = "; ".join(reasons) or "the configs have none"
    return f"infx: 0 throughput rows, {len(found.evals)} evals: {why}"
