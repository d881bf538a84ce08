"""`infx job collect`: records become ledger, published rows and page. Green only if every point is valid."""

import argparse
from dataclasses import replace
from pathlib import Path

from infx.collected import Collected, facts, gathered, verdict, write
from infx.edge import artifacts, download, files, gha, github, settings
from infx.edge.world import World
from infx.errors import BadInput, Refused
from infx.event import Run
from infx.ledger import Ledger
from infx.policy.blocking import blocking
from infx.results import selection, tally
from infx.say import status
from infx.say.words import plural

EXAMPLE = """example:
  infx job collect --plan plan.json --records artifacts --out collected
  infx job collect --run 27528759942   asks GitHub: GITHUB_REPOSITORY and GITHUB_TOKEN"""
NOTHING = "nothing to collect: the plan has nothing to run"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--plan", type=Path, default=Path("infx-in/plan"), help="plan.json or its folder")
    parser.add_argument(
        "--records", type=Path, default=Path("infx-in"), help="folder of downloaded artifacts"
    )
    parser.add_argument(
        "--run", dest="run_id", metavar="ID", type=int, help="fetch the artifacts of this run first"
    )
    parser.add_argument("--out", type=Path, default=Path("infx-out"), help="folder for everything collected")


def run(args: argparse.Namespace, world: World) -> int:
    """0 when every planned point is valid or none was planned; Refused with the count otherwise."""
    results = job_results(world.env.get("INFX_RESULTS", ""))
    go = world.env.get("INFX_GO", "")
    if results.get("plan", "success") != "success":
        raise Refused(f"the job `plan` ended with {results['plan']}", todo="look at its step summary")
    lost = _fetched(args, world) if args.run_id else []
    env = {**world.env, "GITHUB_RUN_ID": str(args.run_id)} if args.run_id else world.env
    seal = world.env.get("INFX_SEAL", "")
    plan = None if go == "false" else artifacts.plan_at(world.cwd / args.plan, seal=seal)
    if go == "false" or (plan is not None and not plan.points):
        world.say(NOTHING)
        gha.summary(world, NOTHING)
        return 0
    if plan is None:
        raise BadInput(
            "the plan said go, but its artifact is not there", where=str(args.plan), todo="re-run all jobs"
        )
    collected = gathered(plan, world.cwd / args.records, settings.load(world.cwd).power)
    collected = replace(collected, problems=[*collected.problems, *lost])
    ledger = tally.ledger(plan, collected.records, facts(env, collected, results))
    ledger = _with_earlier(ledger, world, world.cwd / args.records)
    write(world.cwd / args.out, collected, ledger, env=env)
    tell(world, collected, ledger)
    if not ledger.complete:
        raise Refused(verdict(ledger), todo="see the step summary for each point and its next step")
    return 0


def _with_earlier(ledger: Ledger, world: World, folder: Path) -> Ledger:
    """With the values of an earlier attempt of this run, whose artifacts a later one replaced."""
    path = folder / "ledger" / "ledger.json"
    if not path.is_file() or path.is_symlink():
        return ledger
    try:
        old = artifacts.ledger(files.read_bytes(path, limit=artifacts.DOCUMENT_LIMIT))
    except BadInput as problem:
        gha.untrusted(world, f"ledger of an earlier attempt: {problem.what}")
        return ledger
    return tally.carried(ledger, old)


def _fetched(args: argparse.Namespace, world: World) -> list[artifacts.Problem]:
    """Download what the run left: of each name the newest that is left. What cannot be had is named."""
    client = github.connect(world.env)
    chosen = selection.select(client.artifacts(args.run_id))
    others = ("plan", artifacts.STATS)
    wanted = [one for one in chosen.chosen if one.name in others or one.name.startswith(artifacts.KINDS)]
    world.note(f"{plural(len(wanted), 'artifact')} of run {args.run_id}")
    problems = download.into(world.cwd / args.records, client, wanted)
    return problems + [
        artifacts.Problem(artifact=name, what="it has expired", lost=True) for name in chosen.expired
    ]


def job_results(text: str) -> dict[str, str]:
    """`plan=success canary=failure …` as a mapping; read only to explain what left no record."""
    return dict(part.split("=", 1) for part in text.split() if "=" in part)


def tell(world: World, collected: Collected, ledger: Ledger) -> None:
    """Summary for people, and every artifact that could not be read."""
    run = Run(id=ledger.run_id, attempt=ledger.attempt, head_sha=ledger.head_sha)
    shown = status.Status(run=run, plan=collected.plan, ledger=ledger, blockers=blocking(ledger))
    gha.summary(world, status.summary(shown))
    for problem in collected.problems:
        gha.untrusted(world, f"{problem.artifact}: {problem.what}")
    world.say(verdict(ledger))
