"""Pushes by plain git, by API, and what they tell."""

import os
import subprocess
from pathlib import Path

import pytest

from infx.forge.repos import ZERO
from tests.forge.client import REPO, World

pytestmark = pytest.mark.forge


@pytest.fixture
def clone(world: World, tmp_path: Path) -> Path:
    folder = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", str(world.at("will").at.bare.root), str(folder))
    return folder


def git(folder: Path, *words: str, **env: str) -> None:
    who = ["-c", "user.name=Will", "-c", "user.email=will@users.noreply.example"]
    subprocess.run(
        ["git", "-C", str(folder), *who, *words], check=True, env={**os.environ, **env}, capture_output=True
    )


def commit(folder: Path, path: str, text: str) -> None:
    (folder / path).write_text(text)
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", f"write {path}")


def test_a_plain_push_is_noticed_at_once(world, will, pull, clone):
    git(clone, "checkout", "--quiet", "feature")
    commit(clone, "p.txt", "p\n")
    git(clone, "push", "--quiet", "origin", "feature")
    world.forge.settle()
    assert world.recorder.kinds == ["push", "pull_request.synchronize"]
    assert world.recorder.events[0].actor == "will"
    assert "p.txt" in [file.filename for file in will.get_pull(pull).get_files()]


def test_a_job_that_pushes_starts_nothing(world, clone):
    commit(clone, "p.txt", "p\n")
    git(clone, "push", "--quiet", "origin", "main", **world.job_env("write"))
    world.forge.settle()
    event = world.recorder.events[-1]
    assert (event.name, event.by_job_token, event.actor) == ("push", True, "github-actions[bot]")


def test_the_payload_names_commits_and_paths(world):
    before = world.at("will").at.bare.ref("refs/heads/main")
    after = world.at("will").push("main", {"n.txt": "n\n", "README.md": None}, message="two\n\nwords")
    payload = world.recorder.events[-1].payload
    assert (payload["before"], payload["after"], payload["forced"]) == (before, after, False)
    assert [(one["added"], one["removed"]) for one in payload["commits"]] == [(["n.txt"], ["README.md"])]
    assert payload["head_commit"]["message"] == "two\n\nwords"
    assert set(world.recorder.events[-1].changed) == {"n.txt", "README.md"}


def test_branches_are_made_forced_and_deleted(world, will, clone):
    git(clone, "checkout", "--quiet", "-b", "new")
    commit(clone, "n.txt", "n\n")
    git(clone, "push", "--quiet", "origin", "new")
    git(clone, "commit", "--quiet", "--amend", "-m", "again")
    git(clone, "push", "--quiet", "--force", "origin", "new")
    will.get_git_ref("heads/new").delete()
    world.forge.settle()
    told = [one.payload for one in world.recorder.events]
    assert [(one["created"], one["forced"], one["deleted"]) for one in told] == [
        (True, False, False),
        (False, True, False),
        (False, False, True),
    ]
    assert told[2]["after"] == ZERO


def test_contents_api_makes_one_commit(world, will):
    made = will.create_file("docs/x.md", "add x", "x\n", branch="main")
    world.forge.settle()
    assert will.get_commit(made["commit"].sha).commit.message == "add x"
    assert world.recorder.events[-1].changed == ("docs/x.md",)
    changed = will.update_file("docs/x.md", "more", "y\n", made["content"].sha)
    assert will.get_contents("docs/x.md").decoded_content == b"y\n"
    will.delete_file("docs/x.md", "drop", changed["content"].sha)
    assert [one.path for one in will.get_contents("")] == [".github", "README.md", "configs"]


def test_contents_api_refuses_a_stale_sha(world, will):
    answer = world.client("will")(
        "PUT", f"/repos/{REPO}/contents/README.md", {"message": "m", "content": "eA==", "sha": "0" * 40}
    )
    assert answer.status == 409


def test_git_data_builds_a_commit(will):
    tree = will.get_git_tree("main", recursive=True)
    assert {one.path for one in tree.tree if one.type == "blob"} >= {"README.md", "configs/a.yaml"}
    parent = will.get_git_commit(will.get_branch("main").commit.sha)
    made = will.create_git_commit("by hand", parent.tree, [parent])
    will.get_git_ref("heads/main").edit(made.sha)
    assert will.get_branch("main").commit.commit.message == "by hand"


def test_compare_counts_both_sides(world, will):
    world.at("will").push("main", {"c.txt": "c\n"}, message="elsewhere")
    found = will.compare("main", "feature")
    assert (found.status, found.ahead_by, found.behind_by) == ("diverged", 1, 1)
    assert [file.filename for file in found.files] == ["configs/a.yaml"]
