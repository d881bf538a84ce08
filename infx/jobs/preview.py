"""`infx plan`: what a change would measure, before any GPU runs; from git objects."""

import argparse
import json
from collections.abc import Iterator, Sequence

from infx.decision import Decision
from infx.draft import Change, draft, judge
from infx.edge import settings
from infx.edge.git import Git
from infx.edge.registry import Registry
from infx.edge.tree import remind
from infx.edge.world import World
from infx.labels import Group, LabelBook
from infx.matrix.preview import KeyView, Preview
from infx.plan import Plan
from infx.say.words import plural

EXAMPLE = """example:
  infx plan --base origin/main --label full-sweep-fail-fast
  infx plan --base origin/main --head HEAD --label full-sweep-enabled --label all-evals --show
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument(
        "--base", default="origin/main", metavar="REF", help="target branch, default origin/main"
    )
    parser.add_argument("--head", default="HEAD", metavar="REF", help="the change, default HEAD")
    parser.add_argument(
        "--label", action="append", default=[], metavar="NAME", help="sweep label; repeatable"
    )
    parser.add_argument("--show", action="store_true", help="one line a point, with script and runner")
    parser.add_argument("--offline", action="store_true", help="ask no registry whether images exist")
    parser.add_argument("--json", action="store_true", help="print the preview as JSON")


def run(args: argparse.Namespace, world: World) -> int:
    git, rules = Git(world.cwd), settings.load(world.cwd)
    remind(git, world, head=args.head, layout=rules.layout)
    change = Change(
        git=git,
        rules=rules,
        base=args.base,
        head=args.head,
        labels=args.label,
        repository=world.env.get("GITHUB_REPOSITORY", ""),
        registry=None if args.offline else Registry(addresses=rules.registries),
    )
    for text in doubts(args.label, rules.labels):
        world.note(f"infx: {text}")
    made, gate = draft(change), judge(change)
    if not gate.go:
        world.note(f"infx: the plan job would refuse this change: {gate.kind}: {gate.reason}")
    if args.json:
        world.say(json.dumps(decision(made.preview).as_json(), indent=1))
    else:
        world.say(table(made.preview) + (points(made.plan) if args.show and made.plan.points else ""))
    return 1 if made.preview.problems else 0


def doubts(labels: Sequence[str], book: LabelBook) -> Iterator[str]:
    """What about the labels keeps a plan from being the one that was meant."""
    for name in labels:
        if book.group(name) == Group.UNKNOWN:
            near = book.near(name)
            hint = f"the nearest is {near}" if near else f"sweeps start with {', '.join(book.primaries)}"
            yield f"no sweep label is named {name:.80}, so it changes nothing; {hint}"
    clash = book.clash(labels)
    if clash:
        yield f"the labels {' and '.join(clash)} clash, so nothing would start; keep one primary label"


def decision(shown: Preview) -> Decision:
    """The preview in the one shape of all `--json` output."""
    count = f"{plural(shown.throughput, 'throughput point')} and {plural(shown.evals, 'eval')}"
    kind = "broken" if shown.problems else "planned" if shown.keys else "empty"
    return Decision(
        decision="plan",
        go=kind == "planned",
        kind=kind,
        reason=f"{count}, {shown.gpu_hours:.0f} GPU-hours expected",
        details=shown.as_json(),
    )


def table(shown: Preview) -> str:
    """The preview for a terminal."""
    lines = [f"{decision(shown).reason}, {plural(shown.shards, 'shard')}"]
    for view in shown.keys:
        lines += ["", *_key(view)]
    for name in ("problems", "warnings", "advice", "siblings"):
        told = getattr(shown, name)
        lines += ["", f"{name}:", *(f"  {one}" for one in told)] if told else []
    return "\n".join(lines)


def points(plan: Plan) -> str:
    """One line a point."""
    rows = [
        f"  {point.id}  {point.mode:<10}  {point.key} {point.title}  {point.runner}  {point.script}"
        for point in plan.points
    ]
    return "\n".join(["", "", "points:", *rows])


def _key(view: KeyView) -> list[str]:
    deadline = f", deadline {view.deadline_s // 60} min" if view.deadline_s else ""
    canary = f"{view.canary}{deadline}, next {view.candidate or 'none'}" if view.canary else "none"
    return [
        f"{view.key} ({view.kind}; {view.why})",
        f"  throughput  {len(view.throughput)}: {', '.join(view.throughput) or 'NONE'}",
        *(f"  eval        {title}: {why}" for title, why in view.evals),
        f"  canary      {canary} ({view.canary_why})",
        f"  runners     {view.runners} with {view.pool}, {view.gpu_hours:.0f} GPU-hours",
    ]
