"""`infx matrix generate full-sweep|test-config`: master configs to rows on standard output."""

import argparse
import json
from dataclasses import fields
from typing import Any

from infx.edge import files, settings
from infx.edge.world import World
from infx.matrix import schema
from infx.matrix.generate import FullSweep, TestConfig, full_sweep, test_config
from infx.read.config import read_catalog
from infx.recipe import SCENARIOS

EXAMPLE = """example:
  infx matrix generate full-sweep --config-files configs/*-master.yaml --precision fp8 --max-conc 64
  infx matrix generate test-config --config-files configs/nvidia-master.yaml --config-keys 'qwen3.5-*'
"""
LENGTHS = ("1k1k", "8k1k")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    commands = parser.add_subparsers(metavar="full-sweep|test-config", required=True)
    sweep = commands.add_parser("full-sweep", help="every config that passes the filters")
    sweep.set_defaults(options=FullSweep)
    test = commands.add_parser("test-config", help="configs by key or pattern")
    test.set_defaults(options=TestConfig)
    for one in (sweep, test):
        one.epilog, one.formatter_class = EXAMPLE, argparse.RawDescriptionHelpFormatter
        _common(one)
    _full_sweep(sweep)
    test.add_argument("--config-keys", nargs="+", required=True, help="keys; `*` and `?` make a pattern")
    test.add_argument("--conc", nargs="+", type=int, help="keep these concurrencies only")


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config-files", nargs="+", required=True, metavar="FILE", help="master files")
    parser.add_argument("--runner-config", metavar="FILE", help="default: where the policy's layout says")
    parser.add_argument("--no-evals", action="store_true", help="choose no evals")
    parser.add_argument("--evals-only", action="store_true", help="only rows chosen for an eval")
    parser.add_argument("--all-evals", action="store_true", help="choose every row that can be evaluated")
    parser.add_argument("--scenario-type", nargs="+", choices=SCENARIOS, default=SCENARIOS)
    parser.add_argument("--seq-lens", nargs="+", choices=LENGTHS, default=(), help="fixed lengths to keep")
    parser.add_argument("--runner-node-filter", metavar="TEXT", help="rows for each node name with this text")


def _full_sweep(parser: argparse.ArgumentParser) -> None:
    for name in ("precision", "framework", "runner-type"):
        parser.add_argument(f"--{name}", nargs="+", default=(), help="keep these only")
    parser.add_argument("--model-prefix", nargs="+", default=(), help="beginnings of config keys to keep")
    parser.add_argument("--single-node", action="store_true", help="single-node configs")
    parser.add_argument("--multi-node", action="store_true", help="multi-node configs")
    parser.add_argument("--step-size", type=int, default=2, help="factor inside a range, default 2")
    for name in ("min-conc", "max-conc", "max-tp", "max-ep"):
        parser.add_argument(f"--{name}", type=int, metavar="N")


def options(args: argparse.Namespace) -> FullSweep | TestConfig:
    """The options value of the chosen command. BadInput when flags exclude each other."""
    given = vars(args)
    values: dict[str, Any] = {
        name: tuple(given[name]) if isinstance(given[name], list) else given[name]
        for name in (field.name for field in fields(args.options))
    }
    kind: type[FullSweep | TestConfig] = args.options
    return kind(**values)


def run(args: argparse.Namespace, world: World) -> int:
    chosen = options(args)
    masters = [(name, files.read_bytes(world.cwd / name)) for name in args.config_files]
    runners = args.runner_config or _runners_file(world)
    catalog = read_catalog(masters, (runners, files.read_bytes(world.cwd / runners)))
    jobs = full_sweep(catalog, chosen) if isinstance(chosen, FullSweep) else test_config(catalog, chosen)
    schema.check(jobs)
    if not jobs:
        world.note("infx: no row: filters and bounds exclude everything")
    world.say(json.dumps([job.row for job in jobs]))
    return 0


def _runners_file(world: World) -> str:
    layout = settings.load(world.cwd).layout
    return layout.path(layout.runners)
