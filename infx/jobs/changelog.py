"""`infx changelog check`: the gate over the changelog of a change, read from git objects."""

import argparse
import json

from infx.decision import Decision
from infx.edge import remote, settings
from infx.edge.git import Git
from infx.edge.tree import states, versions
from infx.edge.world import World
from infx.matrix.changed import affected, changes
from infx.policy.changelog import Facts, Fault, Kind, bytes_fault, gate
from infx.read.appended import read_appended
from infx.rules import Rules
from infx.versions import Versions

EXAMPLE = """example:
  infx changelog check --base origin/main --head HEAD
  infx changelog check --base origin/main --pr 2428 --label all-evals --json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--base", default="origin/main", metavar="REF", help="target branch")
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
    path = rules.layout.path(rules.layout.changelog)
    base, head = git.resolve(args.base), git.resolve(args.head)
    found = versions(git, path, base=base, head=head)
    if bytes_fault(found) is not None:
        answer = gate(found, _facts(args, git, world), ())
    else:
        answer = _judge(args, git, world, rules=rules, found=found)
    world.say(json.dumps(answer.as_json(), indent=1) if args.json else _text(answer))
    return 0 if answer.go else 1


def _judge(args: argparse.Namespace, git: Git, world: World, *, rules: Rules, found: Versions) -> Decision:
    """The whole gate: entries are read, and what they cover is compared with what changed."""
    base, head = git.merge_base(args.base, args.head), git.resolve(args.head)
    before, after = states(git, [base, head], layout=rules.layout)
    changed = changes(before, after, rules=rules)
    facts = Facts(
        pulls=remote.pulls(git, world),
        pr=args.pr,
        on_target=args.on_target,
        keys=tuple(after.catalog.configs),
        changed=affected(changed),
        modifiers=frozenset(args.label),
        max_entries=rules.max_entries,
    )
    path = rules.layout.path(rules.layout.changelog)
    entries, kind, sentence = read_appended(
        found.added.decode(), line=found.base.count(b"\n") + 1, where=path
    )
    return gate(found, facts, Fault(kind=Kind(kind), reason=sentence) if kind else entries)


def _facts(args: argparse.Namespace, git: Git, world: World) -> Facts:
    """Facts when the bytes are wrong already: only whether the change is a correction of links alone."""
    touched = git.changed_files(git.merge_base(args.base, args.head), git.resolve(args.head))
    return Facts(pulls=remote.pulls(git, world), pr=args.pr, alone=len(touched) == 1)


def _text(answer: Decision) -> str:
    lines = [f"{answer.kind}: {answer.reason}", *answer.details.get("warnings", ())]
    if "right" in answer.extra:
        lines.append("`infx changelog fix` writes the bytes that are right")
    return "\n".join(lines)
