"""Points of several engines: prefill, decode and a frontend, on each driver, from nothing to nothing."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.bench.ready import probe
from infx.cluster import Cluster as Record
from infx.cluster import Limits
from infx.cluster import Slurm as Options
from infx.launch import claim
from infx.launch.base import Driver, Launch
from infx.launch.brake import Brake
from infx.launch.leftovers import MARK
from infx.launch.member import Member, nodes, places
from infx.launch.registry import made
from infx.launch.stages import serving
from tests.launch import crews, engines, image
from tests.launch.cluster import NODES, Cluster
from tests.launch.dockerd import Dockerd, until

GPUS = ["--gres=gpu:h200:{gpus_on_node}", "--cpus-per-task=4", "--mem=800"]


def member(gpus: int, *, front: bool = False) -> Member:
    return Member(role="frontend" if front else "prefill", index=0, script="x", gpus=gpus, front=front)


@pytest.mark.parametrize(
    ("gpus", "spots", "count"),
    [
        ((0, 8, 8), ((0, 1, 0, 0), (0, 1, 0, 8), (1, 1, 0, 8)), 2),
        ((0, 4, 4, 4), ((0, 1, 0, 0), (0, 1, 0, 4), (0, 1, 4, 4), (1, 1, 0, 4)), 2),
        ((4, 16), ((0, 1, 0, 4), (1, 2, 0, 8)), 3),
        ((16, 4), ((0, 2, 0, 8), (2, 1, 0, 4)), 3),
        ((6, 4, 2), ((0, 1, 0, 6), (1, 1, 0, 4), (1, 1, 4, 2)), 2),
        ((12,), ((0, 2, 0, 6),), 2),
    ],
)
def test_the_place_of_each_member(
    gpus: tuple[int, ...], spots: tuple[tuple[int, ...], ...], count: int
) -> None:
    crew = [member(one, front=one == 0) for one in gpus]
    found = places(crew, 8)
    assert tuple((one.node, one.nodes, one.first, one.gpus) for one in found) == spots
    assert nodes(crew, 8) == count


@given(st.lists(st.integers(0, 40), min_size=1, max_size=12), st.integers(1, 16))
def test_no_gpu_is_given_twice_and_none_beyond_a_node(gpus: list[int], size: int) -> None:
    held: set[tuple[int, int]] = set()
    for one, place in zip(gpus, places([member(count) for count in gpus], size), strict=True):
        own = {
            (node, gpu)
            for node in range(place.node, place.node + place.nodes)
            for gpu in range(place.first, place.first + place.gpus)
        }
        assert len(own) >= one
        assert all(gpu < size for _, gpu in own)
        assert not own & held
        held |= own


Make = Callable[..., Driver]


def launch(folder: Path, kind: Any, end: crews.End | None, /, **changes: Any) -> Driver:
    """A driver of the crew of `end`; without one all goes well."""
    out = folder / "out" / "bmk_x"
    out.mkdir(parents=True, exist_ok=True)
    gpus = changes.pop("gpus", 1)
    machine = {**changes.pop("env"), MARK: str(out)}
    crew = changes.pop("members", None) or crews.members(out, end.other if end else {}, gpus=gpus)
    ready = 6 if end and "not ready" in end.detail else 30
    return made(
        Record(driver=kind),
        Launch(
            root=folder,
            script="",
            members=crew,
            machine=machine,
            env={},
            out=out,
            port=0,
            gpus=3 * gpus,
            limits=Limits(ready=ready, client=30, grace=0.3, queue=30),
            **changes,
        ),
        Brake(),
        lambda _: None,
    )


def check_end(driver: Driver, end: crews.End, env: Any) -> None:
    stop = engines.stopped(
        driver, lambda: driver.brake.pull("SIGTERM") if end.pull else None, end.client, env=env
    )
    assert stop.reason == end.reason, stop
    assert end.detail in stop.detail
    check_gone(driver)


def check_gone(driver: Driver) -> None:
    out = driver.launch.out
    engines.check_gone(out)
    assert list(out.glob(claim.PATTERN)) == []
    assert {path.stem for path in out.glob("*-[0-9].log")} == set(crews.NAMES)


def well(driver: Driver, env: Any) -> list[str]:
    """A cell that goes well; the first line of each member's log."""
    with engines.ready(driver):
        engines.client(driver, "echo measured", env)
        assert probe(driver.url, "m")
    check_gone(driver)
    logs = [driver.launch.out / f"{name}.log" for name in crews.NAMES]
    return [next(line for line in log.read_text().splitlines() if " gpus " in line) for log in logs]


ENV = {"PATH": os.environ["PATH"]}


@pytest.mark.process
@pytest.mark.parametrize("name", crews.ENDS)
def test_how_a_local_cell_can_end(tmp_path: Path, name: str) -> None:
    end = crews.ENDS[name]
    check_end(launch(tmp_path, "local", end, env=ENV), end, ENV)


@pytest.mark.process
def test_members_on_one_machine_share_its_gpus(tmp_path: Path) -> None:
    assert well(launch(tmp_path, "local", None, env=ENV, gpus=2), ENV) == [
        "frontend 0 gpus none on here of 1",
        "prefill 0 gpus 0,1 on here of 1",
        "prefill 1 gpus 2,3 on here of 1",
        "decode 0 gpus 4,5 on here of 1",
    ]


@pytest.fixture
def boxes(docker: Dockerd) -> Iterator[Dockerd]:
    yield docker
    assert docker.containers == []


@pytest.mark.docker
@pytest.mark.parametrize("name", crews.ENDS)
def test_how_a_cell_of_containers_can_end(tmp_path: Path, boxes: Dockerd, name: str) -> None:
    end = crews.ENDS[name]
    check_end(launch(tmp_path, "docker", end, env=boxes.env, image=image.NAME), end, boxes.env)


@pytest.mark.docker
def test_each_member_has_a_container_and_a_claim(tmp_path: Path, boxes: Dockerd) -> None:
    driver = launch(tmp_path, "docker", None, env=boxes.env, image=image.NAME)
    with engines.ready(driver):
        held = [one for _, one in claim.below(tmp_path / "out")]
        assert sorted(one.name for one in held) == sorted(boxes.containers)
        assert {one.member for one in held} == set(crews.NAMES)
    check_gone(driver)


@pytest.fixture
def cluster(slurm: Cluster) -> Iterator[Cluster]:
    until(lambda: slurm.states == ["idle"] * len(NODES), 30)
    yield slurm
    assert slurm.jobs == []


@pytest.mark.slurm
@pytest.mark.parametrize("name", crews.ENDS)
def test_how_a_cell_on_nodes_can_end(tmp_path: Path, cluster: Cluster, name: str) -> None:
    end = crews.ENDS[name]
    driver = launch(tmp_path, "slurm", end, env=cluster.env, gpus=4, slurm=Options(options=GPUS))
    check_end(driver, end, cluster.env)


@pytest.mark.slurm
def test_members_lie_on_the_nodes_of_one_job(tmp_path: Path, cluster: Cluster) -> None:
    driver = launch(tmp_path, "slurm", None, env=cluster.env, gpus=4, slurm=Options(options=GPUS))
    assert (driver.launch.nodes, driver.launch.gpus_on_node) == (2, 8)
    assert well(driver, cluster.env) == [
        "frontend 0 gpus 0,1,2,3,4,5,6,7 on gpu0 of 1",
        "prefill 0 gpus 0,1,2,3 on gpu0 of 1",
        "prefill 1 gpus 4,5,6,7 on gpu0 of 1",
        "decode 0 gpus 0,1,2,3 on gpu1 of 1",
    ]


FRONT = """mkdir -p $INFX_CELL/web; touch $INFX_CELL/web/health
exec python3 -m http.server --bind 0.0.0.0 --directory "$INFX_CELL/web" "$PORT"
"""
WIDE = """echo rank $NODE_RANK of $NODES at $LEADER:$DIST_PORT gpus $CUDA_VISIBLE_DEVICES
[ $NODE_RANK = 0 ] || exec sleep 300
exec python3 -m http.server --bind 0.0.0.0 --directory "$INFX_CELL/web" "$PORT"
"""
"""Only the first process of an engine over several nodes serves."""


@pytest.mark.slurm
def test_an_engine_over_two_nodes_knows_its_leader_and_rank(tmp_path: Path, cluster: Cluster) -> None:
    (tmp_path / "front.sh").write_text(FRONT)
    (tmp_path / "wide.sh").write_text(WIDE)
    crew = (
        Member(role="frontend", index=0, script="front.sh", gpus=0, front=True),
        Member(role="decode", index=0, script="wide.sh", gpus=8, front=False),
    )
    options = Options(options=GPUS, gpus_per_node=4)
    driver = launch(tmp_path, "slurm", None, env=cluster.env, slurm=options, members=crew)
    with serving(driver, lambda url: True):
        lines = (driver.launch.out / "decode-0.log").read_text().splitlines()
        said = sorted(line for line in lines if line.startswith("rank "))
    place = said[0].split(" at ")[1].split()[0]
    assert place.startswith("127.0.0.1:")
    assert said == [f"rank {rank} of 2 at {place} gpus 0,1,2,3" for rank in (0, 1)]
    engines.check_gone(driver.launch.out)


@pytest.mark.slurm
def test_a_lost_node_ends_all_members(tmp_path: Path, cluster: Cluster) -> None:
    driver = launch(tmp_path, "slurm", None, env=cluster.env, gpus=4, slurm=Options(options=GPUS))
    try:
        stop = engines.stopped(driver, lambda: cluster.lose_node("gpu1"), "sleep 60", env=cluster.env)
    finally:
        cluster.start_node("gpu1")
    assert (str(stop.reason), "gpu" in stop.detail) == ("node-lost", True), stop
    assert engines.marked(driver.launch.out) == []
