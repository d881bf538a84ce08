"""GitHub's parser and evaluator behind one process."""

import concurrent.futures
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from infx.errors import BadInput
from infx.forge.actions.parser import Parser

pytestmark = pytest.mark.node

CONTEXTS: dict[str, Any] = {
    "github": {"ref": "refs/heads/x", "event": {"labels": [{"name": "A"}, {"name": "b"}], "n": 3}},
    "needs": {"plan": {"result": "success", "outputs": {"go": "true"}}, "b": {"result": "failure"}},
    "strategy": {"fail-fast": True, "job-index": 0},
}
FILE = """
on: {pull_request: {types: [labeled]}}
jobs:
  a: {runs-on: x, steps: &s [{run: "echo ${{ github.ref }}", if: always()}]}
  b: {needs: a, if: "needs.a.result == 'success'", runs-on: x, steps: *s}
  c: {needs: a, if: "!cancelled()", runs-on: x, steps: *s}
"""


def test_parse_gives_plain_data_with_full_conditions(parser: Parser) -> None:
    jobs = parser.parse(FILE)["jobs"]
    assert [job["if"] for job in jobs.values()] == [
        "success()",
        "success() && (needs.a.result == 'success')",
        "!cancelled()",
    ]
    assert jobs["b"]["steps"] == [{"run": "echo ${{ github.ref }}", "if": "always()"}]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("on: [push", "Flow sequence"),
        ("on: push\njobs: {a: {runs-on: x, needs: b, steps: [{run: x}]}}", "no dependencies"),
        ("on: pusch\njobs: {a: {runs-on: x, steps: [{run: x}]}}", "Unexpected value 'pusch'"),
        ("- a", "A sequence was not expected"),
        ("", "Expected a scalar value"),
    ],
)
def test_parse_refuses_with_githubs_words(parser: Parser, text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        parser.parse(text)


@pytest.mark.parametrize(
    ("expression", "status", "value"),
    [
        ("contains(github.event.labels.*.name, 'a')", "success", True),
        ("github.event.n == '3'", "success", True),
        ("startsWith(github.ref, 'REFS/')", "success", True),
        ("github.nope.deep", "success", None),
        ("success()", "success", True),
        ("success() || failure() || cancelled()", "skipped", False),
        ("always() && cancelled()", "cancelled", True),
        ("fromJSON('[1, {}]')", "success", [1, {}]),
        ("needs.plan.outputs.go && 'yes' || 'no'", "success", "yes"),
    ],
)
def test_evaluate(parser: Parser, expression: str, status: str, value: Any) -> None:
    assert parser.evaluate(expression, CONTEXTS, status) == value


@pytest.mark.parametrize("expression", ["nobody.x", "1 +", "fromJSON('{')", "nofunction()"])
def test_evaluate_refuses(parser: Parser, expression: str) -> None:
    with pytest.raises(BadInput, match="workflow expression"):
        parser.evaluate(expression, CONTEXTS)


def test_fill(parser: Parser) -> None:
    value = {"a": "x-${{ github.event.n }}-${{ 'q}}' }}", "b": ["${{ github.event.n }}", 4, None], "c": "{x}"}
    assert parser.fill(value, CONTEXTS) == {"a": "x-3-q}}", "b": [3, 4, None], "c": "{x}"}


@pytest.mark.parametrize(
    ("expression", "bound"),
    [
        ("needs.plan.outputs.go == 'true'", "'true' == 'true'"),
        ("NEEDS['plan'].result", "'success'"),
        ("needs.*.result", """fromJSON('["success","failure"]')"""),
        ("github.event.labels[1].name", "'b'"),
        ("github.event.labels.*.name", """fromJSON('["A","b"]')"""),
        ("needs.nope.result", "null"),
        ("strategy.fail-fast && steps.needs.outcome", "true && steps.needs.outcome"),
        ("github.token", "github.token"),
        ("toJSON(github)", "toJSON(github)"),
        ("needs[matrix.x].result", None),
    ],
)
def test_bind_replaces_constant_paths_only(parser: Parser, expression: str, bound: str | None) -> None:
    found = parser.bind(f"${{{{ {expression} }}}}", CONTEXTS)
    if bound is None:
        assert found.startswith("${{ fromJSON('{")
        assert found.endswith(")[matrix.x].result }}")
    else:
        assert found == f"${{{{ {bound} }}}}"


TEXT = st.text(st.sampled_from("a'\"{}$\\\n é😀`${{}}"), max_size=12)

LEAF = TEXT | st.integers(-9, 9) | st.none()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    value=st.recursive(
        TEXT | st.integers(-9, 9) | st.none(), lambda of: st.lists(of) | st.dictionaries(TEXT, of)
    )
)
def test_a_bound_value_is_the_same_value(parser: Parser, value: Any) -> None:
    text = parser.bind("${{ needs.x }}", {"needs": {"x": value}})
    assert "}}" not in text[3:-2]
    assert parser.fill(text, {}) == value


def test_a_dead_process_is_replaced(parser: Parser) -> None:
    parser.evaluate("1", {})
    assert parser._process is not None
    parser._process.kill()
    assert parser.evaluate("2", {}) == 2


def test_many_threads_get_their_own_answers(parser: Parser) -> None:
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda n: parser.evaluate(str(n), {}), range(100))) == list(range(100))
