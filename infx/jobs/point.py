"""`infx job point`: one matrix cell from launch to record. Whatever happens, a record is left behind."""

import argparse
import errno
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from infx.bench import cell as bench
from infx.cluster import Cluster
from infx.edge import artifacts, files, gha, settings
from infx.edge.git import Git
from infx.edge.world import World
from infx.errors import BadInput
from infx.launch.brake import Brake, signals
from infx.plan import Plan
from infx.point import EVAL, Point
from infx.read.clusters import clusters
from infx.read.thresholds import thresholds
from infx.reason import Reason, Stopped
from infx.record import FILE, Outcome, Record
from infx.results import accuracy, normalize, validity

HELP = """example:
  infx job point --id 0123456789abcdef --canary"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = HELP
    parser.add_argument(
        "--plan", type=Path, default=Path("infx-in/plan/plan.json"), help="the plan of this run"
    )
    parser.add_argument("--id", required=True, help="point id, as the matrix cell names it")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("infx-out"),
        help="each point gets a folder here, named as its artifact",
    )
    parser.add_argument(
        "--canary", action="store_true", help="obey the key's deadline, then try its next candidate"
    )


@dataclass(frozen=True, kw_only=True)
class Job:
    """What all attempts of one cell share."""

    world: World
    plan: Plan
    cluster: Cluster | None
    out: Path

    def folder(self, point: Point) -> Path:
        return self.out / point.artifact("eval" if point.mode == EVAL else "bmk")

    def note(self, point: Point, text: str) -> None:
        self.world.note(f"{point.title}: {text}")


def run(args: argparse.Namespace, world: World) -> int:
    """0 when the point, or the candidate tried in its place, succeeded."""
    plan = read_plan(world.cwd / args.plan)
    point = pick(plan, args.id)
    key = next((key for key in plan.keys if args.canary and key.canary == point.id), None)
    job = Job(world=world, plan=plan, cluster=cluster_of(world, point), out=(world.cwd / args.out).resolve())
    record = attempt(job, point, key.deadline_s if key else None)
    if key and key.candidates and record.reason == Reason.CANARY_TIMEOUT:
        candidate = pick(plan, key.candidates[0])
        job.note(candidate, f"next candidate of {key.key}, since {point.title} reached its deadline")
        record = attempt(job, candidate, key.next_deadline_s)
    return 0 if record.outcome == Outcome.SUCCESS else 1


def read_plan(path: Path) -> Plan:
    plan = artifacts.plan_at(path)
    if plan is None:
        raise BadInput("there is no plan", where=str(path), todo="give the run's plan.json")
    return plan


def pick(plan: Plan, point_id: str) -> Point:
    if point_id not in plan.by_id:
        raise BadInput(f"the plan has no point {point_id}", todo="give an id of plan.json")
    return plan.by_id[point_id]


def cluster_of(world: World, point: Point) -> Cluster | None:
    layout = settings.load(world.cwd).layout
    path = layout.path(layout.clusters)
    return clusters(files.read_text(world.cwd / path), where=path).get(point.runner)


def attempt(job: Job, point: Point, deadline_s: int | None) -> Record:
    """Measure and judge one point. Its record says `interrupted` until it is known how it ended."""
    folder, began = job.folder(point), job.world.now()
    record = blank(job, point, began)
    files.empty(folder)
    write(folder, record)
    brake = Brake(deadline_s=deadline_s)
    with signals(brake):
        try:
            record = judged(job, point, record, brake)
        except Stopped as stop:
            record = failed(record, stop)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            record = failed(record, Stopped(Reason.DISK_FULL, str(error)))
        record = replace(record, ended=job.world.now())
        write_at_last(folder, record)
    job.note(point, " ".join(filter(None, (record.outcome, record.reason, record.detail))))
    return record


def failed(record: Record, stop: Stopped) -> Record:
    return replace(
        record, outcome=stop.outcome, reason=stop.reason, detail=stop.detail, notes=tuple(stop.notes)
    )


def blank(job: Job, point: Point, began: float) -> Record:
    env = job.world.env
    return Record(
        point=point.id,
        identity=point.identity,
        fingerprint=point.fingerprint.as_json(),
        outcome=Outcome.CANCELLED,
        reason=Reason.INTERRUPTED,
        detail="the job ended before it could say how",
        sha=Git(job.world.cwd).resolve("HEAD"),
        run_id=gha.number(env, "GITHUB_RUN_ID", 0),
        attempt=gha.number(env, "GITHUB_RUN_ATTEMPT", 1),
        node=env.get("RUNNER_NAME") or env.get("HOSTNAME") or "local",
        started=began,
        ended=began,
    )


def judged(job: Job, point: Point, record: Record, brake: Brake) -> Record:
    """The record with the outcome of a cell that ran to its end. Stopped when it did not."""
    if record.sha != job.plan.head_sha:
        raise Stopped(
            Reason.WRONG_COMMIT, f"{record.sha[:7]} is checked out, the plan pins {job.plan.head_sha[:7]}"
        )
    if job.cluster is None:
        raise Stopped(Reason.NO_CLUSTER, f"no cluster record of {point.runner}")
    rules = settings.load(job.world.cwd)
    seen = bench.measure(
        bench.Cell(
            point=point,
            cluster=job.cluster,
            root=job.world.cwd,
            out=job.folder(point),
            env=job.world.env,
            python=sys.executable,
            fast_s=rules.durations.fast_profile if job.plan.fast else None,
            note=lambda text: job.note(point, text),
        ),
        brake,
    )
    if isinstance(seen, list):
        return judged_scores(job, point, record, seen)
    fault = validity.load_fault(point, seen, began=record.started, limits=rules.agentic)
    if fault:
        raise Stopped(fault.reason, fault.detail)
    result = normalize.load_row(point, seen)
    return done(record, result, validity.notes(seen), f"{result['tput_per_gpu']:.0f} tok/s/GPU")


def judged_scores(job: Job, point: Point, record: Record, scores: list[Any]) -> Record:
    layout = settings.load(job.world.cwd).layout
    path = layout.path(layout.thresholds)
    floors = thresholds(files.read_text(job.world.cwd / path), where=path)
    fault = accuracy.eval_fault(point, scores, floors)
    if fault:
        raise Stopped(fault.reason, fault.detail)
    floor = accuracy.floor_of(floors, str(point.row["model-prefix"]), str(point.task))
    assert floor is not None
    worst = min(scores, key=lambda score: score.strict)
    result = normalize.eval_row(point, worst, floor)
    return done(record, result, [], f"{worst.task} {worst.strict:.2%} ≥ {floor.value:.2%}")


def done(record: Record, result: dict[str, Any], notes: list[str], detail: str) -> Record:
    return replace(
        record, outcome=Outcome.SUCCESS, reason="", detail=detail, result=result, notes=tuple(notes)
    )


def write_at_last(folder: Path, record: Record) -> None:
    """On a full disk the record takes the room of the raw files, since it alone says what they are worth."""
    try:
        write(folder, record)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        files.empty(folder)
        write(
            folder,
            failed(record, Stopped(Reason.DISK_FULL, "no room for the record; raw files were removed")),
        )


def write(folder: Path, record: Record) -> None:
    """`record.json`, and `result.json` once there is a row."""
    files.write_json(folder / FILE, record.as_json())
    if record.result is not None:
        files.write_json(folder / "result.json", record.result)
