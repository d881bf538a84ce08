import io
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from infx.cli import main
from infx.cluster import Cluster
from infx.edge.world import World
from infx.launch import claim, clock, gpus, leftovers, owner, preflight
from infx.launch.claim import Claim
from infx.launch.preflight import Kind, Trouble
from infx.reason import Reason, Stopped
from tests.launch.dockerd import Dockerd
from tests.launch.image import NAME

clock_of_this_machine = clock.read
LOCAL = Cluster(driver="local", min_free_gib=0.001)
ENV = {"PATH": os.environ["PATH"]}


def check(root: Path, cluster: Cluster = LOCAL, **env: str) -> dict[Kind, Trouble]:
    found = preflight.check(root, cluster, env={**ENV, **env}, out=root / "out")
    return {one.kind: one for one in found if one.kind != Kind.SCRATCH}


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Temporary files and the clock of the machine are another test's business."""
    monkeypatch.setattr(clock, "read", lambda: None)
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr("infx.launch.scratch.gettempdir", lambda: str(folder))
    return folder


@pytest.fixture
def left(tmp_path: Path) -> Iterator[Path]:
    """A process of an earlier cell, adopted by nobody in this test."""
    out = tmp_path / "out" / "bmk_x"
    out.mkdir(parents=True)
    script = f"{leftovers.MARK}={out} setsid sleep 60 > /dev/null 2>&1 &"
    subprocess.run(["bash", "-c", script], check=True)
    while not leftovers.marked(out):
        time.sleep(0.02)
    yield out
    leftovers.end(out, grace_s=0)


def test_a_clean_runner_has_no_findings(tmp_path: Path) -> None:
    assert check(tmp_path) == {}
    preflight.fit([])


def test_processes_of_an_earlier_cell_are_ended(tmp_path: Path, left: Path) -> None:
    found = check(tmp_path)
    assert {kind: (one.what, one.reason) for kind, one in found.items()} == {
        Kind.PROCESSES: ("ended 1 of an earlier cell", None)
    }
    assert leftovers.marked(left) == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make files of another user")
def test_C35_before_a_checkout_only_the_workspace_is_touched(
    tmp_path: Path, scratch: Path, left: Path
) -> None:
    """As the hook of a runner does it: no checkout is there, and nobody who could type a password."""
    workspace, outside = left.parent.parent, tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (left / "log").write_text("of root")
    (left / "link").symlink_to(outside)
    for path in (outside, left / "log", left / "link"):
        os.chown(path, 1234, 1234, follow_symlinks=False)
    world = World(env={**ENV}, cwd=workspace, out=io.StringIO(), err=io.StringIO())
    assert main(["job", "preflight", "--min-free-gib", "0.001"], world) == 0
    assert world.out.getvalue() == (  # type: ignore[attr-defined]
        "processes: ended 1 of an earlier cell (mended)\nowners: took over 2 files of other users (mended)\n"
    )
    assert leftovers.marked(left) == []
    assert ((left / "log").stat().st_uid, outside.stat().st_uid) == (0, 1234)


def test_a_claim_that_cannot_be_released_keeps_cells_away(tmp_path: Path) -> None:
    out = tmp_path / "out" / "bmk_x"
    claim.write(out, Claim(driver="docker", name="infx-x", image=NAME))
    found = check(tmp_path, PATH="/no/such/folder")
    assert found[Kind.CONTAINERS].reason == Reason.RUNNER_UNCLEAN
    assert "cannot end infx-x: cannot run docker" in found[Kind.CONTAINERS].what
    assert (out / claim.FILE).exists()
    with pytest.raises(Stopped, match="infx-x") as stop:
        preflight.fit(list(found.values()))
    assert stop.value.reason == Reason.RUNNER_POISONED


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"driver": "docker"}', '{"driver": "a", "name": "b", "c": 1}']
)
def test_an_unreadable_claim_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "bmk_x").mkdir()
    (tmp_path / "bmk_x" / claim.FILE).write_text(text)
    assert list(claim.below(tmp_path)) == []


def test_scratch_of_dead_guards_is_removed(scratch: Path, tmp_path: Path) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    for name in (f"infx-{dead.pid}-a", f"infx-{os.getpid()}-b", "infx-docker-c", "infx-d"):
        (scratch / name).mkdir()
    what = [one.what for one in preflight.check(tmp_path, LOCAL, env=ENV) if one.kind == Kind.SCRATCH]
    assert what == [f"removed {scratch}/infx-{dead.pid}-a"]
    assert len(list(scratch.iterdir())) == 3


def test_a_disk_without_room(tmp_path: Path) -> None:
    found = check(tmp_path, Cluster(driver="local", min_free_gib=1e9))
    assert found[Kind.DISK].reason == Reason.DISK_FULL
    assert "1e+09 GiB are needed" in found[Kind.DISK].what


@pytest.mark.parametrize(
    ("seen", "kinds"),
    [
        ([[], []], []),
        ([[]], [Reason.GPU_MISSING]),
        ([], [Reason.GPU_MISSING]),
        ([[], [7, 8]], [Reason.RUNNER_UNCLEAN]),
        ([[7]], [Reason.GPU_MISSING, Reason.RUNNER_UNCLEAN]),
    ],
)
def test_gpus_are_counted_and_must_be_idle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seen: list[list[int]], kinds: list[Reason]
) -> None:
    monkeypatch.setattr(gpus, "programs", lambda: seen)
    found = preflight.check(tmp_path, Cluster(driver="local", gpus=2, min_free_gib=0), env=ENV)
    assert [one.reason for one in found] == kinds


KEPT, LOOSE = clock.Clock(synchronised=True, offset_s=0.4), clock.Clock(synchronised=False, offset_s=9.0)


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        (None, []),
        (KEPT, []),
        (LOOSE, [(None, "nothing keeps the clock synchronised, as far as the kernel knows")]),
        (replace(KEPT, offset_s=0.6), [(Reason.CLOCK_OFF, "the clock is 0.6 s off, 0.5 s may be")]),
        (replace(KEPT, offset_s=-60.0), [(Reason.CLOCK_OFF, "the clock is 60.0 s off, 0.5 s may be")]),
    ],
)
def test_a_clock_that_is_off_stops_cells_and_a_loose_one_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seen: clock.Clock | None, told: list[tuple[str, str]]
) -> None:
    monkeypatch.setattr(clock, "read", lambda: seen)
    found = preflight.check(tmp_path, LOCAL, env=ENV)
    assert [(one.reason, one.what) for one in found] == told


def test_what_poisons_a_runner_is_named_with_its_reason() -> None:
    for reason in preflight.POISON:
        with pytest.raises(Stopped, match=f"{reason}: so it is") as stop:
            preflight.fit([Trouble(kind=Kind.DISK, what="so it is", reason=reason)])
        assert stop.value.reason == Reason.RUNNER_POISONED
    with pytest.raises(Stopped) as stop:
        preflight.fit([Trouble(kind=Kind.LAUNCHER, what="down", reason=Reason.LAUNCHER_FAILED)])
    assert stop.value.reason == Reason.LAUNCHER_FAILED


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_the_kernel_tells_of_its_clock() -> None:
    found = clock_of_this_machine()
    assert found is None or abs(found.offset_s) < 3600


def test_a_machine_without_a_driver_shows_no_gpu() -> None:
    assert isinstance(gpus.programs(), list)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make files of another user")
def test_files_of_another_user_are_taken_over(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "file").write_text("x")
    (tmp_path / "link").symlink_to("/etc/passwd")
    for name in ("cache", "cache/file", "link"):
        os.chown(tmp_path / name, 1234, 1234, follow_symlinks=False)
    assert check(tmp_path)[Kind.OWNERS].what == "took over 3 files of other users"
    assert {path.lstat().st_uid for path in tmp_path.rglob("*")} == {0}
    assert Path("/etc/passwd").stat().st_uid == 0


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make files of another user")
def test_a_guest_changes_nobodys_files(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for path in (tmp_path, tmp_path / "file"):
        os.chown(path, 1234, 1234)
    assert check(tmp_path) == {}
    assert (tmp_path / "file").stat().st_uid == 1234


def test_what_cannot_be_taken_over_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner, "foreign", lambda folders, uid: [tmp_path / "a"])
    monkeypatch.setattr(owner, "take", lambda paths, uid, gid: list(paths))
    found = check(tmp_path)[Kind.OWNERS]
    assert found.what == f"1 files of other users in the workspace, such as {tmp_path}/a"
    assert found.reason is None


@pytest.mark.docker
def test_containers_whose_claim_is_lost_are_found_by_their_label(tmp_path: Path, docker: Dockerd) -> None:
    for name, out in (("mine", tmp_path / "out" / "bmk_x"), ("other", Path("/elsewhere"))):
        docker.tell(
            "run",
            "--detach",
            "--network=host",
            f"--name={name}",
            f"--label={leftovers.MARK}={out}",
            NAME,
            "sleep",
            "60",
        )
    found = check(tmp_path, Cluster(driver="docker", min_free_gib=0), **docker.env)
    assert found[Kind.CONTAINERS].what == "ended mine of an earlier cell"
    assert docker.containers == ["other"]
    docker.tell("rm", "--force", "other")


def test_a_runner_without_its_container_engine_is_not_fit(tmp_path: Path) -> None:
    found = check(tmp_path, Cluster(driver="docker", min_free_gib=0), PATH="/no/such/folder")
    assert found[Kind.LAUNCHER].reason == Reason.LAUNCHER_FAILED


def test_a_file_that_vanishes_while_owners_are_looked_at_is_nobodys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Members of a cell clean up at the same time."""
    (tmp_path / "kept").touch()
    monkeypatch.setattr(owner, "_walk", lambda folder: iter([folder / "gone", folder / "kept"]))
    assert owner.foreign([tmp_path], os.getuid()) == []
    assert owner.foreign([tmp_path], os.getuid() + 1) == [tmp_path / "kept"]
