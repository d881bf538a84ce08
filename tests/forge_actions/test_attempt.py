"""One attempt: needs, conditions, matrices, fail-fast and cancels; GitHub's evaluator, no act."""

from collections.abc import Mapping

import pytest

from infx.forge.actions.attempt import QUEUED, Attempt
from infx.forge.actions.graph import CANCELLED, FAILURE, SKIPPED, SUCCESS
from infx.forge.actions.parser import Parser
from tests.simulator.events import pull, run

pytestmark = pytest.mark.node
JOB = "runs-on: x, steps: [{run: x}]"


def lived(
    parser: Parser, jobs: str, *, ends: Mapping[str, str] | None = None, cancel: str = ""
) -> dict[str, str]:
    """Every cell by its name, ended as `ends` says; the run is cancelled before the cell `cancel`."""
    document = parser.parse(f"name: t\non: push\njobs:\n{jobs}")
    attempt = Attempt(run(pull("opened")), document, parser, contexts={"github": {}})
    attempt.settle()
    while cell := next((cell for cell in attempt.cells if cell.state == QUEUED), None):
        if cell.name == cancel and not attempt.cancelled:
            doomed = attempt.cancel()
        else:
            doomed = attempt.finish(cell, (ends or {}).get(cell.name, SUCCESS), {})
        for one in doomed:
            attempt.finish(one, CANCELLED, {})
        attempt.settle()
    return {cell.name: cell.conclusion for cell in attempt.cells}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("", SKIPPED),
        (", if: needs.B.result == 'success'", SKIPPED),
        (", if: \"!cancelled() && needs.B.result == 'success'\"", SUCCESS),
        (", if: always() && false", SKIPPED),
    ],
)
def test_C119_the_implied_success_covers_all_ancestors(parser: Parser, condition: str, expected: str) -> None:
    jobs = (
        f"  A: {{{JOB}, if: false}}\n"
        f"  B: {{{JOB}, needs: A, if: always() && needs.A.result != 'failure'}}\n"
        f"  C: {{{JOB}, needs: B{condition}}}\n"
    )
    assert lived(parser, jobs) == {"A": SKIPPED, "B": SUCCESS, "C": expected}


@pytest.mark.parametrize(("fail_fast", "third"), [("true", CANCELLED), ("false", SUCCESS)])
def test_fail_fast_cuts_the_rest_of_its_own_matrix(parser: Parser, fail_fast: str, third: str) -> None:
    strategy = f"strategy: {{fail-fast: {fail_fast}, matrix: {{n: [1, 2, 3]}}}}"
    jobs = f"  m: {{{JOB}, {strategy}}}\n  other: {{{JOB}, {strategy}, if: always(), needs: m}}"
    found = lived(parser, jobs, ends={"m (2)": FAILURE})
    assert [found[f"m ({n})"] for n in (1, 2, 3)] == [SUCCESS, FAILURE, third]
    assert [found[f"other ({n})"] for n in (1, 2, 3)] == [SUCCESS] * 3


def test_an_empty_matrix_is_a_failure(parser: Parser) -> None:
    jobs = f"  m: {{{JOB}, strategy: {{matrix: {{n: \"${{{{ fromJson('[]') }}}}\"}}}}}}"
    assert lived(parser, jobs) == {"m": FAILURE}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [("always()", SUCCESS), ("!cancelled()", SKIPPED), ("cancelled()", SUCCESS), ("success()", SKIPPED)],
)
def test_C32_after_a_cancel_only_always_and_cancelled_run(
    parser: Parser, condition: str, expected: str
) -> None:
    jobs = (
        f'  m: {{{JOB}, strategy: {{matrix: {{n: [1, 2]}}}}}}\n  next: {{{JOB}, needs: m, if: "{condition}"}}'
    )
    found = lived(parser, jobs, cancel="m (2)")
    assert found == {"m (1)": SUCCESS, "m (2)": CANCELLED, "next": expected}
