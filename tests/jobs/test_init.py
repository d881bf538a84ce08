"""`infx init` in real repositories: empty, of the community's layout, half done, changed since, upgraded."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from infx.cli import main
from infx.edge import settings, shipped
from infx.edge.world import World
from infx.policy import adoption
from infx.read.models import models
from infx.starter import PIECES, Kept
from tests.repo import CHANGELOG, MASTER, RUNNERS, Repo

ROOT = Path(shipped.PACKAGE).parent
CONTROL = ".github/workflows/control.yml"


@pytest.fixture
def empty(tmp_path: Path) -> Repo:
    return Repo(tmp_path, files={"README.md": "bench\n"})


def init(repo: Repo, *more: str, code: int = 0) -> dict[str, Any]:
    got, out, err = repo.infx("init", "--json", *more)
    assert got == code, err
    details: dict[str, Any] = json.loads(out)["details"]
    return details


def acts(details: dict[str, Any]) -> dict[str, str]:
    return {file["path"]: file["act"] for file in details["files"]}


def test_an_empty_repository_can_plan_its_first_change(empty: Repo) -> None:
    init(empty, "--source", "acme/infx")
    empty.commit({})
    assert f"acme/infx@{shipped.commit()}" in empty.read(".github/actions/setup/action.yml")
    empty.git("branch", "-f", "main")
    master = empty.read("configs/demo-master.yaml")
    empty.write({"configs/demo-master.yaml": master.replace("isl: 512", "isl: 384")})
    assert empty.infx("changelog", "new", "--base", "main", "--description", "x")[0] == 0
    empty.commit({})
    code, out, err = empty.infx("plan", "--base", "main", "--label", "full-sweep-fail-fast")
    assert (code, "4 throughput points" in out) == (0, True), err


def test_the_page_for_adopters_names_every_file_that_is_written(empty: Repo) -> None:
    page = (ROOT / "docs" / "adopt.md").read_text()
    shown = page.partition("<!-- shown: init -->\n```\n")[2].partition("next:")[0]
    _, out, _ = empty.infx("init", "--source", "infx-dev/infx")
    assert out.partition("next:")[0] == shown


def test_a_repository_of_the_community_keeps_its_configs(tmp_path: Path) -> None:
    files = {
        "e2e/configs/nvidia-master.yaml": MASTER,
        "e2e/configs/amd-master.yaml": "{}\n",
        "e2e/configs/runners.yaml": RUNNERS,
        "e2e/perf-changelog.yaml": CHANGELOG,
        "e2e/golden_al_distribution/m1_mtp.yaml": "org/m1:\n  thinking_on: { 3: 3.39 }\n",
    }
    repo = Repo(tmp_path, files=files)
    details = init(repo)
    assert {path: repo.read(path) for path in files} == files
    assert details["root"] == "e2e"
    assert details["audit-from"] == "https://github.com/o/r/pull/1"
    assert "golden: golden_al_distribution" in repo.read("configs/policy.yaml")
    assert (tmp_path / "e2e/benchmarks/lib.sh").exists()
    listed = models(repo.read("e2e/configs/models.yaml"))
    assert {"demo", "m1", "m2"} == listed.models.keys()
    assert "org/m1" in listed.models["m1"].checkpoints


def test_a_second_time_changes_nothing(empty: Repo) -> None:
    init(empty)
    empty.commit({})
    assert set(acts(init(empty)).values()) == {"same", "own"}
    assert empty.git("status", "--porcelain") == ""


def test_after_a_crash_the_rest_is_written(empty: Repo) -> None:
    init(empty)
    (empty.root / CONTROL).unlink()
    found = acts(init(empty))
    assert [path for path, act in found.items() if act == "write"] == [CONTROL]


def test_a_foreign_workflow_of_the_same_name_is_left_alone(empty: Repo) -> None:
    empty.commit({CONTROL: "name: mine\n"})
    found = acts(init(empty, code=1))
    assert (found[CONTROL], empty.read(CONTROL)) == ("foreign", "name: mine\n")
    assert found[".github/workflows/sweep.yml"] == "write"


def test_a_dry_run_writes_nothing(empty: Repo) -> None:
    init(empty, "--dry-run")
    assert empty.git("status", "--porcelain") == ""


@pytest.fixture
def older(empty: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Initialised by a version whose control workflow was another."""
    true = shipped.data
    monkeypatch.setattr(
        shipped, "data", lambda piece: true(piece).replace(b"name: control", b"name: old-control")
    )
    init(empty)
    empty.commit({})
    monkeypatch.setattr(shipped, "data", true)
    return empty


def test_an_upgrade_is_asked_for(older: Repo) -> None:
    assert acts(init(older))[CONTROL] == "local"
    assert acts(init(older, "--upgrade"))[CONTROL] == "upgrade"
    assert "name: control\n" in older.read(CONTROL)


def test_an_upgrade_shows_the_difference_and_keeps_changes_made_here(older: Repo) -> None:
    older.commit({CONTROL: older.read(CONTROL).replace("timeout-minutes: 15", "timeout-minutes: 20")})
    code, _, err = older.infx("init", "--upgrade")
    assert code == 0
    assert "-name: old-control" in err
    text = older.read(CONTROL)
    assert "name: control\n" in text
    assert "timeout-minutes: 20" in text
    assert acts(init(older, "--upgrade"))[CONTROL] == "changed"


def test_the_upgrade_after_that_keeps_them_too(older: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    older.commit({CONTROL: older.read(CONTROL).replace("timeout-minutes: 15", "timeout-minutes: 20")})
    init(older, "--upgrade")
    older.commit({})
    true = shipped.data
    monkeypatch.setattr(shipped, "data", lambda piece: true(piece).replace(b"name: control", b"name: newer"))
    assert acts(init(older, "--upgrade"))[CONTROL] == "merge"
    assert "name: newer\n" in older.read(CONTROL)
    assert "timeout-minutes: 20" in older.read(CONTROL)


def test_changes_on_the_same_line_need_a_person(older: Repo) -> None:
    mine = older.read(CONTROL).replace("name: old-control", "name: my-control")
    older.commit({CONTROL: mine})
    assert acts(init(older, "--upgrade", code=1))[CONTROL] == "foreign"
    assert older.read(CONTROL) == mine


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--source", "x"), "owner/name"),
        (("--root", "../x"), "no folder"),
        (("--branch", "a b]"), "no branch"),
    ],
)
def test_bad_input(empty: Repo, words: tuple[str, ...], said: str) -> None:
    code, _, err = empty.infx("init", *words)
    assert (code, said in err) == (2, True), err


def test_outside_a_repository_it_says_so(tmp_path: Path) -> None:
    err = io.StringIO()
    world = World(env={}, cwd=tmp_path, out=io.StringIO(), err=err)
    assert main(["init"], world) == 2
    assert "not a git repository" in err.getvalue()


def test_every_written_workflow_says_its_version(empty: Repo) -> None:
    init(empty)
    for path in (piece.path for piece in PIECES if piece.kept == Kept.MANAGED):
        assert adoption.HEADER.search((empty.root / path).read_bytes()), path


@pytest.mark.parametrize("place", [".github", "configs", "benchmarks", ".github/workflows/sweep.yml"])
def test_what_is_in_the_way_stops_it_before_anything_is_written(
    empty: Repo, tmp_path_factory: pytest.TempPathFactory, place: str
) -> None:
    """A file for a folder, a folder for a file, a link that leads out of the repository."""
    outside = tmp_path_factory.mktemp("outside")
    path = empty.root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix:
        path.mkdir()
    elif place == "configs":
        path.write_text("mine\n")
    else:
        path.symlink_to(outside)
    before = sorted(empty.root.glob("[!.]*")), sorted((empty.root / ".github").rglob("*"))
    code, out, err = empty.infx("init")
    assert (code, out) == (2, "")
    assert f"`{place}` is in the way of " in err
    assert (sorted(empty.root.glob("[!.]*")), sorted((empty.root / ".github").rglob("*"))) == before
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("root", ["2024", "my: bench", "a # b", "null", 'it\'s "so"'])
def test_a_folder_may_have_any_name(empty: Repo, root: str) -> None:
    (empty.root / root).mkdir()
    init(empty, "--root", root)
    assert settings.load(empty.root).layout.root == root
