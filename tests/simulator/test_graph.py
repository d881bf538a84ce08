"""The simulator's own semantics, on small workflows."""

import pytest

from tests.simulator.graph import CANCELLED, FAILURE, SKIPPED, SUCCESS, EmptyMatrix, Run, World, simulate
from tests.simulator.parser import Parser

JOB = "runs-on: x, steps: [{run: x}]"


def run(parser: Parser, jobs: str, world: World | None = None) -> Run:
    document, errors = parser.read(f"name: t\non: push\njobs:\n{jobs}")
    assert errors == []
    return simulate(document, parser, world=world or World(), contexts={"github": {}})


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
    assert run(parser, jobs).results == {"A": SKIPPED, "B": SUCCESS, "C": expected}


@pytest.mark.parametrize(
    ("fail_fast", "ends"), [("true", [SUCCESS, FAILURE, CANCELLED]), ("false", [SUCCESS, FAILURE, SUCCESS])]
)
def test_fail_fast_cuts_the_rest_of_its_own_matrix(parser: Parser, fail_fast: str, ends: list[str]) -> None:
    strategy = f"strategy: {{fail-fast: {fail_fast}, matrix: {{n: [1, 2, 3]}}}}"
    world = World(outcome=lambda job, cell: FAILURE if cell == {"n": 2} else SUCCESS)
    done = run(
        parser, f"  m: {{{JOB}, {strategy}}}\n  other: {{{JOB}, {strategy}, if: always(), needs: m}}", world
    )
    assert [end for _, end in done.cells["m"]] == ends
    assert done.results == {"m": FAILURE, "other": FAILURE}


def test_an_empty_matrix_is_an_error(parser: Parser) -> None:
    with pytest.raises(EmptyMatrix):
        run(parser, f"  m: {{{JOB}, strategy: {{matrix: {{n: \"${{{{ fromJson('[]') }}}}\"}}}}}}")


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
    done = run(parser, jobs, World(cancel=("m", 1)))
    assert [end for _, end in done.cells["m"]] == [SUCCESS, CANCELLED]
    assert done.results["next"] == expected
