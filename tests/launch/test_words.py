"""What needs no process: options, socket tables, Slurm's words, the script of a job."""

import shlex
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from infx.cluster import Limits
from infx.cluster import Slurm as Options
from infx.launch import batch, sockets
from infx.launch.base import Launch
from infx.launch.brake import Brake
from infx.launch.member import Member
from infx.launch.scheduler import GONE, Job, missed, parse
from infx.launch.slurm import Slurm
from infx.launch.template import fill
from infx.read.clusters import clusters
from infx.reason import Stopped

ROOT = Path(__file__).parents[2]
LAUNCH = Launch(
    root=Path("/w"),
    script="a b.sh",
    machine={},
    env={},
    out=Path("/w/out/it's"),
    port=0,
    limits=Limits(),
    image="x/y:1",
    gpus=12,
    slurm=Options(),
)


def test_fields_of_options() -> None:
    words = [
        "--gres=gpu:{gpus_on_node}",
        "--nodes={nodes}",
        "--image={image}",
        "{root}:{out}",
        "--env={}",
        "{gpus}",
    ]
    assert fill(words, LAUNCH) == [
        "--gres=gpu:6",
        "--nodes=2",
        "--image=x/y:1",
        "/w:/w/out/it's",
        "--env={}",
        "12",
    ]
    with pytest.raises(Stopped, match=r"\{home\} is none of image"):
        fill(["{home}"], LAUNCH)


def h200(*, model: str, gpus: int, members: tuple[Member, ...] = ()) -> Launch:
    """What this repository's own record of a cluster makes of a point."""
    record = clusters((ROOT / "configs" / "clusters.yaml").read_text())["cluster:h200-dgxc"]
    return replace(
        LAUNCH,
        root=Path("/shared/w"),
        script="engine.sh",
        out=Path("/shared/w/infx-out/bmk_x"),
        limits=record.limits,
        image="nvcr.io#nvidia/tensorrt-llm/release:1.3.0rc14",
        gpus=gpus,
        members=members,
        model_path=record.staged(model),
        slurm=record.slurm,
    )


CONTAINER = (
    "--container-image=nvcr.io#nvidia/tensorrt-llm/release:1.3.0rc14",
    "--container-mounts=/shared/w:/shared/w,/data/models/deepseek-v4-pro:/data/models/deepseek-v4-pro:ro",
    "--container-workdir=/shared/w",
    "--no-container-mount-home",
)


def test_the_h200_record_is_submitted_with_these_words() -> None:
    """Neither GPUs nor pyxis are needed to read them; a real cluster takes the same through test_slurm."""
    launch = h200(model="deepseek-ai/DeepSeek-V4-Pro", gpus=8)
    driver = Slurm(launch, Brake(), lambda _: None)
    assert driver.words() == [
        f"--job-name={driver.name}",
        "--comment=/shared/w/infx-out/bmk_x",
        "--no-requeue",
        "--nodes=1",
        "--output=/shared/w/infx-out/bmk_x/engine.log",
        "--open-mode=append",
        "--time=181",
        "--partition=h200",
        "--account=bench",
        "--exclusive",
        "--gres=gpu:8",
        "--mem=0",
    ]
    text = batch.script(launch, folder=Path("/f"), options=fill(launch.slurm.srun, launch))
    line = next(line for line in text.splitlines() if " srun --kill-on-bad-exit" in line)
    words = shlex.split(line.removesuffix(" \\"))
    assert words[2:] == ["srun", "--kill-on-bad-exit=1", "$each", *CONTAINER]


def test_members_of_the_h200_record_are_placed_by_these_words() -> None:
    roles = (("frontend", 0), ("prefill", 8), ("decode", 16))
    crew = tuple(
        Member(role=role, index=0, script=f"{role}.sh", gpus=gpus, front=gpus == 0) for role, gpus in roles
    )
    launch = h200(model="deepseek-ai/DeepSeek-V4-Pro", gpus=24, members=crew)
    words = Slurm(launch, Brake(), lambda _: None).words()
    assert {"--nodes=3", "--gres=gpu:8", "--exclusive"} <= set(words)
    text = batch.script(launch, folder=Path("/f"), options=fill(launch.slurm.srun, launch))
    assert [line for line in text.splitlines() if line.startswith(("place ", "begin "))] == [
        "place frontend-0 0 yes",
        "place prefill-0 0 no",
        "place decode-0 1 no",
        "begin frontend 0 frontend.sh 0 1 0 0",
        "begin prefill 0 prefill.sh 0 1 0 8",
        "begin decode 0 decode.sh 1 2 0 8",
    ]
    assert shlex.join(CONTAINER) in text
    assert subprocess.run(["bash", "-n"], input=text, text=True, check=False).returncode == 0


def test_a_model_that_is_not_staged_has_no_mount() -> None:
    assert fill(["{mounts}"], h200(model="other/model", gpus=8)) == ["/shared/w:/shared/w"]


TABLE = """  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0
   1: 0100007F:1F90 0100007F:9999 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0
   2: 00000000:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0
"""


@pytest.mark.parametrize(("port", "found"), [(8080, {"4711"}), (8081, {"4713"}), (80, set())])
def test_only_those_who_listen_count(port: int, found: set[str]) -> None:
    assert sockets.listeners(TABLE, port) == found


@pytest.mark.parametrize(
    ("text", "job", "over"),
    [
        (
            "JobId=1 JobState=PENDING Reason=Resources NodeList=(null) ExitCode=0:0",
            Job(state="PENDING", why="Resources"),
            False,
        ),
        (
            "JobState=RUNNING Reason=None ExitCode=0:0 NodeList=gpu[0-1]",
            Job(state="RUNNING", why="None", nodes="gpu[0-1]"),
            False,
        ),
        ("JobState=FAILED Reason=x ExitCode=7:0", Job(state="FAILED", why="x", code=7), True),
        ("JobState=FAILED Reason=x ExitCode=0:9", Job(state="FAILED", why="x", code=137), True),
        ("", Job(state=GONE), True),
    ],
)
def test_slurms_words(text: str, job: Job, over: bool) -> None:
    assert (parse(text), parse(text).over) == (job, over)


@pytest.mark.parametrize(
    ("state", "gone"),
    [
        ("IDLE", False),
        ("MIXED+DRAIN", False),
        ("DOWN*", True),
        ("MIXED+NOT_RESPONDING", True),
        ("IDLE*", True),
    ],
)
def test_nodes_that_do_not_respond(state: str, gone: bool) -> None:
    assert missed(f"NodeName=gpu0 Arch=x86_64 State={state} ThreadsPerCore=1") is gone


def test_the_script_of_a_job_is_bash_whatever_the_names_hold() -> None:
    text = batch.script(LAUNCH, folder=LAUNCH.out / "slurm", options=["--comment=$(touch /x) `id`"])
    subprocess.run(["bash", "-n"], input=text, text=True, check=True)
    assert "'--comment=$(touch /x) `id`'" in text
    assert "script='a b.sh'" in text


def test_a_resting_brake_keeps_what_is_left_of_its_deadline() -> None:
    now = [0.0]
    brake = Brake(deadline_s=10, clock=lambda: now[0])
    now[0] = 4
    with brake.resting():
        now[0] = 1000
        brake.check()
    now[0] = 1005
    brake.check()
    now[0] = 1006
    with pytest.raises(Stopped, match="deadline"):
        brake.check()
