"""What one job sees and leaves, with act."""

from pathlib import Path

import pytest

from tests.forge_actions.conftest import Bench

pytestmark = [pytest.mark.act, pytest.mark.node]

POINT = """
name: point
description: prints its input
inputs: {n: {description: n, required: true}}
runs:
  using: composite
  steps: [{shell: bash, run: "echo point ${{ inputs.n }} $(cat a.txt)"}]
"""


def test_outputs_reach_steps_and_conditions(bench: Bench) -> None:
    run = bench.result("outputs")
    assert bench.store.conclusions(run) == {"plan": "success", "cell 4": "success", "cell 8": "success"}
    assert "<a}}> <line 1" in bench.store.log(run, "cell 4")
    assert "$HOME `x`> 0/2" in bench.store.log(run, "cell 4")


def test_large_output_and_secret_output(bench: Bench) -> None:
    run = bench.result("large")
    assert "length 65000 <>" in bench.store.log(run, "b")
    assert "Skip output 'key'" in bench.store.log(run, "a")


def test_steps(bench: Bench) -> None:
    [job] = bench.store.job(bench.result("steps"), "a")
    assert {step["name"]: step["conclusion"] for step in job.steps} == {
        "Set up job": "success",
        "one": "success",
        "soft": "success",
        "bad": "failure",
        "never": "skipped",
        "last": "success",
        "Complete job": "success",
    }


def test_log(bench: Bench) -> None:
    log = bench.store.log(bench.result("steps"), "a")
    assert "key *** token ***" in log
    assert "##[error]broken" in log
    assert "# sum" in log
    assert bench.store.ended == list(bench.store.tokens)


def test_contexts_and_environment(bench: Bench) -> None:
    message = {"head_commit": {"message": "it's {odd} }} '' $x"}}
    run = bench.result("contexts", payload={"ref": "refs/heads/main", **message})
    sha = bench.store.run(run).sha
    wanted = (
        f"sha={sha} {sha}",
        "ref=refs/heads/main refs/heads/main name=main",
        f"run={run} {run} {run}",
        "attempt=1 1",
        "event=it's {odd} }} ''  push",
        "wf=ctx acme/infx/.github/workflows/w.yml@refs/heads/main by=alice",
        "on=m1 self-hosted here=lab",
        "has temp",
        "has workspace",
        "is empty",
        "token=none runtime=none key=none",
    )
    log = bench.store.log(run, "a")
    assert [line for line in wanted if line not in log] == []


def test_checkout_composite_action_and_anchor(bench: Bench) -> None:
    run = bench.result("checkout", files={"a.txt": "text", ".github/actions/point/action.yml": POINT})
    assert bench.store.conclusions(run) == {"a": "success", "b": "success"}
    assert "point b text" in bench.store.log(run, "b")
    assert "refused" in bench.store.log(run, "a")


def test_a_job_leaves_nothing_behind(bench: Bench) -> None:
    run = bench.result("orphan")
    process = bench.store.log(run, "a").split("pid=")[1].split()[0]
    bench.until(lambda: not Path("/proc", process).exists(), timeout_s=5)
    assert list((bench.tree.bare.parent / "forge" / "jobs").iterdir()) == []
