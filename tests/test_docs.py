"""What the documents promise is what the code has, and nothing of it is left out."""

import re
from pathlib import Path

import pytest

import infx
from infx import errors
from infx.cli import COMMANDS, Command
from infx.verdict import FAILS, GO, Kind
from tests import commands
from tests.builders import rules
from tests.simulator.files import documents

PACKAGE = Path(infx.__file__).parent
DOCS = PACKAGE.parent / "docs"
LABELS, DESIGN, EVENTS = (
    (DOCS / f"{name}.md").read_text().splitlines() for name in ("labels", "design", "events")
)


def test_the_commands_are_documented_as_they_are() -> None:
    assert commands.DOCUMENT.read_text() == commands.document(), "run python -m tests.commands"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.words)
def test_help_has_an_example_of_the_command_itself(command: Command) -> None:
    text = commands.parser_of(command).epilog or ""
    assert "example" in text
    assert f"infx {command.words}" in text


PAGES = [DOCS.parent / "README.md", DOCS.parent / "benchmarks/README.md", *sorted(DOCS.rglob("*.md"))]
FILE = re.compile(r"`((?:infx|tests|docs|configs|benchmarks)/[\w./-]+\.(?:py|md|sh|json|table|txt))`")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS.parent)))
def test_files_that_a_page_names_are_there(page: Path) -> None:
    text, root = page.read_text(), DOCS.parent
    links = [link for link in re.findall(r"\]\(([^)#\s]+)", text) if not link.startswith(("http", "…"))]
    gone = [link for link in links if not (page.parent / link).exists()]
    assert gone + [path for path in FILE.findall(text) if not (root / path).exists()] == []


def test_every_exit_number_is_documented() -> None:
    codes = {errors.InfxError.exit_code, *(kind.exit_code for kind in errors.InfxError.__subclasses__())}
    rows = set(re.findall(r"^\| (\d+) \|", commands.HEAD, re.MULTILINE))
    assert {str(code) for code in codes | {0, 130}} == rows


def test_every_label_of_the_policy_is_documented_with_its_class() -> None:
    book = rules().labels
    known = [*book.primaries, *book.modifiers, *book.grants, *book.priorities, *book.own]
    rows = dict(re.findall(r"^\| `([^`]+)` \| (\w+) \|", "\n".join(LABELS), re.MULTILINE))
    assert rows == {name: str(book.group(name)) for name in known}


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_of_decision_is_documented_as_it_is(kind: Kind) -> None:
    (row,) = [row for row in EVENTS if row.startswith("| `") and f"`{kind}`" in row.split("|")[1]]
    _, _, goes, red, _, _ = (cell.strip() for cell in row.split("|"))
    assert (bool(goes), red == "red") == (kind in GO, kind in FAILS)


def floors() -> dict[int, set[str]]:
    """Floor → modules and folders, from the table of docs/design.md."""
    rows = [line.split("|") for line in DESIGN if re.match(r"\| \d \|", line)]
    return {int(row[1]): {name.rstrip("/") for name in re.findall(r"`([^`]+)`", row[2])} for row in rows}


def test_the_table_of_floors_names_every_module() -> None:
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    modules = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert set().union(*floors().values()) == rooms | modules


@pytest.mark.node
def test_every_job_of_a_workflow_stands_in_the_design() -> None:
    text = "\n".join(DESIGN)
    for name in ("control", "sweep", "report"):
        for job in documents()[name]["jobs"]:
            assert re.search(rf"\b{job if not re.fullmatch(r's[0-9]', job) else 's0'}\b", text), job


@pytest.mark.parametrize(
    "command", [command for command in COMMANDS if command.words.startswith("job ")], ids=str
)
def test_every_step_has_its_row_in_the_design(command: Command) -> None:
    assert [line for line in DESIGN if line.startswith(f"| `infx {command.words}")]
