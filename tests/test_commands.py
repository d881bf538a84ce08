"""The registry of commands: every row can be used as it says, and the page is made from it."""

from pathlib import Path

import pytest

from infx.command import Form
from infx.commands import FORMS, document
from infx.read.command import read_text

PAGE = Path(__file__).parent.parent / "docs" / "commands-in-comments.md"


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.words)
def test_the_example_of_each_command_is_that_command(form: Form) -> None:
    (command,) = read_text(form.example, FORMS).effective
    assert (command.words, command.topic) == (form.words, form.topic)
    assert form.usage.startswith(form.words)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.words)
def test_more_runs_than_a_command_takes_are_a_mistake_with_its_usage(form: Form) -> None:
    line = " ".join([form.words, *map(str, range(1, form.most + 2))])
    (mistake,) = read_text(line, FORMS).mistakes
    assert mistake.usage == form.usage


def test_the_page_is_current() -> None:
    assert PAGE.read_text() == document(), "run: make docs"
