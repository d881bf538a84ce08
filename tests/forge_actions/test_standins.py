"""The stand-in actions in real jobs: artifacts between jobs, and what a checkout brings."""

import pytest

from tests.forge_actions.conftest import Bench
from tests.forge_actions.memory import git

pytestmark = [pytest.mark.act, pytest.mark.node]


def test_artifacts_between_jobs(bench: Bench) -> None:
    bench.results.faults = 1
    run = bench.result("artifacts")
    assert set(bench.store.conclusions(run).values()) == {"success"}
    expected = "all/bmk_1/deep/r1 all/bmk_2/deep/r2 merged/deep/r1 merged/deep/r2 one/deep/r2"
    assert expected in bench.store.log(run, "collect")


@pytest.mark.parametrize(
    ("second", "conclusion", "log"),
    [
        ("name: a, path: f", "failure", "409 an artifact with this name already exists"),
        ("name: a, path: f, overwrite: true", "success", "Artifact a has been uploaded"),
        ("name: b, path: nothing, if-no-files-found: error", "failure", "No files were found"),
        ("name: b, path: nothing", "success", "##[warning]No files were found"),
    ],
)
def test_second_upload(bench: Bench, second: str, conclusion: str, log: str) -> None:
    run = bench.result_of(f"""
on: push
jobs:
  a:
    runs-on: ubuntu-latest
    steps:
      - {{name: make, run: echo x > f}}
      - {{uses: actions/upload-artifact@v4, with: {{name: a, path: f}}}}
      - {{uses: actions/upload-artifact@v4, with: {{{second}}}}}
""")
    assert bench.store.conclusions(run) == {"a": conclusion}
    assert log in bench.store.log(run, "a")


def test_download_of_an_unknown_name_fails(bench: Bench) -> None:
    step = "{uses: actions/download-artifact@v4, with: {name: no}}"
    run = bench.result_of(f"on: push\njobs: {{a: {{runs-on: ubuntu-latest, steps: [{step}]}}}}")
    assert bench.store.conclusions(run) == {"a": "failure"}
    assert "Artifact not found for name: no" in bench.store.log(run, "a")


def test_C37_checkout_of_the_pinned_commit(bench: Bench) -> None:
    pinned, moved = bench.tree.commit({"f": "old"}), bench.tree.commit({"f": "new"})
    bench.tree.commit({"f": "side"}, branch="side")
    git(bench.tree.work, "checkout", "--quiet", "main")
    run = bench.result_of(f"""
on: push
jobs:
  a:
    runs-on: ubuntu-latest
    steps:
      - {{uses: actions/checkout@v4, with: {{ref: {pinned}, path: p}}}}
      - {{uses: actions/checkout@v4, with: {{ref: side, path: s}}}}
      - {{uses: actions/checkout@v4, with: {{fetch-depth: 0, path: all}}}}
      - {{name: show, run: "echo $(cat p/f s/f all/f) depth $(git -C p rev-list --count HEAD)"}}
      - {{name: base, run: "git -C all branch --show-current; git -C all merge-base {moved} HEAD"}}
""")
    log = bench.store.log(run, "a")
    assert "oldsidenew depth 1" in log
    assert " main\n" in log
    assert moved in log


def test_checkout_of_what_is_not_there_fails(bench: Bench) -> None:
    run = bench.result("no-ref")
    assert set(bench.store.conclusions(run).values()) == {"failure"}
    assert "no ref 'nope'" in bench.store.log(run, "ref")
    assert "cannot reach the repository else/where" in bench.store.log(run, "repository")
