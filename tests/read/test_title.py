"""Run titles: what `sweep.yml` writes is what infx reads."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.event import Title
from infx.forge.actions.parser import Parser
from infx.read import payload as reader
from infx.read import title
from tests.builders import A, B
from tests.payloads import named, payload
from tests.simulator.files import documents

COMMITS = {"head-sha": A, "merge-base": B}
NAME = st.text(st.characters(exclude_characters=",{}[]", exclude_categories=["Cs"]), min_size=1, max_size=50)


@given(
    st.builds(
        Title,
        pr=st.integers(0, 10**9),
        action=st.sampled_from(["labeled", "opened", "one-off", "synchronize"]),
        head_sha=st.just(A),
        base_sha=st.just(B),
        label=st.just("") | NAME,
        labels=st.frozensets(NAME, max_size=5),
        mark=st.just("") | st.text("0123456789abcdef", min_size=1, max_size=40),
    )
)
def test_a_title_comes_back_as_it_went(meant: Title) -> None:
    assert title.read(title.write(meant)) == meant


def test_the_form_is_a_contract_with_the_workflow_file() -> None:
    meant = Title(pr=7, action="labeled", head_sha=A, base_sha=B, label="all-evals", labels=frozenset("ba"))
    assert title.write(meant) == f"#7 labeled {A} {B} [all-evals] {{a,b}}"


@pytest.mark.parametrize(
    "text", ["", "Add a recipe", f"#7 labeled {A} {B} [x]", f"#7 labeled abc {B} [] {{}}"]
)
def test_another_title_is_not_ours(text: str) -> None:
    assert title.read(text) is None


@given(st.text())
def test_reading_never_raises(text: str) -> None:
    title.read(text)


@pytest.mark.node
@pytest.mark.parametrize(
    ("value", "labels"),
    [
        (payload(label="all-evals", labels=named("b", "all-evals")), {"b", "all-evals"}),
        (payload("opened"), set()),
        (
            {"inputs": {"mode": "fork", "pr": "7", "head-sha": A, "merge-base": B, "labels": "a,b"}},
            {"a", "b"},
        ),
        ({"inputs": {"mode": "one-off", "head-sha": A, "merge-base": B}}, set()),
        ({"inputs": {"mode": "one-off", "head-sha": A, "merge-base": B, "mark": "0123456789abcdef"}}, set()),
    ],
)
def test_the_workflow_file_writes_what_is_read(
    value: dict[str, Any], labels: set[str], parser: Parser
) -> None:
    expected = reader.read(value, where="e").title
    assert expected
    contexts = {"github": {"event": value}, "inputs": value.get("inputs", {})}
    written = parser.fill(documents()["sweep"]["run-name"], contexts)
    assert title.read(written) == expected
    assert expected.labels == labels
