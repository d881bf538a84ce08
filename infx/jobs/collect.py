"""`infx job collect`: records become ledger, published rows and page. Green only if every point is valid."""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from infx.edge import artifacts, files, gha
from infx.edge.world import World
from infx.errors import Refused
from infx.event import Run
from infx.ledger import Ledger, State
from infx.matrix.points import kind
from infx.matrix.release import release
from infx.plan import Plan
from infx.point import EVAL, THROUGHPUT
from infx.policy.blocking import blocking
from infx.record import Record
from infx.results import page, stats, tally
from infx.say import status

EXAMPLE = """example:
  infx job collect --plan plan.json --records artifacts --out collected"""
TEMPLATE = Path(page.__file__).with_suffix(".html")
NOTHING = "nothing to collect: the plan has nothing to run"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--plan", type=Path, default=Path("infx-in/plan"), help="plan.json or its folder")
    parser.add_argument(
        "--records", type=Path, default=Path("infx-in"), help="folder of downloaded artifacts"
    )
    parser.add_argument("--out", type=Path, default=Path("infx-out"), help="folder for everything collected")


@dataclass(frozen=True, kw_only=True)
class Collected:
    """What the artifacts of one run hold."""

    plan: Plan
    records: list[Record]
    problems: list[artifacts.Problem]


def run(args: argparse.Namespace, world: World) -> int:
    """0 when every planned point is valid or none was planned; Refused with the count otherwise."""
    results = job_results(world.env.get("INFX_RESULTS", ""))
    go = world.env.get("INFX_GO", "")
    if results.get("plan", "success") != "success":
        raise Refused(f"the job `plan` ended with {results['plan']}", todo="look at its step summary")
    seal = world.env.get("INFX_SEAL", "")
    plan = None if go == "false" else artifacts.plan_at(world.cwd / args.plan, seal=seal)
    if go == "false" or (plan is not None and not plan.points):
        world.say(NOTHING)
        gha.summary(world, NOTHING)
        return 0
    if plan is None:
        raise Refused(
            "the plan said go, but its artifact is not there", where=str(args.plan), todo="re-run all jobs"
        )
    records, problems = artifacts.records(world.cwd / args.records)
    collected = Collected(plan=plan, records=records, problems=problems)
    ledger = tally.ledger(plan, records, facts(world.env, collected, results))
    write(world.cwd / args.out, collected, ledger, address=gha.run_url(world.env))
    tell(world, collected, ledger)
    if not ledger.complete:
        raise Refused(verdict(ledger), todo="see the step summary for each point and its next step")
    return 0


def job_results(text: str) -> dict[str, str]:
    """`plan=success canary=failure …` as a mapping; read only to explain what left no record."""
    return dict(part.split("=", 1) for part in text.split() if "=" in part)


def facts(env: Mapping[str, str], collected: Collected, results: Mapping[str, str]) -> tally.Facts:
    points = {point.artifact(kind(point)): point.id for point in collected.plan.points}
    return tally.Facts(
        run_id=gha.number(env, "GITHUB_RUN_ID", 0),
        attempt=gha.number(env, "GITHUB_RUN_ATTEMPT", 1),
        cancelled="cancelled" in results.values(),
        blocked=release(collected.plan, tally.newest(collected.records)).blocked,
        unreadable={points[one.artifact]: one.what for one in collected.problems if one.artifact in points},
    )


def write(out: Path, collected: Collected, ledger: Ledger, *, address: str) -> None:
    """Every file of the run's artifacts below `out`."""
    for name, document in stats.aggregates(collected.plan, ledger, collected.records).items():
        files.write_json(out / name, document)
    # The report reads one artifact instead of two.
    files.write_json(out / "ledger" / "plan.json", collected.plan.as_json())
    shown = page.Run(plan=collected.plan, ledger=ledger, address=address)
    files.write_text(out / "report" / "index.html", page.page(files.read_text(TEMPLATE), shown))


def tell(world: World, collected: Collected, ledger: Ledger) -> None:
    """Summary for people, and every artifact that could not be read."""
    run = Run(id=ledger.run_id, attempt=ledger.attempt, head_sha=ledger.head_sha)
    shown = status.Status(run=run, plan=collected.plan, ledger=ledger, blockers=blocking(ledger))
    gha.summary(world, status.summary(shown))
    for problem in collected.problems:
        gha.untrusted(world, f"{problem.artifact}: {problem.what}")
    world.say(verdict(ledger))


def verdict(ledger: Ledger) -> str:
    """`8 of 9 points and 1 of 1 evals are valid; first: C4 invalid(engine-died)`."""
    counts = " and ".join(
        f"{ledger.count(mode, State.VALID)} of {ledger.planned(mode)} {word}"
        for mode, word in ((THROUGHPUT, "points"), (EVAL, "evals"))
        if ledger.planned(mode)
    )
    bad = [entry for entry in ledger.entries if entry.state != State.VALID]
    first = next((entry for entry in bad if entry.state == State.INVALID), bad[0] if bad else None)
    return f"{counts} are valid" + (f"; first: {first.key} {first.title} {first.text}" if first else "")
