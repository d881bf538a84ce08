"""`infx job preflight`, as a runner's hook calls it before a checkout."""

import io
from pathlib import Path

import pytest

from infx.cli import main
from infx.edge.world import World
from infx.launch import clock, owner


def hook(folder: Path, *words: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = main(["job", "preflight", *words], World(env={}, cwd=folder, out=out, err=err))
    return code, out.getvalue(), err.getvalue()


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scratch folder of its own: others' cells may be running on this machine. Nobody asks its clock."""
    monkeypatch.setattr(clock, "read", lambda: None)
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr("infx.launch.scratch.gettempdir", lambda: str(tmp_path / "scratch"))


def test_a_machine_that_is_fit(tmp_path: Path) -> None:
    code, out, err = hook(tmp_path)
    assert (code, out) == (0, "")
    assert "fit for a job" in err


def test_a_full_disk_is_refused(tmp_path: Path) -> None:
    code, out, _ = hook(tmp_path, "--min-free-gib", "1e9")
    assert code == 1
    assert out.startswith("disk: ")


def test_C35_files_that_a_checkout_could_not_remove_stop_the_job_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = tmp_path / "benchmark_logs" / "slurm_job-39315"
    monkeypatch.setattr(owner, "foreign", lambda folders, uid: [left])
    monkeypatch.setattr(owner, "take", lambda found, uid, gid: found)
    code, out, _ = hook(tmp_path)
    assert (code, str(left) in out) == (1, True)


def test_C35_files_that_were_taken_over_stop_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner, "foreign", lambda folders, uid: [tmp_path / "x"])
    monkeypatch.setattr(owner, "take", lambda found, uid, gid: [])
    code, out, _ = hook(tmp_path)
    assert (code, out) == (0, "owners: took over 1 files of other users (mended)\n")


def test_the_record_of_a_pool_says_what_is_needed(tmp_path: Path) -> None:
    record = "clusters: {'cluster:x': {driver: local, min_free_gib: 1.0e+9}, 'cluster:y': {driver: local}}\n"
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "clusters.yaml").write_text(record)
    code, out, err = hook(tmp_path, "--pool", "cluster:x")
    assert (code, out.startswith("disk: "), "runner-poisoned: " in err) == (1, True, True)
    assert hook(tmp_path, "--pool", "cluster:y")[0] == 0
    code, _, err = hook(tmp_path, "--pool", "cluster:z")
    assert (code, "no record of cluster:z; give one of cluster:x, cluster:y" in err) == (2, True)
