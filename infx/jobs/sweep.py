"""`infx sweep run`: a whole sweep of config keys on this machine, without GitHub: the same plan, cells and
collection as on GitHub. Run it again to go on where it stopped."""

import argparse
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from infx import cells
from infx.bench import bandwidth
from infx.cluster import Cluster, Driver
from infx.collected import facts, gathered, verdict, write
from infx.decision import Decision
from infx.draft import single
from infx.edge import artifacts, files, settings
from infx.edge.git import Git
from infx.edge.tree import remind
from infx.edge.world import World
from infx.ledger import Ledger
from infx.matrix import oneoff
from infx.matrix.release import release
from infx.plan import KeyPlan, Plan
from infx.point import Point
from infx.reason import Reason
from infx.record import Outcome, Record
from infx.results import tally
from infx.results.bound import Bound, bound, reads
from infx.rules import Rules
from infx.say.words import plural
from infx.several import taken_apart

EXAMPLE = """example:
  infx sweep run --config-key demo-bf16-local-sim --conc 1 4 --driver local
  infx sweep run --config-key 'demo-bf16-local-sim*' --evals --fail-fast --out /tmp/sweep"""
OUT = Path("infx-sweep")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument(
        "--config-key", nargs="+", required=True, metavar="KEY", help="keys; `*` and `?` make a pattern"
    )
    parser.add_argument("--conc", nargs="+", type=int, metavar="N", help="only these concurrencies")
    parser.add_argument(
        "--driver", choices=get_args(Driver), help="launch so, whatever the cluster record says"
    )
    parser.add_argument("--evals", action="store_true", help="measure accuracy too")
    parser.add_argument("--fast", action="store_true", help="shortened agentic profile, as `agentx-fast`")
    parser.add_argument("--no-canary", action="store_true", help="do not wait for a canary of each key")
    parser.add_argument("--fail-fast", action="store_true", help="stop at the first point that fails")
    parser.add_argument("--again", action="store_true", help="measure anew what has a result already")
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR", help=f"results, default {OUT}")
    parser.add_argument(
        "--bound", action="store_true", help="measure copy bandwidth, and say what it lets decoding reach"
    )
    parser.add_argument("--json", action="store_true", help="print ledger and rows as JSON")


def run(args: argparse.Namespace, world: World) -> int:
    """0 when every point is valid, 1 when not, 130 when it was interrupted."""
    git, rules = Git(world.cwd), settings.load(world.cwd)
    remind(git, world, head="HEAD", layout=rules.layout)
    plan = planned(args, git, rules)
    sweep = Sweep(args, world, plan=plan)
    try:
        sweep.measure()
    finally:
        ledger = sweep.collect()
    tell(args, world, ledger, sweep=sweep)
    return 0 if ledger.complete else 1


def planned(args: argparse.Namespace, git: Git, rules: Rules) -> Plan:
    """The plan of the commit that is checked out."""
    asked = oneoff.OneOff(
        keys=tuple(args.config_key),
        conc=tuple(args.conc) if args.conc else None,
        evals=args.evals,
        fast=args.fast,
        canary=not args.no_canary,
    )
    return replace(single(git, asked, "HEAD", rules), fail_fast=args.fail_fast)


class Sweep:
    """One sweep in one folder; what the folder holds of the same plan is kept."""

    def __init__(self, args: argparse.Namespace, world: World, *, plan: Plan) -> None:
        self.args, self.world, self.plan = args, world, plan
        layout = settings.load(world.cwd).layout
        self.script = layout.path(f"{layout.scripts}/bandwidth.py")
        self.out: Path = (world.cwd / args.out).resolve()
        self.points = self.out / "points"
        self.begin = time.monotonic()
        self.done = 0
        self.copy: float | None = None
        if args.out == OUT:
            files.uncommitted(self.out)
        files.write_json(self.out / "plan" / "plan.json", plan.as_json())

    def measure(self) -> None:
        """Canaries, then what their records release. KeyboardInterrupt after a cell that was cancelled."""
        count = plural(len(self.plan.points), "point")
        self.note(f"{count} at {self.plan.head_sha[:7]}, results in {self.out}")
        if self.args.bound:
            self.note(f"copy bandwidth {self.bandwidth() / 1e12:.2f} TB/s")
        records = {} if self.args.again else self.records()
        kept = [one for one in self.plan.points if valid(one, records, self.plan.head_sha)]
        self.done = len(kept)
        if kept:
            self.note(f"{plural(len(kept), 'point')} measured before: {', '.join(one.title for one in kept)}")
        for key, point in canaries(self.plan):
            if point not in kept:
                records |= self.attempt(point, key)
        found = release(self.plan, records)
        for name, why in found.blocked.items():
            self.note(f"not released: {name}: {why}")
        for point in found.points:
            if point not in kept and not self.attempt(point, None) and self.plan.fail_fast:
                break

    def bandwidth(self) -> float:
        """Bytes per second, read and written; measured once, on an idle GPU."""
        if self.copy is None:
            cluster = self.cluster(self.plan.points[0])
            env = {**self.world.env, **(cluster.env if cluster else {})}
            self.copy = bandwidth.measure(self.world.cwd / self.script, self.out, env=env)
        return self.copy

    def bound(self, point: Point, row: Mapping[str, Any]) -> Bound | None:
        """What memory bandwidth allows; None when nobody asked, or the model says too little."""
        cluster = self.cluster(point)
        staged = cluster.staged(str(point.row["model"])) if cluster else ""
        if not self.args.bound or not row or not staged or len(point.concurrencies) > 1:
            return None
        step = reads(files.read_json(Path(staged) / "config.json"))
        return bound(row, step, copy=self.bandwidth(), gpus=point.gpus) if step else None

    def cluster(self, point: Point) -> Cluster | None:
        """The record of the point's runner, with the driver that was asked for."""
        found = cells.cluster_of(self.world, point)
        return replace(found, driver=self.args.driver) if found and self.args.driver else found

    def attempt(self, point: Point, key: KeyPlan | None) -> dict[str, Record]:
        """Measure one point; its records when it succeeded, and of a canary those of the candidate too."""
        word = "canary" if key else "point"
        self.note(f"{word} {point.key} {point.title}: starts, {self.done} of {len(self.plan.points)} done")
        job = cells.Job(world=self.world, plan=self.plan, cluster=self.cluster(point), out=self.points)
        record = cells.canary(job, point, key)
        self.done += 1
        if record.reason == Reason.CANCELLED:
            raise KeyboardInterrupt
        if key is not None:
            return self.records()
        return {point.id: record} if record.outcome == Outcome.SUCCESS else {}

    def records(self) -> dict[str, Record]:
        """Newest record of each point in the folder."""
        return tally.newest(artifacts.records(self.points)[0])

    def collect(self) -> Ledger:
        """Ledger, rows and page beside the points."""
        found = gathered(self.plan, self.points, settings.load(self.world.cwd).power)
        ledger = tally.ledger(self.plan, found.records, facts(self.world.env, found, {}))
        write(self.out, found, ledger, env=self.world.env)
        return ledger

    def note(self, text: str) -> None:
        self.world.note(f"[{time.monotonic() - self.begin:6.1f} s] {text}")


def valid(point: Point, records: dict[str, Record], head: str) -> bool:
    """Whether an earlier run of this sweep measured the very same thing."""
    record = records.get(point.id)
    same = record is not None and record.sha == head and record.fingerprint == point.fingerprint.as_json()
    return record is not None and same and record.outcome == Outcome.SUCCESS


def canaries(plan: Plan) -> Iterator[tuple[KeyPlan, Point]]:
    return ((key, plan.by_id[key.canary]) for key in plan.keys if key.canary)


def tell(args: argparse.Namespace, world: World, ledger: Ledger, *, sweep: Sweep) -> None:
    """The outcome: one line a point, or the ledger as JSON."""
    bounds: dict[str, Bound] = {}
    for entry in ledger.entries:
        found = sweep.bound(sweep.plan.by_id[entry.point], entry.result or {})
        bounds |= {entry.point: found} if found else {}
    if bounds:
        files.write_json(sweep.out / "bound.json", {name: one.as_json() for name, one in bounds.items()})
    if args.json:
        world.say(json.dumps(decision(ledger, sweep.out).as_json(), indent=1))
        return
    for entry in ledger.entries:
        held = bounds[entry.point].text if entry.point in bounds else ""
        figures = [numbers(row) for row in taken_apart(entry.result or {})]
        told = ", ".join(filter(None, ("; ".join(figures), held, *entry.notes)))
        world.say(f"{entry.key} {entry.title}  {entry.text}  {told}".rstrip())
    world.say(f"{verdict(ledger)}\n{sweep.out / 'report' / 'index.html'}")


def decision(ledger: Ledger, out: Path) -> Decision:
    return Decision(
        decision="sweep",
        go=ledger.complete,
        kind="complete" if ledger.complete else "incomplete",
        reason=verdict(ledger),
        details={"out": str(out), "ledger": ledger.as_json()},
    )


def numbers(row: Any) -> str:
    """The few figures that people look for first."""
    shown = [("output_tput_per_gpu", "output tok/s/GPU", 1.0), ("median_ttft", "ms TTFT", 1e3)]
    shown += [("median_tpot", "ms TPOT", 1e3), ("joules_per_output_token", "J/output token", 1.0)]
    return ", ".join(f"{row[name] * scale:.2f} {unit}" for name, unit, scale in shown if name in row)
