"""Runs from event to end, with real jobs in act."""

import pytest

from tests.forge_actions.conftest import Bench

pytestmark = pytest.mark.act

JOB = "runs-on: ubuntu-latest, steps: [{name: s, run: 'true'}]"


def test_outputs_reach_steps_and_conditions(bench: Bench) -> None:
    run = bench.result("""
name: outs
on: push
jobs:
  plan:
    runs-on: ubuntu-latest
    outputs: {cells: "${{ steps.p.outputs.cells }}", odd: "${{ steps.p.outputs.odd }}"}
    steps:
      - id: p
        name: p
        run: |
          echo 'cells=[{"id":"a}} ${{ 1 }}","n":4},{"id":"b","n":8}]' >> "$GITHUB_OUTPUT"
          printf 'odd<<E\\nline 1\\n$HOME `x`\\nE\\n' >> "$GITHUB_OUTPUT"
  cell:
    needs: plan
    if: needs.plan.outputs.cells != '[]'
    runs-on: ubuntu-latest
    strategy: {matrix: {c: "${{ fromJSON(needs.plan.outputs.cells) }}"}}
    name: cell ${{ matrix.c.n }}
    steps:
      - name: show
        env: {ID: "${{ matrix.c.id }}", ODD: "${{ needs.plan.outputs.odd }}"}
        run: echo "<$ID> <$ODD> ${{ strategy.job-index }}/${{ strategy.job-total }}"
""")
    assert bench.store.conclusions(run) == {"plan": "success", "cell 4": "success", "cell 8": "success"}
    assert "<a}} 1> <line 1" in bench.store.log(run, "cell 4")
    assert "$HOME `x`> 0/2" in bench.store.log(run, "cell 4")
    assert bench.store.run(run).conclusion == "success"
