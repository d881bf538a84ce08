"""What needs no process: options, socket tables, Slurm's words, the script of a job."""

import subprocess
from pathlib import Path

import pytest

from infx.cluster import Limits
from infx.cluster import Slurm as Options
from infx.launch import batch, sockets
from infx.launch.base import Launch
from infx.launch.brake import Brake
from infx.launch.scheduler import GONE, Job, missed, parse
from infx.launch.template import fill
from infx.reason import Stopped

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
