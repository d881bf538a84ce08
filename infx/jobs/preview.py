"""`infx plan`: what a change would measure, before any GPU runs; from git objects."""

import argparse
import json
from collections.abc import Mapping
from dataclasses import replace

from infx.decision import Decision
from infx.edge import settings, shell
from infx.edge.checkout import added_entries
from infx.edge.git import Git
from infx.edge.tree import states
from infx.edge.world import World
from infx.matrix.planner import Request, make
from infx.matrix.points import Origin
from infx.matrix.preview import KeyView, Preview, preview
from infx.matrix.review import review
from infx.plan import Plan
from infx.state import State

EXAMPLE = """example:
  infx plan --base origin/main --label full-sweep-fail-fast
  infx plan --base origin/main --head HEAD --label full-sweep-enabled --label all-evals --show
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--base", default="origin/main", metavar="REF", help="target branch")
    parser.add_argument("--head", default="HEAD", metavar="REF", help="the change, default HEAD")
    parser.add_argument(
        "--label", action="append", default=[], metavar="NAME", help="sweep label; repeatable"
    )
    parser.add_argument("--show", action="store_true", help="one line a point, with script and runner")
    parser.add_argument("--json", action="store_true", help="print the preview as JSON")


def run(args: argparse.Namespace, world: World) -> int:
    git, rules = Git(world.cwd), settings.load(world.cwd)
    base, head = git.merge_base(args.base, args.head), git.resolve(args.head)
    before, after = states(git, [base, head], layout=rules.layout)
    origin = Origin(
        repository=world.env.get("GITHUB_REPOSITORY", ""), pr=None, head_sha=head, merge_base=base
    )
    entries = added_entries(git, base, head, rules.layout.path(rules.layout.changelog))
    request = Request(entries=entries, base=before, head=after, labels=args.label, origin=origin)
    plan = make(request, rules)
    seen = review(plan, before, after, rules=rules)
    broken = shell.faults(_changed_scripts(before, after))
    shown = preview(
        plan,
        after.catalog,
        rules,
        base=before.catalog,
        review=replace(seen, problems=(*broken, *seen.problems)),
    )
    if args.json:
        world.say(json.dumps(decision(shown).as_json(), indent=1))
    else:
        world.say(table(shown) + (points(plan) if args.show else ""))
    return 1 if shown.problems else 0


def _changed_scripts(before: State, after: State) -> Mapping[str, bytes]:
    return {
        path: data
        for path, data in after.files.items()
        if path.endswith(".sh") and before.objects.get(path) != after.objects[path]
    }


def decision(shown: Preview) -> Decision:
    """The preview in the one shape of all `--json` output."""
    count = f"{shown.throughput} throughput points and {shown.evals} evals"
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
    lines = [decision(shown).reason + f", {shown.shards} shards"]
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
