"""`infx changelog check`: the gate over the changelog of a change, read from git objects."""

import argparse
import json

from infx.decision import Decision
from infx.draft import Change, judge
from infx.edge import remote, settings
from infx.edge.git import Git
from infx.edge.tree import remind
from infx.edge.world import World

EXAMPLE = """example:
  infx changelog check --base origin/main --head HEAD
  infx changelog check --base origin/main --pr 2428 --label all-evals --json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument(
        "--base", default="origin/main", metavar="REF", help="target branch, default origin/main"
    )
    parser.add_argument("--head", default="HEAD", metavar="REF", help="the change, default HEAD")
    parser.add_argument("--pr", type=int, metavar="N", help="number of the pull request, to judge links")
    parser.add_argument(
        "--label", action="append", default=[], metavar="NAME", help="label on it; repeatable"
    )
    parser.add_argument("--on-target", action="store_true", help="the change stands on the target branch")
    parser.add_argument(
        "--json", action="store_true", help="print the decision as JSON, with the right bytes"
    )


def run(args: argparse.Namespace, world: World) -> int:
    git, rules = Git(world.cwd), settings.load(world.cwd)
    remind(git, world, head=args.head, layout=rules.layout)
    change = Change(
        git=git,
        rules=rules,
        base=args.base,
        head=args.head,
        labels=args.label,
        pulls=remote.pulls(git, world),
        pr=args.pr,
        on_target=args.on_target,
    )
    answer = judge(change)
    world.say(json.dumps(answer.as_json(), indent=1) if args.json else _text(answer, args))
    return 0 if answer.go else 1


def _text(answer: Decision, args: argparse.Namespace) -> str:
    lines = [f"{answer.kind}: {answer.reason}", *answer.details.get("warnings", ())]
    if "right" in answer.extra:
        number = f" --pr {args.pr}" if args.pr else ""
        lines.append(f"`infx changelog fix --base {args.base}{number}` writes the bytes that are right")
    return "\n".join(lines)
