"""What a person wrote into the template, and what they left as it was."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from infx.description import Change, Disclosure, Item
from infx.read.description import read

TEMPLATE = (Path(__file__).parents[2] / ".github/pull_request_template.md").read_text()


def filled(models: str = "", *, tick: tuple[str, ...] = ()) -> str:
    text = TEMPLATE.replace("- Models and roles:", f"- Models and roles:\n{models}")
    for word in tick:
        line = next(line for line in text.splitlines() if word in line and line.startswith("- [ ]"))
        text = text.replace(line, line.replace("[ ]", "[x]"))
    return text


def test_the_template_as_it_is_says_nothing() -> None:
    said = read(TEMPLATE)
    assert (said.disclosure, said.kinds, said.ticked) == (Disclosure.MISSING, frozenset(), frozenset())
    assert said.from_template


def test_every_item_and_kind_of_the_template_is_known() -> None:
    marks = {f"infx:{item}" for item in Item}
    said = read(filled(tick=(*marks, *(f"] {kind}" for kind in Change))))
    assert (said.ticked, said.kinds) == (frozenset(Item), frozenset(Change))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GPT-5.2: wrote the recipe", "named"),
        ("Claude Opus 4.8 (draft), Gemini 3.1 Pro (review)", "named"),
        ("- Qwen3.5-397B: looked for mistakes", "named"),
        ("Cursor 2.1 with Sonnet 4.6: all of it", "named"),
        ("No AI used", "no-ai-used"),
        ("no AI was used.", "no-ai-used"),
        ("未使用", "no-ai-used"),
        ("Not verifiable: a colleague has left", "not-verifiable"),
        ("Cursor", "tool-only"),
        ("Cursor 2.1: wrote it", "tool-only"),
        ("Claude Code", "tool-only"),
        ("GitHub Copilot helped", "tool-only"),
        ("", "missing"),
        ("-", "missing"),
        ("<!-- GPT-5 -->", "missing"),
    ],
)
def test_the_disclosure(text: str, expected: str) -> None:
    assert read(filled(text)).disclosure == expected


def test_models_on_the_line_of_the_template_count() -> None:
    assert read(TEMPLATE.replace("roles:", "roles: GPT-5.2 wrote it")).disclosure == Disclosure.NAMED


def test_a_description_without_the_template_has_no_items() -> None:
    said = read("I changed something.\n- [x] done")
    assert not said.from_template
    assert said.disclosure == Disclosure.MISSING


@given(some.text())
def test_every_text_is_some_description(text: str) -> None:
    read(text)
