"""`infx matrix schema`: the JSON Schemas of configs, changelog, rows and sweep, for editors and checkers."""

import argparse
import json

from infx.edge.world import World
from infx.matrix.schema import rows_schema, sweep_schema
from infx.read.changelog import changelog_schema
from infx.read.config import master_schema, runners_schema

SCHEMAS = {
    "master": master_schema,
    "runners": runners_schema,
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
    parser.add_argument("name", nargs="?", choices=SCHEMAS, help="one schema; without it, all by name")


def run(args: argparse.Namespace, world: World) -> int:
    shown = SCHEMAS[args.name]() if args.name else {name: make() for name, make in SCHEMAS.items()}
    world.say(json.dumps(shown, indent=1))
    return 0
