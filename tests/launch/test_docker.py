"""The docker driver on a real container engine that these tests start."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infx.cluster import Container, Limits
from infx.launch import claim, docker
from infx.launch.base import Launch
from infx.launch.brake import Brake
from infx.launch.docker import Docker, name_of
from infx.launch.local import take_port
from infx.reason import Reason, Stopped
from tests import packages
from tests.launch import dockerd, engines, image
from tests.launch.dockerd import Dockerd, until

pytestmark = pytest.mark.docker


@pytest.fixture
def make(tmp_path: Path, docker: Dockerd) -> engines.Make:
    def driver(script: str, /, **changes: Any) -> Docker:
        return Docker(launch(tmp_path, script, docker, **changes), Brake(), lambda _: None)

    return driver


def launch(folder: Path, script: str, engine: Dockerd, /, **changes: Any) -> Launch:
    out = folder / "out" / "bmk_x"
    out.mkdir(parents=True, exist_ok=True)
    (folder / "engine.sh").write_text(script)
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    limits = Limits(ready=20, client=8, grace=0.3)
    plain = Launch(
        root=folder,
        script="engine.sh",
        machine={**engine.env, "TMPDIR": str(scratch)},
        env={},
        out=out,
        port=0,
        limits=limits,
        image=image.NAME,
    )
    return replace(plain, **changes)


@pytest.mark.parametrize("name", engines.ENDS)
def test_how_a_cell_can_end(make: engines.Make, docker: Dockerd, name: str) -> None:
    end = engines.ENDS[name]
    limits = Limits(ready=4 if name == "never-ready" else 20, client=2 if name == "client-hangs" else 30)
    driver = make(end.engine, limits=limits)
    engines.check(engines.run(driver, end, env=docker.env), end)
    engines.check_gone(driver.launch.out)
    assert docker.containers == []
    assert list((driver.launch.root / "scratch").iterdir()) == []


def test_a_cell_that_succeeds_leaves_logs_and_nothing_else(make: engines.Make, docker: Dockerd) -> None:
    driver = make(engines.engine(before="echo from inside\n"))
    with engines.ready(driver):
        assert docker.containers == [name_of(driver.launch.out)]
        engines.client(driver, "echo measured", docker.env)
    engines.check_gone(driver.launch.out)
    assert docker.containers == []
    assert {path.name for path in driver.launch.out.iterdir()} == {"engine.log", "driver.log", "client.log"}
    assert driver.log.read_text().startswith("from inside\n")
    said = (driver.launch.out / "driver.log").read_text()
    for stage in ("prepare", "start", "wait ready", "serve", "stop", "collect", "clean up"):
        assert f"{stage}: done after" in said
    assert "sha256:" in docker.tell("image", "inspect", "--format={{.Id}}", image.NAME)


def test_the_engine_sees_its_contract_and_nothing_of_the_machine(make: engines.Make, docker: Dockerd) -> None:
    machine = {**docker.env, "HF_TOKEN": "hf_secret", "LD_PRELOAD": "", "PYTHONPATH": "/no/such"}
    driver = make(
        'printf \'%s\\n\' "$PORT" "$LISTEN" "$MODEL" "$HOME" "${HF_TOKEN:-}" "${PYTHONPATH:-none}";'
        " touch checkout && echo wrote; touch $INFX_CELL/result; exit 3",
        machine=machine,
        env={"MODEL": "two words, and 'quotes'"},
        container=Container(inherit=("HF_TOKEN",)),
    )
    with pytest.raises(Stopped, match="exit 3"), engines.ready(driver):
        pass
    # The engine sends what is written as an error apart from the rest, before or after it.
    lines = driver.log.read_text().splitlines()
    wrong = [line for line in lines if line.startswith("touch:")]
    assert [line for line in lines if line not in wrong] == [
        str(driver.port),
        "127.0.0.1",
        "two words, and 'quotes'",
        "/tmp",
        "hf_secret",
        "none",
    ]
    assert "Read-only file system" in wrong[0]
    assert (driver.launch.out / "result").exists()
    assert "hf_secret" not in (driver.launch.out / "driver.log").read_text()


def test_options_of_the_record_reach_the_container(make: engines.Make, tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "model.bin").write_text("weights")
    driver = make(
        "cat /models/model.bin; cat /proc/sys/kernel/hostname; id -u; exit 3",
        container=Container(
            options=["--hostname=gpus-{gpus}"],
            mounts=[f"{tmp_path}/weights:/models:ro"],
            user="image",
        ),
        gpus=4,
    )
    with pytest.raises(Stopped), engines.ready(driver):
        pass
    assert driver.log.read_text() == "weightsgpus-4\n0\n"


def test_gpu_options_are_passed_as_they_stand(tmp_path: Path, docker: Dockerd) -> None:
    """This machine has no GPU, so a stand-in for the client says what it was told."""
    client = tmp_path / "bin" / "docker"
    client.parent.mkdir()
    client.write_text('#!/bin/sh\necho "$*"\n[ "$1" = run ] && exit 3\nexit 0\n')
    client.chmod(0o755)
    box = Container(options=["--gpus={gpus}", "--ipc=host", "--shm-size=32g", "--ulimit=memlock=-1"])
    machine = {**docker.env, "PATH": f"{client.parent}:{docker.env['PATH']}"}
    driver = Docker(
        launch(tmp_path, "", docker, machine=machine, container=box, gpus=8), Brake(), lambda _: None
    )
    with pytest.raises(Stopped), engines.ready(driver):
        pass
    assert "--gpus=8 --ipc=host --shm-size=32g --ulimit=memlock=-1" in driver.log.read_text()


def test_an_unknown_field_of_an_option_is_named(make: engines.Make) -> None:
    driver = make("", container=Container(options=["--gpus={gpu}"]))
    with pytest.raises(Stopped, match=r"\{gpu\} is none of image, root") as stop, engines.ready(driver):
        pass
    assert stop.value.reason == Reason.NO_CLUSTER


@pytest.mark.parametrize(
    ("changes", "reason", "detail"),
    [
        ({"script": "other.sh"}, Reason.SCRIPT_MISSING, "other.sh"),
        ({"model_path": "/no/such/model"}, Reason.MODEL_MISSING, "/no/such/model"),
        ({"image": "--privileged"}, Reason.IMAGE_MISSING, "no image reference"),
        (
            {"machine": {"PATH": os.environ["PATH"], "DOCKER_HOST": "unix:///no/such/socket"}},
            Reason.LAUNCHER_FAILED,
            "daemon",
        ),
        ({"machine": {"PATH": "/no/such/folder"}}, Reason.LAUNCHER_FAILED, "cannot run docker"),
    ],
)
def test_what_is_missing_is_said_before_the_start(
    make: engines.Make, changes: dict[str, Any], reason: Reason, detail: str
) -> None:
    driver = make("", **changes)
    with pytest.raises(Stopped) as stop, engines.ready(driver):
        pass
    assert (stop.value.reason, detail in stop.value.detail) == (reason, True), stop.value


def test_a_taken_port_is_named(make: engines.Make) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        driver = make("", port=other.getsockname()[1])
        with pytest.raises(Stopped) as stop, engines.ready(driver):
            pass
    assert stop.value.reason == Reason.PORT_TAKEN


def test_an_image_comes_from_a_registry_and_a_missing_tag_is_told_apart(
    make: engines.Make, docker: Dockerd, tmp_path: Path
) -> None:
    with dockerd.registry(tmp_path, take_port(0)) as address:
        name = f"{address}/sim:1"
        docker.tell("tag", image.NAME, name)
        until(lambda: docker.ask("push", name).returncode == 0, 60)
        docker.tell("rmi", name)
        fetched = make("exit 3", image=name)
        with pytest.raises(Stopped, match="exit 3"), engines.ready(fetched):
            pass
        docker.tell("rmi", name)
        with pytest.raises(Stopped) as stop, engines.ready(make("", image=f"{address}/sim:2")):
            pass
        assert stop.value.reason == Reason.IMAGE_MISSING, stop.value
    with pytest.raises(Stopped) as stop, engines.ready(make("", image=name)):
        pass
    assert stop.value.reason == Reason.LAUNCHER_FAILED, stop.value


RUNNER = """
import json, os, sys
from pathlib import Path
from infx.cluster import Container, Limits
from infx.launch.base import Launch
from infx.launch.brake import Brake, signals
from infx.launch.docker import Docker
from infx.launch.stages import serving
from infx.bench.ready import probe
from infx.reason import Stopped
root, image, box = Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
launch = Launch(root=root, script="engine.sh", machine=dict(os.environ), env={}, out=root / "out" / "bmk_x",
    port=0, limits=Limits(ready=20, client=20, grace=0.3), image=image, container=Container(**box))
brake = Brake()
driver = Docker(launch, brake, print)
try:
    with signals(brake), serving(driver, lambda url: probe(url, "m")):
        driver.run_client(["sleep", "60"], env=dict(os.environ), log=launch.out / "c.log", progress=str)
except Stopped as stop:
    print(stop)
"""
"""A cell in a process of its own: its words are the checkout, the image, the container's record."""


def test_files_of_root_are_handed_to_the_runner(docker: Dockerd, tmp_path: Path) -> None:
    """The runner is user 1000, in a container itself since this machine's Python is for root alone."""
    script = (
        "mkdir -p cache/deep; echo x > cache/deep/file; echo x > $INFX_CELL/trace; chown 0:0 cache; exit 7"
    )
    launch(tmp_path, script, docker)
    for path in (tmp_path, *tmp_path.rglob("*")):
        os.chown(path, 1000, 1000)
    (docker.folder / "socket").chmod(0o666)
    program, code = Path(packages.program("docker")).resolve(), Path(__file__).parents[2]
    box = {"user": "image", "writable": True}
    done = docker.ask(
        *("run", "--rm", "--network=host", "--user=1000:1000", "--env=DOCKER_HOST", "--env=HOME=/tmp"),
        *(f"--env=PYTHONPATH={code}", f"--env=INFX_CELL={tmp_path}/out/bmk_x"),
        *(f"--volume={program}:/usr/bin/docker:ro", f"--volume={docker.folder}:{docker.folder}"),
        *(f"--volume={code}:{code}:ro", f"--volume={tmp_path}:{tmp_path}", f"--workdir={tmp_path}"),
        *(image.NAME, "python3", "-c", RUNNER, str(tmp_path), image.NAME, json.dumps(box)),
    )
    assert "exit 7 before it was ready" in done.stdout, done.stdout + done.stderr
    assert "4 files of other users were handed over, 0 are left" in done.stdout
    owners = {path.lstat().st_uid for path in tmp_path.rglob("*")}
    assert (tmp_path / "cache" / "deep" / "file").exists()
    assert owners == {1000}


def test_killing_infx_ends_the_container(docker: Dockerd, tmp_path: Path) -> None:
    launch(tmp_path, engines.engine(), docker)
    env = {
        **docker.env,
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "INFX_CELL": str(tmp_path / "out/bmk_x"),
    }
    argv = [sys.executable, "-c", RUNNER, str(tmp_path), image.NAME, "{}"]
    process = subprocess.Popen(argv, cwd=tmp_path, env=env, stdout=subprocess.DEVNULL)
    until(lambda: (tmp_path / "out" / "bmk_x" / "c.log").exists(), 30)
    process.send_signal(signal.SIGKILL)
    process.wait()
    begin = time.monotonic()
    until(lambda: docker.containers == [], 10)
    assert time.monotonic() - begin < 6
    assert (tmp_path / "out" / "bmk_x" / claim.FILE).exists()


def test_a_lost_container_engine_is_the_runners_fault_and_teardown_reclaims(tmp_path: Path) -> None:
    with dockerd.running() as own:
        packed = image.pack(tmp_path / "image.tar")
        own.tell("import", "--change=ENV PATH=/usr/bin", str(packed), image.NAME)
        driver = Docker(launch(tmp_path, engines.engine(), own), Brake(), lambda _: None)
        stop = engines.stopped(driver, own.crash, "sleep 60", env=own.env)
        assert stop.reason == Reason.LAUNCHER_FAILED, stop
        assert [held.name for _, held in claim.below(tmp_path / "out")] == [driver.name]
        own.start()
        assert docker.stale(tmp_path, env=own.env, limit_s=20) in ([driver.name], [])
        assert docker.reclaim(driver.name, env=own.env, limit_s=20) == ""
        assert own.containers == []
