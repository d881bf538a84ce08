"""Both halves together: real workflow files run by act, and what they do to the forge."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from infx.forge.actions.engine import Engine
from infx.forge.forge import Forge
from tests.forge.client import REPO, Client

pytestmark = pytest.mark.forge

PIN = "0123456789012345678901234567890123456789"
SWEEP = f"""\
name: Sweep
on: {{pull_request: {{types: [labeled]}}}}
permissions: {{contents: read}}
jobs:
  plan:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@{PIN}
      - name: Write
        run: mkdir out && git log -1 --format=%s > out/plan.txt
      - uses: actions/upload-artifact@{PIN}
        with: {{name: plan, path: out}}
"""
REPORT = """\
name: Report
on: {workflow_run: {workflows: [Sweep], types: [completed]}}
permissions: {pull-requests: write, actions: read}
jobs:
  report:
    runs-on: ubuntu-latest
    steps:
      - name: Comment
        env:
          TOKEN: ${{ github.token }}
          PLACE: ${{ github.event.workflow_run.pull_requests[0].number }}
        run: |
          curl --fail --silent --header "Authorization: Bearer $TOKEN" --data '{"body": "swept"}' \\
            "$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues/$PLACE/comments"
"""


@pytest.fixture
def forge(tmp_path: Path) -> Iterator[Forge]:
    def engine(store, url):
        return Engine(store, folder=tmp_path / "jobs", api_url=f"{url}/api/v3", results_url=f"{url}/")

    with Forge.start(tmp_path / "forge", engine) as forge:
        forge.create_repo(REPO)
        forge.runner("hosted-0", ["ubuntu-latest"], hosted=True)
        yield forge


@pytest.mark.act
@pytest.mark.node
def test_a_label_sweeps_and_the_report_answers(forge: Forge):
    will, client = forge.at(REPO, "will"), Client(forge.api, forge.user("will"))
    forge.role(REPO, "will", "write")
    files = {".github/workflows/sweep.yml": SWEEP, ".github/workflows/report.yml": REPORT}
    will.push("main", files, message="workflows")
    will.push("feature", {"a": "1"}, message="a")
    number = will.open_pull("feature", title="Change a")
    will.label(number, "full-sweep-enabled")
    assert forge.wait_idle(60)
    runs = client("GET", f"/repos/{REPO}/actions/runs").json["workflow_runs"]
    assert [(run["name"], run["conclusion"]) for run in runs] == [("Report", "success"), ("Sweep", "success")]
    artifacts = client("GET", f"/repos/{REPO}/actions/runs/{runs[1]['id']}/artifacts").json["artifacts"]
    assert [one["name"] for one in artifacts] == ["plan"]
    comments = client("GET", f"/repos/{REPO}/issues/{number}/comments").json
    assert [(one["user"]["login"], one["body"]) for one in comments] == [("github-actions[bot]", "swept")]
    asked = [(one.method, one.run) for one in forge.requests if one.job]
    assert asked == [("POST", runs[0]["id"])]
