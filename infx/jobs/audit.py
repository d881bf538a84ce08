"""`infx audit`: every changelog entry on the default branch has its rows, and no push went unseen."""

import argparse
import json

from infx.audit import Audit
from infx.decision import Decision
from infx.edge import gha, settings
from infx.edge.github import connect
from infx.edge.world import World
from infx.policy import audit
from infx.publish import publisher
from infx.say.words import code

EXAMPLE = """examples:
  infx audit
  infx audit --json

Reads the clone at hand and the branch infx-results of its origin, from policy's audit-from on."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--head", default="HEAD", metavar="REF", help="tip of the target, default HEAD")
    parser.add_argument("--json", action="store_true", help="print the decision as JSON")


def run(args: argparse.Namespace, world: World) -> int:
    """0 when nothing is missing, or a run that has not ended may still publish it; 1 otherwise."""
    rules = settings.load(world.cwd)
    github = connect(world.env)
    at = publisher(github, rules, world)
    active = bool(github.runs(rules.layout.ingest_workflow, active=True))
    found = audit.decide(Audit(at=at, tip=at.git.resolve(args.head)).facts(active=active))
    world.say(json.dumps(found.as_json(), indent=1) if args.json else text(found))
    gha.summary(world, f"### {found.kind}\n\n{code(found.reason, limit=1000)}\n")
    return 0 if found.go else 1


def text(found: Decision) -> str:
    """The verdict, then one line an entry and one a commit that nobody looked at."""
    lines = [f"{found.kind}: {found.reason}"]
    for one in found.details["entries"]:
        seen = "" if one["looked-at"] else ", no run looked at its push"
        lines.append(f"  {one['commit'][:7]}  {one['rows']:>3} rows  {one['link']}{seen}")
    lines += [
        f"  {commit[:7]}  changes what is measured, no run looked at its push"
        for commit in found.details["unseen"]
    ]
    return "\n".join(lines)
