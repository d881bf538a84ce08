"""Cells: one point from launch to judged record. Whatever happens, a record is left behind."""

import errno
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from infx.bench import cell as bench
from infx.bench import replay
from infx.bench.power import PACKAGE
from infx.cluster import Cluster
from infx.edge import files, gha, settings
from infx.edge.git import Git
from infx.edge.world import World
from infx.errors import BadInput
from infx.launch.brake import Brake, signals
from infx.matrix.points import kind
from infx.plan import KeyPlan, Plan
from infx.point import EVAL, Point
from infx.power import Window
from infx.read.clusters import clusters
from infx.read.thresholds import thresholds
from infx.reason import Reason, Stopped
from infx.record import FILE, Outcome, Record
from infx.rendered import rendered
from infx.results import accuracy, normalize, power, validity
from infx.row import Corpus, Load, Score
from infx.rules import Power
from infx.several import combined


@dataclass(frozen=True, kw_only=True)
class Job:
    """What all attempts of one cell share."""

    world: World
    plan: Plan
    cluster: Cluster | None
    out: Path

    def folder(self, point: Point) -> Path:
        return self.out / point.artifact(kind(point))

    def note(self, point: Point, text: str) -> None:
        self.world.note(f"{point.title}: {text}")


def canary(job: Job, point: Point, key: KeyPlan | None) -> Record:
    """One point; with `key` under the deadline of its canary, and the next candidate once after that."""
    record = attempt(job, point, key.deadline_s if key else None)
    if key is None or not key.candidates or record.reason != Reason.CANARY_TIMEOUT:
        return record
    candidate = job.plan.by_id[key.candidates[0]]
    job.note(candidate, f"next candidate of {key.key}, since {point.title} reached its deadline")
    return attempt(job, candidate, key.next_deadline_s)


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
    # What can be told without an engine is told before one is started.
    floors, corpus = floors_of(job, point), corpus_of(job, point)
    engine = rendered(job.world.cwd, point, job.cluster, out=job.folder(point))
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
            tasks=rules.layout.path(rules.layout.tasks),
            script=engine.script,
            members=engine.members,
        ),
        brake,
    )
    if point.mode == EVAL:
        scores = [one for one in seen if isinstance(one, Score)]
        return judged_scores(job, point, record, scores, floors)
    return judged_loads(job, point, record, [one for one in seen if isinstance(one, Load)], corpus)


def judged_loads(job: Job, point: Point, record: Record, loads: list[Load], corpus: Corpus | None) -> Record:
    """One load run for each concurrency; the first broken rule counts."""
    rules = settings.load(job.world.cwd)
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    for conc, seen in zip(point.concurrencies, loads, strict=True):
        fault = validity.load_fault(point, seen, began=record.started, limits=rules.agentic, corpus=corpus)
        if fault:
            where = f"C{conc}: " if len(loads) > 1 else ""
            raise Stopped(fault.reason, f"{where}{fault.detail}")
        row = normalize.load_row(point, seen, conc=conc) | energy(job, point, seen, limits=rules.power)
        rows.append(row)
        notes += [*validity.notes(seen), *power.note(row)]
    told = ", ".join(f"{row['tput_per_gpu']:.0f}" for row in rows)
    found = done(record, combined(rows), notes, f"{told} tok/s/GPU")
    if rules.power.requires(point.key) and not all(row.get("power_valid") for row in rows):
        return replace(found, reason=Reason.POWER, detail=f"{found.detail}, but energy is required")
    return found


def energy(job: Job, point: Point, seen: Load, *, limits: Power) -> dict[str, Any]:
    """Row fields of the power that was sampled, whose window and verdict stay beside the samples."""
    if seen.power is None:
        return {}
    window = Window(started=seen.started, ended=seen.ended, gpus=point.gpus, boot=seen.boot)
    verdict = power.judge(seen.power, window, limits)
    package = {"window": window.as_json(), **verdict.as_json()}
    files.write_json(job.folder(point) / PACKAGE, package)
    return power.fields(verdict, seen)


def corpus_of(job: Job, point: Point) -> Corpus | None:
    """The trace corpus of an agentic load run. Stopped when it is not what the cluster record says of it."""
    if point.mode == EVAL or "isl" in point.row or job.cluster is None:
        return None
    return replay.read(job.world.cwd, job.cluster.load)[0]


def floors_of(job: Job, point: Point) -> accuracy.Thresholds:
    """Accuracy that evals must reach; nothing for a point that measures none. Stopped when the file is
    broken, or has no threshold for the point's task."""
    if point.mode != EVAL:
        return {}
    layout = settings.load(job.world.cwd).layout
    path = layout.path(layout.thresholds)
    try:
        found = thresholds(files.read_text(job.world.cwd / path), where=path)
    except BadInput as error:
        raise Stopped(Reason.NO_THRESHOLD, error.sentence) from error
    prefix, task = str(point.row["model-prefix"]), str(point.task)
    if accuracy.floor_of(found, prefix, task) is None:
        raise Stopped(Reason.NO_THRESHOLD, f"{path} has no threshold for {task} of {prefix}")
    return found


def judged_scores(
    job: Job, point: Point, record: Record, scores: list[Score], floors: accuracy.Thresholds
) -> Record:
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
