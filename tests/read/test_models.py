"""configs/models.yaml: strict, with windows of days."""

from pathlib import Path

import pytest

from infx.errors import BadInput
from infx.models import Models, Window
from infx.read.models import models
from infx.say.models import page

ROOT = Path(__file__).parent.parent.parent
OWN = (ROOT / "configs" / "models.yaml").read_text()


def test_the_own_file_names_models_scenarios_and_engines() -> None:
    found = models(OWN)
    assert (found.name("qwen3.5"), found.name("strange")) == ("Qwen3.5 397B-A17B", "strange")
    assert found.scenario("agentic-coding") == "agentic-traces"
    for framework in ("sglang", "dynamo-sglang"):
        assert found.engine(framework) == found.engines["sglang"]
    assert found.engine("other") is None


def test_the_page_is_current() -> None:
    assert (ROOT / "docs" / "MODELS.md").read_text() == page(models(OWN)), "run: make docs"


@pytest.mark.parametrize(
    ("day", "holds"),
    [("2026-06-30", False), ("2026-07-01", True), ("2026-12-31", True), ("2027-01-01", False)],
)
def test_both_days_of_a_window_are_in_it(day: str, holds: bool) -> None:
    text = "models: {a: {name: A, from: 2026-07-01, until: '2026-12-31'}}"
    assert models(text).models["a"].window.holds(day) == holds
    assert Window().holds(day)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("models: {a: {nam: A}}", 'unknown field "models.a.nam" (did you mean "name"?)'),
        ("models: {a: {name: A, from: soon}}", "a day such as"),
        ("models: {a: {name: A, from: 2026-02-01, until: 2026-01-01}}", "ends before it begins"),
        ("models: {a: {name: A, precisions: {fp8: {since: 2026-01-01}}}}", "models.a.precisions.fp8.since"),
        ("models: {a: {}}", "models.a.name"),
        ("model: {}", 'did you mean "models"'),
        ("models: [a]", "a mapping"),
    ],
)
def test_what_is_wrong_is_named(text: str, says: str) -> None:
    with pytest.raises(BadInput) as caught:
        models(text)
    assert says in caught.value.sentence


def test_an_empty_file_knows_nothing() -> None:
    assert models("") == Models()
