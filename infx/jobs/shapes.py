"""`infx matrix schema`: the JSON Schemas of configs, changelog, rows and sweep, for editors and checkers."""

import argparse
import json
from collections.abc import Callable
from typing import Any

from infx.edge import files, settings
from infx.edge.world import World
from infx.matrix.schema import rows_schema, sweep_schema
from infx.read import policy
from infx.read.changelog import changelog_schema
from infx.read.clusters import clusters_schema
from infx.read.config import master_schema, runners_schema
from infx.read.failures import failures_schema
from infx.read.models import models_schema
from infx.read.tables import features_schema
from infx.read.teams import teams_schema
from infx.read.thresholds import thresholds_schema

SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "master": master_schema,
    "runners": runners_schema,
    "policy": lambda: policy.schema(files.read_text(settings.SHIPPED)),
    "clusters": clusters_schema,
    "features": features_schema,
    "thresholds": thresholds_schema,
    "failures": failures_schema,
    "models": models_schema,
    "teams": teams_schema,
    "changelog": changelog_schema,
    "rows": rows_schema,
    "sweep": sweep_schema,
}
"""Name, also of the published file `infx/schemas/<name>.json`, and what makes it."""

EXAMPLE = """example:
  infx matrix schema master > master.json
  # first line of a config, for editors with a YAML language server:
  # yaml-language-server: $schema=../infx/schemas/master.json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("name", nargs="?", choices=list(SCHEMAS), help="one schema; without it, all by name")


def run(args: argparse.Namespace, world: World) -> int:
    shown = SCHEMAS[args.name]() if args.name else {name: make() for name, make in SCHEMAS.items()}
    world.say(json.dumps(shown, indent=1))
    return 0
