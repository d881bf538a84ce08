"""`infx sweep dispatch`: a bounded one-off run on GitHub's runners, never publishable."""

import argparse
import json

from infx.decision import Decision
from infx.draft import one_off
from infx.edge import settings
from infx.edge.git import Git
from infx.edge.github import connect
from infx.edge.world import World
from infx.errors import Refused
from infx.event import Title
from infx.plan import Plan
from infx.rules import Rules
from infx.say.words import plural
from infx.sweeps import Sweeps

EXAMPLE = """example:
  GITHUB_REPOSITORY=acme/bench GITHUB_TOKEN=… infx sweep dispatch qwen3.5-fp8-h200-sglang --conc 4
  infx sweep dispatch dsr1-fp8-h200-sglang --conc 4 64 --ref origin/topic --dry-run"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("key", metavar="KEY", help="config key")
    parser.add_argument(
        "--conc", nargs="+", type=int, required=True, metavar="N", help="concurrencies to measure"
    )
    parser.add_argument("--ref", default="HEAD", help="commit to measure, default HEAD; GitHub must have it")
    parser.add_argument("--dry-run", action="store_true", help="say what would run, and start nothing")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")


def run(args: argparse.Namespace, world: World) -> int:
    """0 once GitHub took it; Refused when the policy pauses, or the plan is over its limit of GPU-hours."""
    git, rules = Git(world.cwd), settings.load(world.cwd)
    head = git.resolve(args.ref)
    title = Title(pr=0, action="one-off", head_sha=head, base_sha=head, key=args.key, conc=tuple(args.conc))
    plan = one_off(git, title, rules)
    allowed(plan, rules)
    if not args.dry_run:
        start(world, title, rules)
    answer = decision(plan, started=not args.dry_run)
    world.say(json.dumps(answer.as_json(), indent=1) if args.json else answer.reason)
    return 0


def allowed(plan: Plan, rules: Rules) -> None:
    if rules.paused:
        raise Refused(f"sweeps are paused: {rules.paused}", todo="wait until policy.paused is empty")
    if excess := rules.max_gpu_hours.excess(plan.gpu_hours, 0):
        raise Refused(excess, todo="ask for fewer concurrencies")


def start(world: World, title: Title, rules: Rules) -> None:
    """Dispatch the sweep workflow of the default branch, once."""
    github = connect(world.env)
    path = rules.layout.sweep_workflow
    Sweeps(github, path).dispatch(title, github.default_branch())
    world.note(f"infx: {github.repository} took it; its run shows among those of {path}")


def decision(plan: Plan, *, started: bool) -> Decision:
    count = plural(len(plan.points), "point")
    hours = f"{plan.gpu_hours:.1f} GPU-hours expected"
    word = "dispatched" if started else "would dispatch"
    return Decision(
        decision="dispatch",
        go=True,
        kind="dispatched" if started else "dry-run",
        reason=f"{word} {count} of {plan.head_sha[:7]}, {hours}; never published",
        details={"points": [f"{point.key} {point.title}" for point in plan.points]},
    )
