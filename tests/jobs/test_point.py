"""`infx job point` without clients: what is decided before and around the measurement."""

import argparse
import json
import os
import subprocess
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from infx.edge.world import World
from infx.errors import BadInput
from infx.jobs import point as job
from infx.jobs import teardown
from infx.plan import Plan
from infx.point import EVAL, Point
from infx.reason import Reason
from infx.record import Outcome, Record
from tests.runtime import agentic, checkout, evaluation, fixed, plan

HANGS = "sleep 60\n"


def world(folder: Path, **env: str) -> World:
    """Clients are there, and never asked."""
    clients = folder.parent / f"{folder.name}-clients"
    (clients / "bin").mkdir(parents=True, exist_ok=True)
    for name in ("aiperf", "python"):
        (clients / "bin" / name).touch()
    own = {"PATH": os.environ["PATH"], "INFX_CLIENTS": str(clients)}
    return World(env={**own, **env}, cwd=folder, out=StringIO(), err=StringIO())


def run(folder: Path, what: Plan, *, canary: bool = False, id: str = "", **env: str) -> int:
    (folder / "plan.json").write_text(json.dumps(what.as_json()))
    args = argparse.Namespace(
        plan=Path("plan.json"), id=id or what.points[0].id, out=Path("out"), canary=canary
    )
    return job.run(args, world(folder, **env))


def record(folder: Path, point: Point, kind: str = "bmk") -> Record:
    path = folder / "out" / point.artifact(kind) / "record.json"
    return Record.from_json(json.loads(path.read_text()))


def test_C37_another_commit_is_recorded_and_not_measured(tmp_path: Path) -> None:
    head, point = checkout(tmp_path), fixed()
    assert (
        run(tmp_path, plan("b" * 40, point), GITHUB_RUN_ID="5", GITHUB_RUN_ATTEMPT="2", RUNNER_NAME="n1") == 1
    )
    found = record(tmp_path, point)
    assert (found.outcome, found.reason, found.sha) == (Outcome.FAILURE, Reason.WRONG_COMMIT, head)
    assert (found.run_id, found.attempt, found.node) == (5, 2, "n1")
    assert found.identity == point.identity


def missing_script(folder: Path) -> None:
    (folder / fixed().script).unlink()


def no_record(folder: Path) -> None:
    (folder / "configs" / "clusters.yaml").write_text("clusters: {}\n")


def not_staged(folder: Path) -> None:
    record = "{driver: local, models: {infx/demo-bytes: /no/such/model}}"
    (folder / "configs" / "clusters.yaml").write_text(f"clusters: {{'cluster:local': {record}}}\n")


def cluster(folder: Path, record: str) -> None:
    (folder / "configs" / "clusters.yaml").write_text(f"clusters: {{'cluster:local': {{{record}}}}}\n")


def no_scheduler(folder: Path) -> None:
    """PATH is of no use to a program that is not there."""
    cluster(folder, "driver: slurm, limits: {clean_up: 0.1}")


def full_disk(folder: Path) -> None:
    cluster(folder, "driver: local, min_free_gib: 1.0e+9")


def no_gpus(folder: Path) -> None:
    cluster(folder, "driver: local, gpus: 9999")


def dead_engine(folder: Path) -> None:
    (folder / fixed().script).write_text("echo out of memory >&2; exit 3\n")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (missing_script, Reason.SCRIPT_MISSING),
        (no_record, Reason.NO_CLUSTER),
        (not_staged, Reason.MODEL_MISSING),
        (no_scheduler, Reason.LAUNCHER_FAILED),
        (full_disk, Reason.RUNNER_POISONED),
        (no_gpus, Reason.RUNNER_POISONED),
        (dead_engine, Reason.ENGINE_DIED_LOADING),
    ],
)
def test_what_is_missing_has_its_reason(tmp_path: Path, spoil: Any, reason: Reason) -> None:
    head = checkout(tmp_path)
    spoil(tmp_path)
    assert run(tmp_path, plan(head, fixed())) == 1
    assert record(tmp_path, fixed()).reason == reason


@pytest.mark.parametrize("point", [fixed(), evaluation()])
def test_without_clients_no_engine_is_started(tmp_path: Path, point: Point) -> None:
    head = checkout(tmp_path, engine="touch $INFX_CELL/../started; exit 3\n")
    assert run(tmp_path, plan(head, point), INFX_CLIENTS=str(tmp_path / "none")) == 1
    found = record(tmp_path, point, "eval" if point.mode == EVAL else "bmk")
    assert (found.reason, "set INFX_CLIENTS" in found.detail) == (Reason.CLIENTS_MISSING, True)
    assert not (tmp_path / "out" / "started").exists()


def test_the_canarys_candidate_is_tried_once(tmp_path: Path) -> None:
    """Both hang here, so both records say so, and the third point is not started."""
    head = checkout(tmp_path, engine=HANGS)
    planned = plan(head, fixed(1), fixed(4), fixed(8), deadline_s=0, next_deadline_s=0)
    assert run(tmp_path, planned, canary=True) == 1
    for point in (fixed(1), fixed(4)):
        found = record(tmp_path, point)
        assert (found.outcome, found.reason) == (Outcome.TIMEOUT, Reason.CANARY_TIMEOUT)
    assert not (tmp_path / "out" / fixed(8).artifact("bmk")).exists()


def test_teardown_names_what_the_cell_left(tmp_path: Path) -> None:
    for name in (fixed(1).artifact("bmk"), "ledger"):
        (tmp_path / "out" / name).mkdir(parents=True)
    outputs = tmp_path / "outputs"
    assert teardown.run(argparse.Namespace(out=Path("out")), world(tmp_path, GITHUB_OUTPUT=str(outputs))) == 0
    assert fixed(1).artifact("bmk") in outputs.read_text()
    assert "second" not in outputs.read_text()


def test_only_a_canary_has_a_deadline(tmp_path: Path) -> None:
    head = checkout(tmp_path, engine="exit 3\n")
    assert run(tmp_path, plan(head, fixed(1), fixed(4), deadline_s=0)) == 1
    assert record(tmp_path, fixed(1)).reason == Reason.ENGINE_DIED_LOADING
    assert not (tmp_path / "out" / fixed(4).artifact("bmk")).exists()


def test_an_older_result_does_not_survive(tmp_path: Path) -> None:
    head = checkout(tmp_path, engine="exit 3\n")
    stale = tmp_path / "out" / fixed().artifact("bmk") / "result.json"
    stale.parent.mkdir(parents=True)
    stale.write_text("{}")
    run(tmp_path, plan(head, fixed()))
    assert not stale.exists()


def test_kinds_of_points_have_artifacts_of_their_own(tmp_path: Path) -> None:
    head = checkout(tmp_path)
    (tmp_path / agentic().script).unlink()
    for point, kind in ((agentic(8), "bmk"), (evaluation(8), "eval")):
        run(tmp_path, plan(head, point))
        assert record(tmp_path, point, kind).reason == Reason.SCRIPT_MISSING


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("{", "not JSON"), ("{}", "expected shape"), ("[]", "expected shape"), (None, "there is no plan")],
)
def test_a_plan_that_is_none_is_refused(tmp_path: Path, text: str | None, wanted: str) -> None:
    if text is not None:
        (tmp_path / "plan.json").write_text(text)
    args = argparse.Namespace(plan=Path("plan.json"), id="0", out=Path("out"), canary=False)
    with pytest.raises(BadInput, match=wanted):
        job.run(args, world(tmp_path))


def test_an_id_outside_the_plan_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no point"):
        run(tmp_path, plan("a" * 40, fixed()), id="0" * 16)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can mount a small disk")
def test_a_full_disk_leaves_a_record_that_says_so(tmp_path: Path) -> None:
    fills = "head -c 9M /dev/zero > $INFX_CELL/trace\n"
    head = checkout(tmp_path, engine=fills)
    (tmp_path / "out").mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(tmp_path / "out")], check=True)
    cluster(tmp_path, "driver: local, min_free_gib: 0.001")
    try:
        assert run(tmp_path, plan(head, fixed())) == 1
        found = record(tmp_path, fixed())
        assert (found.outcome, found.reason) == (Outcome.FAILURE, Reason.DISK_FULL)
    finally:
        subprocess.run(["umount", str(tmp_path / "out")], check=True)
