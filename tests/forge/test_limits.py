"""Limits of GitHub's that a sweep can meet: files, commits, re-runs, retention."""

from typing import Any

import pytest

from infx.forge.pulls import person
from tests.forge.client import REPO

pytestmark = pytest.mark.forge
R = f"/repos/{REPO}"
DAY = 86400


def pull_of(world, sha: str) -> int:
    olga = world.client("olga")
    assert olga("POST", f"{R}/git/refs", {"ref": "refs/heads/wide", "sha": sha}).status == 201
    body = {"title": "wide", "head": "wide", "base": "main"}
    return int(olga("POST", f"{R}/pulls", body).json["number"])


def pages(world, path: str) -> list[Any]:
    """Every page, as a client that follows `Link` reads them."""
    found, url = [], f"{R}{path}?per_page=100"
    while url:
        answer = world.client("olga")("GET", url)
        found += answer.json
        links = dict(part.split("; ")[::-1] for part in answer.headers.get("link", "").split(", ") if part)
        url = links.get('rel="next"', "").strip("<>")
    return found


def test_a_pull_request_shows_3000_files_and_counts_all(world):
    bare, who = world.at("will").at.bare, person(world.forge.site, "will")
    tip, blob = bare.ref("refs/heads/main"), bare.write_blob(b"one\n")
    moved = bare("rev-parse", f"{tip}:README.md").decode().strip()
    many = [(f"d/{number}.txt", blob, "100644") for number in range(3000)]
    tree = bare.put_all(
        bare.commit(tip).tree, [*many, ("README.md", None, ""), ("a/READ.md", moved, "100644")]
    )
    sha = bare.write_commit(tree, (tip,), "wide", author=who, committer=who)
    number = pull_of(world, sha)
    files = pages(world, f"/pulls/{number}/files")
    assert (len(files), world.at("will").pull(number)["changed_files"]) == (3000, 3001)
    assert (files[0]["status"], files[0]["previous_filename"]) == ("renamed", "README.md")


def test_a_pull_request_shows_250_commits_and_counts_all(world):
    bare, who = world.at("will").at.bare, person(world.forge.site, "will")
    sha = bare.ref("refs/heads/feature")
    for number in range(250):
        sha = bare.write_commit(bare.commit(sha).tree, (sha,), f"c{number}", author=who, committer=who)
    number = pull_of(world, sha)
    commits = pages(world, f"/pulls/{number}/commits")
    assert (len(commits), world.at("will").pull(number)["commits"]) == (250, 251)
    assert commits[0]["commit"]["message"] == "change a"


@pytest.mark.parametrize(
    ("attempt", "days", "status"), [(1, 0, 201), (50, 29, 201), (51, 0, 403), (1, 31, 403)]
)
def test_reruns_end(world, attempt, days, status):
    run = world.run()
    world.forge.store.change_run(run.id, attempt=attempt, status="completed", conclusion="failure")
    world.forge.advance(days * DAY)
    answer = world.client("will")("POST", f"{R}/actions/runs/{run.id}/rerun-failed-jobs", {})
    assert answer.status == status
    reruns = [call for call in world.recorder.calls if call[0] == "rerun"]
    assert len(reruns) == (status == 201)
