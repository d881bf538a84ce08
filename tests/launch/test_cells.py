"""Whole cells of `infx job point` in a container and on a cluster: the real simulator, the real clients."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from infx.launch import claim
from infx.launch.leftovers import marked
from infx.point import Point
from infx.reason import Reason
from infx.record import Outcome
from infx.several import taken_apart
from tests.jobs.test_point import record
from tests.launch.cluster import Cluster
from tests.launch.dockerd import Dockerd, until
from tests.runtime import ROOT, checkout, evaluation, fixed, plan, point

pytestmark = pytest.mark.clients
COMMON = (
    "tokenizer: bytes, min_free_gib: 0.1, limits: {ready: 60, client: 120}, load: {waves: 2, prompts: random}"
)
ENGINE = f"env: {{INFX_PYTHON: python3, PYTHONPATH: {ROOT}}}"
BOX = f"container: {{inherit: [SIM_FAULT], mounts: ['{ROOT}/infx:{ROOT}/infx:ro']}}"
DOCKER = f"{{driver: docker, {ENGINE}, {BOX}, {COMMON}}}"
SLURM = f"{{driver: slurm, slurm: {{options: ['--gres=gpu:{{gpus_on_node}}', '--mem=800']}}, {COMMON}}}"


def start(folder: Path, cluster: str, env: Mapping[str, str], *, fault: str = "") -> "subprocess.Popen[str]":
    """`infx job point` for the first point of a plan of two."""
    head = checkout(folder, cluster=f"clusters: {{'cluster:local': {cluster}}}\n")
    what = plan(head, fixed(2, isl=64, osl=8), evaluation(4))
    (folder / "plan.json").write_text(json.dumps(what.as_json()))
    return again(folder, env, fault=fault)


def again(
    folder: Path, env: Mapping[str, str], *, place: int = 0, fault: str = ""
) -> "subprocess.Popen[str]":
    return begin(folder, (fixed(2, isl=64, osl=8), evaluation(4))[place], env, fault=fault)


def begin(folder: Path, what: Point, env: Mapping[str, str], *, fault: str = "") -> "subprocess.Popen[str]":
    words = ["job", "point", "--plan=plan.json", f"--id={what.id}", "--out=out"]
    all_env = {**os.environ, **env, "PYTHONPATH": str(ROOT), "SIM_FAULT": fault}
    all_env["INFX_CLIENTS"] = os.environ.get("INFX_CLIENTS", str(ROOT / ".venv-clients"))
    argv = [sys.executable, "-m", "infx", *words]
    return subprocess.Popen(argv, cwd=folder, env=all_env, stderr=subprocess.PIPE, text=True)


def tear_down(folder: Path, env: Mapping[str, str]) -> str:
    argv = [sys.executable, "-m", "infx", "job", "teardown", "--out=out"]
    all_env = {**os.environ, **env, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(argv, cwd=folder, env=all_env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.docker
def test_a_cell_in_a_container(tmp_path: Path, docker: Dockerd) -> None:
    process = start(tmp_path, DOCKER, docker.env)
    said = process.communicate()[1]
    assert process.returncode == 0, said
    found = record(tmp_path, fixed(2, isl=64, osl=8))
    assert (found.outcome, found.result is not None) == (Outcome.SUCCESS, True)
    assert "image infx/simulator:1 is sha256:" in said
    assert docker.containers == []
    process = again(tmp_path, docker.env, place=1)
    said = process.communicate()[1]
    assert process.returncode == 0, said
    assert record(tmp_path, evaluation(4), "eval").outcome == Outcome.SUCCESS


@pytest.mark.docker
@pytest.mark.parametrize(
    ("fault", "outcome", "reason"),
    [
        ("die-loading", Outcome.FAILURE, Reason.ENGINE_DIED_LOADING),
        ("die-after=4", Outcome.FAILURE, Reason.ENGINE_DIED),
        ("malformed", Outcome.INVALID, Reason.MALFORMED),
        ("zero-tokens", Outcome.INVALID, Reason.ZERO_TOKENS),
    ],
)
def test_a_broken_engine_in_a_container_has_its_reason(
    tmp_path: Path, docker: Dockerd, fault: str, outcome: Outcome, reason: Reason
) -> None:
    process = start(tmp_path, DOCKER, docker.env, fault=fault)
    said = process.communicate()[1]
    found = record(tmp_path, fixed(2, isl=64, osl=8))
    assert (process.returncode, found.outcome, found.reason, found.result) == (1, outcome, reason, None), said
    assert [note.split(":")[0] for note in found.notes] == (
        ["partial"] if fault in ("die-after=4", "zero-tokens") else []
    )
    assert docker.containers == []


@pytest.mark.slurm
def test_a_cell_on_a_cluster(tmp_path: Path, slurm: Cluster) -> None:
    process = start(tmp_path, SLURM, slurm.env)
    said = process.communicate()[1]
    assert process.returncode == 0, said
    found = record(tmp_path, fixed(2, isl=64, osl=8))
    assert (found.outcome, found.result is not None) == (Outcome.SUCCESS, True)
    assert (tmp_path / "out" / fixed(2, isl=64, osl=8).artifact("bmk") / "slurm.json").exists()
    assert slurm.jobs == []


DISAGG = "benchmarks/multi_node/srt-slurm-recipes/demo/disagg.yaml:override_2p1d"
POOL = {"num-worker": 1, "tp": 1, "pp": 1, "dcp-size": 1, "pcp-size": 1, "ep": 1, "dp-attn": False}
MEMBERS = {"frontend-0", "prefill-0", "prefill-1", "decode-0"}


def apart(*conc: int) -> Point:
    """Prompts and answers of the demo on engines of their own."""
    row = {"prefill": {**POOL, "num-worker": 2}, "decode": POOL, "conc": list(conc), "disagg": True}
    plain = {name: value for name, value in fixed(isl=64, osl=8).row.items() if name not in POOL}
    return point({**plain, **row}, DISAGG)


@pytest.mark.parametrize(
    "name",
    [
        "local",
        pytest.param("docker", marks=pytest.mark.docker),
        pytest.param("slurm", marks=pytest.mark.slurm),
    ],
)
def test_a_disaggregated_cell_measures_each_concurrency(
    tmp_path: Path, name: str, request: pytest.FixtureRequest
) -> None:
    """Real halves of the demo engine behind its router: neither answers what the other has to."""
    env = {} if name == "local" else request.getfixturevalue(name).env
    record_of = {"local": f"{{driver: local, {COMMON}}}", "docker": DOCKER, "slurm": SLURM}
    head = checkout(tmp_path, cluster=f"clusters: {{'cluster:local': {record_of[name]}}}\n")
    what = apart(1, 4)
    (tmp_path / "plan.json").write_text(json.dumps(plan(head, what).as_json()))
    process = begin(tmp_path, what, env)
    said = process.communicate()[1]
    assert process.returncode == 0, said
    found = record(tmp_path, what)
    assert found.result
    rows = taken_apart(found.result)
    assert [row["conc"] for row in rows] == [1, 4]
    assert rows[0]["median_ttft"] != rows[1]["median_ttft"]
    assert (found.result["num_prefill_gpu"], found.result["num_decode_gpu"], found.result["disagg"]) == (
        2,
        1,
        True,
    )
    out = tmp_path / "out" / what.artifact("bmk")
    assert {path.stem for path in out.glob("*-[0-9].log")} == MEMBERS
    assert marked(out) == []


def test_a_half_that_dies_names_itself(tmp_path: Path) -> None:
    head = checkout(tmp_path, cluster=f"clusters: {{'cluster:local': {{driver: local, {COMMON}}}}}\n")
    recipe = tmp_path / DISAGG.partition(":")[0]
    recipe.write_text(
        recipe.read_text().replace("      decode:\n", "      decode:\n        fault: die-after=4\n")
    )
    (tmp_path / "plan.json").write_text(json.dumps(plan(head, apart(1, 4)).as_json()))
    process = begin(tmp_path, apart(1, 4), {})
    said = process.communicate()[1]
    found = record(tmp_path, apart(1, 4))
    assert (process.returncode, found.reason, found.result) == (1, Reason.ENGINE_DIED, None), said
    assert found.detail.startswith("decode-0: exit 9 while serving")
    assert marked(tmp_path / "out") == []


@pytest.mark.slurm
def test_teardown_ends_the_job_of_a_cell_that_was_killed(tmp_path: Path, slurm: Cluster) -> None:
    """Killed together with its guards, as when the runner's service is stopped hard."""
    process = start(tmp_path, SLURM, slurm.env, fault="hang-at=2")
    out = tmp_path / "out" / fixed(2, isl=64, osl=8).artifact("bmk")
    until(lambda: (out / "client.log").exists(), 60)
    process.kill()
    for pid in marked(out):
        if b"guard.py" in Path(f"/proc/{pid}/cmdline").read_bytes():
            os.kill(pid, signal.SIGKILL)
    process.communicate()
    assert len(slurm.jobs) == 1
    begin = time.monotonic()
    assert "jobs: ended" in tear_down(tmp_path, slurm.env)
    until(lambda: slurm.jobs == [], 15)
    assert time.monotonic() - begin < 20
    assert (marked(out), (out / claim.FILE).exists()) == ([], False)
    found = record(tmp_path, fixed(2, isl=64, osl=8))
    assert (found.outcome, found.reason) == (Outcome.CANCELLED, Reason.INTERRUPTED)
