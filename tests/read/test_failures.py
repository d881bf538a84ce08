"""Signatures are read strictly."""

import pytest

from infx.errors import BadInput
from infx.read.failures import failures

ONE = "- {detail: a, cause: runner, remedy: rerun, sample: {}, log: x}\n"


def text(*signatures: str) -> str:
    return "format: 1\nsignatures:\n" + "".join(signatures)


def test_fields_are_written_with_dashes() -> None:
    [one] = failures(
        text("- {detail: a, cause: runner, remedy: clean, within-s: 9, sample: {runner-failures: 2}}")
    )
    assert (one.within_s, one.sample.runner_failures) == (9.0, 2)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (text(ONE, ONE), "two signatures are called a"),
        (text(ONE.replace("log: x", "log: '('")), "no regular expression"),
        (text(ONE.replace("log: x", f"log: {'x' * 501}")), "at most 500 characters"),
        (text(ONE.replace("log: x", "log: '(?<!a)x'")), "look-around, including look-ahead and look-behind"),
        (text(ONE.replace("log: x", r"log: '(a)\1'")), "backreferences are not supported"),
        (text(ONE.replace("log: x", r"log: '(\w{1,99}){1,99}'")), "exceeds size limit"),
        (text(*(ONE.replace("detail: a", f"detail: a{number}") for number in range(201))), "at most 200"),
        (text(ONE.replace("cause: runner", "cause: rumner")), "runner"),
        (text(ONE.replace("log:", "logs:")), 'did you mean "log"'),
        ("format: 2\nsignatures: []", "newer format"),
    ],
)
def test_what_is_wrong_is_named(given: str, said: str) -> None:
    with pytest.raises(BadInput, match=r"failures\.yaml") as problem:
        failures(given)
    assert said in problem.value.sentence
