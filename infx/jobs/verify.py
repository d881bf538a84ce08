"""`infx signoff verify`: what the sign-offs of a pull request would get, looked up now and not written."""

import argparse
import json
from pathlib import Path

from infx.decision import Decision
from infx.edge import files, settings
from infx.edge.github import connect
from infx.edge.world import World
from infx.read import facts as documents
from infx.signing import decide, office
from infx.verdict import exit_number

EXAMPLE = """example:
  GITHUB_REPOSITORY=o/r GITHUB_TOKEN=… infx signoff verify 7
  infx signoff verify 7 --json --save-facts facts.json
  infx explain signoff facts.json     the same again, offline"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("pr", metavar="N", type=int, help="number of the pull request")
    parser.add_argument("--save-facts", metavar="FILE", type=Path, help="write the document decided from")
    parser.add_argument("--json", action="store_true", help="print the decision as JSON")


def run(args: argparse.Namespace, world: World) -> int:
    """0 when nothing is missing, 1 when a sign-off is, 3 when nobody could tell."""
    github, rules = connect(world.env), settings.load(world.cwd)
    world.note(f"infx: looking up #{args.pr} of {github.repository}")
    facts = office(github, rules, world, args.pr).whole
    if args.save_facts:
        files.write_json(world.cwd / args.save_facts, documents.write(facts))
    decision = decide(facts, rules)
    world.say(json.dumps(decision.as_json(), indent=1) if args.json else text(decision))
    return exit_number(decision)


def text(decision: Decision) -> str:
    """For a terminal: the status, and every sign-off with its checks."""
    lines = [decision.reason]
    for one in decision.extra["verdicts"]:
        lines += ["", f"{one['signoff']} of @{one['author']}: {one['kind']}: {one['reason']}"]
        for check in one["checks"]:
            lines.append(f"  {check['grade']:<8}{check['check']}: {check['what']}")
            lines += [f"          {piece}" for piece in check["evidence"]]
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in "\n".join(lines))
