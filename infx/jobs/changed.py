"""`infx matrix changed`: config keys whose points differ from the base, read from git objects."""

import argparse
import json

from infx.decision import Decision
from infx.edge import settings
from infx.edge.git import Git
from infx.edge.tree import remind, states
from infx.edge.world import World
from infx.matrix.changed import Change, changes
from infx.say.words import plural

EXAMPLE = """example:
  infx matrix changed --base origin/main
  python -m infx.matrix.changed --base origin/main --json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--base", default="origin/main", metavar="REF", help="default origin/main")
    parser.add_argument("--head", default="HEAD", metavar="REF", help="default HEAD")
    parser.add_argument("--exact", action="store_true", help="compare with --base itself, not the merge base")
    parser.add_argument("--json", action="store_true", help="print the decision as JSON")


def run(args: argparse.Namespace, world: World) -> int:
    git = Git(world.cwd)
    head = git.resolve(args.head)
    base = git.resolve(args.base) if args.exact else git.merge_base(args.base, args.head)
    what = args.base if args.exact else f"merge base of {args.base} and {args.head}"
    world.note(f"infx: comparing {base[:12]} ({what}) with {head[:12]}")
    rules = settings.load(world.cwd)
    remind(git, world, head=args.head, layout=rules.layout)
    before, after = states(git, [base, head], layout=rules.layout)
    found = changes(before, after, rules=rules)
    answer = decision(base, head, found)
    world.say(json.dumps(answer.as_json(), indent=1) if args.json else text(found))
    return 0


def decision(base: str, head: str, found: tuple[Change, ...]) -> Decision:
    """The answer in the one shape of all `--json` output; `keys` have to be measured again."""
    keys = [change for change in found if change.counts]
    shared = [change for change in found if not change.counts]
    reason = f"{plural(len(keys), 'key')} changed" if keys else "no key changed"
    return Decision(
        decision="changed",
        go=bool(keys),
        kind="changed" if keys else "unchanged",
        reason=f"{reason}, {len(shared)} more only through shared files" if shared else reason,
        details={
            "base": base,
            "head": head,
            "keys": [change.as_json() for change in keys],
            "shared": [{"key": change.key, "points": list(change.shared)} for change in shared],
        },
    )


def text(found: tuple[Change, ...]) -> str:
    """One line a key; keys touched only through shared files at the end."""
    lines = [_line(change) for change in found if change.counts]
    shared = [change for change in found if not change.counts]
    if shared:
        lines += ["", "only through shared files:"]
        lines += [f"  {change.key}: {plural(len(change.shared), 'point')}" for change in shared]
    return "\n".join(lines) or "no key changed"


def _line(change: Change) -> str:
    parts = [
        (change.added, "added"),
        (change.removed, "removed"),
        (change.recipe, "with another recipe"),
    ]
    told = [f"{what} {', '.join(titles)}" for titles, what in parts if titles]
    told += [f"cannot be expanded: {change.problem}"] if change.problem else []
    return f"{change.key}{' (gone)' if change.gone else ''}: {'; '.join(told)}"
