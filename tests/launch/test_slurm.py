"""The slurm driver on a real cluster of several nodes that these tests start."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infx.cluster import Limits
from infx.cluster import Slurm as Options
from infx.launch import claim, scheduler
from infx.launch.base import Launch
from infx.launch.brake import Brake
from infx.launch.leftovers import MARK
from infx.launch.slurm import Slurm
from infx.reason import Reason, Stopped
from tests.launch import engines, image
from tests.launch.cluster import NODES, Cluster
from tests.launch.dockerd import until

pytestmark = pytest.mark.slurm
GPUS = ["--gres=gpu:h200:{gpus_on_node}", "--cpus-per-task=2", "--mem=400"]


@pytest.fixture
def cluster(slurm: Cluster) -> Iterator[Cluster]:
    """The cluster, idle before and after."""
    until(lambda: slurm.states == ["idle"] * len(NODES), 30)
    yield slurm
    assert slurm.jobs == []


@pytest.fixture
def make(tmp_path: Path, cluster: Cluster) -> engines.Make:
    def driver(script: str, /, **changes: Any) -> Slurm:
        return Slurm(launch(tmp_path, script, cluster, **changes), Brake(), lambda _: None)

    return driver


def launch(folder: Path, script: str, cluster: Cluster, /, **changes: Any) -> Launch:
    out = folder / "out" / "bmk_x"
    out.mkdir(parents=True, exist_ok=True)
    (folder / "engine.sh").write_text(script)
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    plain = Launch(
        root=folder,
        script="engine.sh",
        machine={**cluster.env, MARK: str(out), "TMPDIR": str(scratch)},
        env={},
        out=out,
        port=0,
        limits=Limits(ready=20, client=20, grace=0.3, queue=30),
        slurm=Options(options=GPUS),
    )
    return replace(plain, **changes)


@pytest.mark.parametrize("name", engines.ENDS)
def test_how_a_cell_can_end(make: engines.Make, cluster: Cluster, name: str) -> None:
    end = engines.ENDS[name]
    limits = Limits(ready=4 if name == "never-ready" else 20, client=2 if name == "client-hangs" else 30)
    driver = make(end.engine, limits=limits)
    engines.check(engines.run(driver, end, env=cluster.env), end)
    engines.check_gone(driver.launch.out)
    assert cluster.jobs == []
    assert list((driver.launch.root / "scratch").iterdir()) == []


def test_a_cell_that_succeeds_leaves_logs_and_slurms_record(make: engines.Make, cluster: Cluster) -> None:
    driver = make(engines.engine(before="echo gpus $CUDA_VISIBLE_DEVICES on $SLURMD_NODENAME\n"), gpus=4)
    with engines.ready(driver):
        assert len(cluster.jobs) == 1
        engines.client(driver, "echo measured", cluster.env)
    engines.check_gone(driver.launch.out)
    names = {path.name for path in driver.launch.out.iterdir()}
    assert names == {"engine.log", "driver.log", "client.log", "slurm.json"}
    assert driver.log.read_text().startswith("gpus 0,1,2,3 on gpu")
    record = json.loads((driver.launch.out / "slurm.json").read_text())
    assert "gres/gpu:h200=4" in record[0]["AllocTRES"] or "gres/gpu=4" in record[0]["AllocTRES"]
    assert {"batch"} <= {line["JobName"] for line in record}


def test_container_options_reach_srun(make: engines.Make, cluster: Cluster, tmp_path: Path) -> None:
    """Slurm's own containers: what a plugin such as pyxis takes is passed in the same way."""
    folder = tmp_path / "bundle"
    folder.mkdir()
    image.bundle(folder, tmp_path)
    (folder / "rootfs" / "etc" / "image").write_text("inside\n")
    before = "cat /etc/image; echo $PWD $MODEL $CUDA_VISIBLE_DEVICES $$; [ -d $TMPDIR ] && echo scratch\n"
    options = Options(options=GPUS, srun=["--container={image}"])
    driver = make(
        engines.engine(before=before), image=str(folder), slurm=options, gpus=2, env={"MODEL": "a b"}
    )
    with engines.ready(driver):
        engines.client(driver, "echo measured", cluster.env)
    lines = driver.log.read_text().splitlines()
    assert lines[:3] == ["inside", f"{tmp_path} a b 0,1 1", "scratch"], lines
    engines.check_gone(driver.launch.out)


def test_an_engine_on_two_nodes_ends_when_one_is_lost(make: engines.Make, cluster: Cluster) -> None:
    other = "echo node $SLURM_NODEID; [ $SLURM_NODEID = 0 ] || exec sleep 300\n"
    driver = make(engines.engine(before=other), gpus=16, limits=Limits(ready=20, client=60))

    def lose() -> None:
        assert {"node 0", "node 1"} <= set(driver.log.read_text().splitlines())
        cluster.lose_node("gpu1")

    try:
        stop = engines.stopped(driver, lose, "sleep 60", env=cluster.env)
        assert stop.reason == Reason.NODE_LOST, stop
        engines.check_gone(driver.launch.out)
    finally:
        cluster.start_node("gpu1")


def test_the_first_node_is_lost_while_a_client_measures(make: engines.Make, cluster: Cluster) -> None:
    driver = make(engines.engine(), slurm=Options(options=[*GPUS, "--nodelist=gpu0"]))
    script = f"sleep 1; exec 3<>/dev/tcp/127.0.0.1/$(cat {driver.launch.out}/port)"

    def lose() -> None:
        (driver.launch.out / "port").write_text(str(driver.port))
        cluster.lose_node("gpu0")

    try:
        stop = engines.stopped(driver, lose, script, env=cluster.env)
        assert stop.reason == Reason.NODE_LOST, stop
    finally:
        cluster.start_node("gpu0")
        until(lambda: cluster.jobs == [], 30)


@pytest.mark.parametrize(
    "act", [("scancel",), ("scancel", "--signal=KILL"), ("scancel", "--signal=KILL", "--full")]
)
def test_somebody_cancels_the_job(make: engines.Make, cluster: Cluster, act: tuple[str, ...]) -> None:
    driver = make(engines.engine())
    assert isinstance(driver, Slurm)
    stop = engines.stopped(driver, lambda: cluster.tell(*act, driver.number), "sleep 60", env=cluster.env)
    assert (stop.reason, "was cancelled" in stop.detail) == (Reason.CANCELLED, True), stop
    engines.check_gone(driver.launch.out)


def test_slurms_own_time_limit(make: engines.Make, cluster: Cluster) -> None:
    """A minute is the shortest limit at submission; a running job's can be set to less."""
    driver = make(engines.engine())
    assert isinstance(driver, Slurm)
    end = ("scontrol", "update", "TimeLimit=0:01")
    stop = engines.stopped(
        driver, lambda: cluster.tell(*end, f"JobId={driver.number}"), "sleep 90", env=cluster.env
    )
    assert stop.reason == Reason.TIME_LIMIT, stop


@pytest.mark.parametrize(
    ("changes", "reason", "detail"),
    [
        ({"script": "other.sh"}, Reason.SCRIPT_MISSING, "there is no other.sh on gpu"),
        ({"model_path": "/no/such/model"}, Reason.MODEL_MISSING, "not staged at /no/such/model on gpu"),
        (
            {"slurm": Options(options=["--partition=none"])},
            Reason.LAUNCHER_FAILED,
            "sbatch: Batch job submission failed: Invalid partition",
        ),
        ({"slurm": Options(options=["--gres=gpu:h200:9"])}, Reason.LAUNCHER_FAILED, "sbatch:"),
        ({"slurm": Options(options=["--partition=closed"])}, Reason.LAUNCHER_FAILED, "PartitionDown"),
        ({"slurm": Options(options=["--gres={gpu}"])}, Reason.NO_CLUSTER, "{gpu} is none of image"),
        (
            {"slurm": Options(srun=["--container-image={image}"])},
            Reason.ENGINE_DIED_LOADING,
            "container-image",
        ),
    ],
)
def test_what_is_missing_has_its_reason(
    make: engines.Make, changes: dict[str, Any], reason: Reason, detail: str
) -> None:
    driver = make("sleep 60", **changes)
    stop = engines.stopped(driver, lambda: None, "", env={})
    assert (stop.reason, detail in stop.detail) == (reason, True), stop


def test_a_port_taken_on_the_node_is_named(make: engines.Make) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        stop = engines.stopped(make("sleep 60", port=port), lambda: None, "", env={})
    assert (stop.reason, f"port {port} of gpu" in stop.detail) == (Reason.PORT_TAKEN, True), stop


def test_waiting_for_nodes_is_bounded_and_not_held_against_a_canary(
    make: engines.Make, cluster: Cluster, tmp_path: Path
) -> None:
    blocker = cluster.tell(
        "sbatch", "--parsable", "--nodes=2", "--exclusive", "--output=/dev/null", "--wrap=sleep 60"
    )
    until(lambda: any("RUNNING" in job for job in cluster.jobs), 20)
    try:
        driver = make("sleep 60", limits=Limits(queue=1.5, grace=0.2))
        driver.brake = Brake(deadline_s=1.0)
        stop = engines.stopped(driver, lambda: None, "", env={})
        assert (stop.reason, "no nodes within 1.5 s (Resources)" in stop.detail) == (
            Reason.LAUNCHER_FAILED,
            True,
        ), stop
        assert len(cluster.jobs) == 1
    finally:
        cluster.tell("scancel", blocker)
        until(lambda: cluster.jobs == [], 20)


RUNNER = """
import os, sys
from pathlib import Path
from infx.cluster import Limits, Slurm as Options
from infx.launch.base import Launch
from infx.launch.brake import Brake, signals
from infx.launch.slurm import Slurm
from infx.launch.stages import serving
from infx.bench.ready import probe
root = Path(sys.argv[1])
launch = Launch(root=root, script="engine.sh", machine=dict(os.environ), env={}, out=root / "out" / "bmk_x",
    port=0, limits=Limits(ready=20, client=20, grace=0.3), slurm=Options(options=["--mem=400"]))
driver = Slurm(launch, Brake(), print)
with serving(driver, lambda url: probe(url, "m")):
    driver.run_client(["sleep", "60"], env=dict(os.environ), log=launch.out / "c.log", progress=str)
"""


def test_killing_infx_ends_the_job(cluster: Cluster, tmp_path: Path) -> None:
    out = launch(tmp_path, engines.engine(), cluster).out
    env = {**cluster.env, "PYTHONPATH": str(Path(__file__).parents[2]), MARK: str(out)}
    process = subprocess.Popen(
        [sys.executable, "-c", RUNNER, str(tmp_path)], cwd=tmp_path, env=env, stdout=subprocess.DEVNULL
    )
    until(lambda: (out / "c.log").exists(), 30)
    process.send_signal(signal.SIGKILL)
    process.wait()
    until(lambda: cluster.jobs == [], 15)
    until(lambda: engines.marked(out) == [], 5)
    ((_, held),) = claim.below(tmp_path / "out")
    assert (held.driver, held.name.isdigit()) == ("slurm", True)
    assert scheduler.reclaim(held.name, env=cluster.env, limit_s=20) == ""


def test_a_controller_that_is_away_for_a_while_spoils_nothing(make: engines.Make, cluster: Cluster) -> None:
    driver = make(engines.engine())
    with engines.ready(driver):
        controller = cluster.daemons.pop("slurmctld")
        controller.terminate()
        controller.wait()
        engines.client(driver, "sleep 3", cluster.env)
        cluster.start_controller()
    engines.check_gone(driver.launch.out)


def test_jobs_of_this_workspace_are_found_and_reclaimed(cluster: Cluster, tmp_path: Path) -> None:
    submitted = [
        cluster.tell(
            "sbatch", "--parsable", "--mem=100", "--output=/dev/null", f"--comment={place}", "--wrap=sleep 60"
        )
        for place in (tmp_path / "out" / "bmk_x", "/elsewhere")
    ]
    assert scheduler.stale(tmp_path, env=cluster.env, limit_s=20) == [submitted[0]]
    for number in submitted:
        assert scheduler.reclaim(number, env=cluster.env, limit_s=20) == ""
    until(lambda: cluster.jobs == [], 20)


def test_a_silent_controller_is_told_apart_from_a_dead_engine(tmp_path: Path) -> None:
    watch = scheduler.Watch("1", {**os.environ, "PATH": "/usr/bin:/bin", "SLURM_CONF": "/no/such/file"}, 0.5)
    assert watch.look().state == "PENDING"
    time.sleep(0.6)
    with pytest.raises(Stopped, match=r"no answer for 0\.5 s"):
        watch.look()
    watch.close()
