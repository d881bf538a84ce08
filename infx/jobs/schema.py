"""`infx schema`: the published JSON Schemas, and every closed list of the product."""

import argparse
import json
from pathlib import Path
from typing import Any, get_args

from infx import aftermath, check, description, handled, merge, results, signoff, source, verdict
from infx.adopted import Act
from infx.blocker import Owner, Topic
from infx.cluster import Driver
from infx.compared import Change
from infx.decision import Decision
from infx.edge import files
from infx.edge.world import World
from infx.equal import Match
from infx.errors import BadInput
from infx.facts import Answer, Reuse
from infx.failure import Cause, Remedy
from infx.finding import Health
from infx.fleet import Shape
from infx.golden import Engine, Flaw
from infx.labels import Group
from infx.launch import preflight
from infx.ledger import State
from infx.lineage import Call
from infx.point import Mode
from infx.poison import Care
from infx.policy import again, audit, changelog, liveness, publishing, readiness
from infx.power import Withheld
from infx.read import facts, raw
from infx.read.rows import Defect
from infx.reason import Reason
from infx.recipe import Scenario
from infx.record import Outcome
from infx.results.selection import Stageable
from infx.starter import Kept
from infx.subject import Link

ROW = Path(results.__file__).parent.parent / "schemas" / "result-row.json"
OUTCOMES = tuple(dict.fromkeys(map(str, (*handled.Kind, *source.Kind, *Stageable))))
"""Every word by which a command of a comment may end."""
LISTS = {
    "event": verdict.Kind,
    "call": Call,
    "permit": Answer,
    "reuse": Reuse,
    "label": Group,
    "changelog": changelog.Kind,
    "liveness": liveness.Life,
    "scenario": get_args(Scenario),
    "mode": get_args(Mode),
    "driver": get_args(Driver),
    "ledger": State,
    "record": Outcome,
    "reason": Reason,
    "power": Withheld,
    "speculation": Engine,
    "golden": Flaw,
    "owner": Owner,
    "topic": Topic,
    "check": check.Standing,
    "aftermath": aftermath.State,
    "again": again.Way,
    "disclosure": description.Disclosure,
    "change": description.Change,
    "item": description.Item,
    "advice": description.Rule,
    "failure": Cause,
    "remedy": Remedy,
    "command": handled.Kind,
    "outcome": OUTCOMES,
    "source": source.Kind,
    "match": Match,
    "readiness": readiness.Kind,
    "signoff": signoff.Standing,
    "verdict": signoff.Kind,
    "place": signoff.Place,
    "grade": signoff.Grade,
    "link": Link,
    "stage": Stageable,
    "comparison": Change,
    "row": Defect,
    "step": merge.Step,
    "merge": merge.Why,
    "ingest": publishing.Kind,
    "audit": audit.Kind,
    "preflight": preflight.Kind,
    "health": Health,
    "runner": Shape,
    "care": Care,
    "init": Act,
    "starter": Kept,
}
"""Question → its closed list."""
RAW = ("record", "power", "corpus")
"""What a cell leaves beside its clients' files: record, verdict on power, identity of a corpus."""
NAMES = ("kinds", "decision", *(f"facts-{topic}" for topic in facts.TOPICS), *RAW, "result-row")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "example: infx schema facts-event > facts-event.json"
    parser.add_argument("name", metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--json", action="store_true", help="accepted: the answer is JSON either way")


def run(args: argparse.Namespace, world: World) -> int:
    if args.name not in NAMES:
        raise BadInput(f"there is no schema {args.name:.60}", todo=f"give one of {', '.join(NAMES)}")
    world.say(json.dumps(document(args.name), indent=1))
    return 0


def document(name: str) -> dict[str, Any]:
    """The schema of that name, or the closed lists."""
    if name == "kinds":
        return {question: [str(kind) for kind in kinds] for question, kinds in LISTS.items()}
    if name in RAW:
        return raw.schema(name)
    if name == "result-row":
        return files.parse_json(files.read_text(ROW), where=str(ROW))  # type: ignore[no-any-return]
    return decision_schema() if name == "decision" else facts.schema(name.removeprefix("facts-"))


def decision_schema() -> dict[str, Any]:
    """Shape of every `--json` answer; questions add fields of their own."""
    types = {"decision": "string", "go": "boolean", "kind": "string", "reason": "string", "details": "object"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "decision",
        "description": (Decision.__doc__ or "").split("\n")[0],
        "type": "object",
        "properties": {field: {"type": kind} for field, kind in types.items()},
        "required": list(types),
    }
