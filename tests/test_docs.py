"""What the documents promise is what the code has, and nothing of it is left out."""

import re
from pathlib import Path

import pytest

import infx
from infx import errors
from infx.charter import CHARTERS
from infx.cli import COMMANDS, Command
from infx.edge import store
from infx.verdict import FAILS, GO, Kind
from tests import commands
from tests.builders import rules
from tests.simulator.files import documents
from tests.test_floors import FLOOR

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


def test_the_readme_has_the_six_commands_of_an_adoption() -> None:
    """Those that `tests/lives/test_adopt.py` does as the page says."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", (DOCS / "adopt.md").read_text(), re.MULTILINE | re.DOTALL)
    commands = [line for block in blocks for line in block.strip().splitlines()]
    readme = [
        line.partition("  #")[0].strip() for line in (DOCS.parent / "README.md").read_text().splitlines()
    ]
    assert len(commands) == 6
    assert [line for line in readme if line in commands] == commands


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


def floors() -> dict[str, int]:
    """Module or folder → its floor, from the table of docs/design.md."""
    found: dict[str, int] = {}
    for floor, names in re.findall(r"^\| (\d) \|[^|]+\|([^|]+)\|$", "\n".join(DESIGN), re.MULTILINE):
        for name in re.findall(r"`([^`]+)`", names):
            assert found.setdefault(name.rstrip("/"), int(floor)) == int(floor), name
    return found


def test_the_table_of_floors_names_every_module() -> None:
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    modules = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert floors() == {name: FLOOR.get(name, 0) for name in rooms | modules}


def test_every_workflow_stands_in_the_design() -> None:
    section = "\n".join(DESIGN).partition("## The workflows")[2].partition("\n## ")[0]
    assert sorted(re.findall(r"^\| `([a-z-]+)` \|", section, re.MULTILINE)) == sorted(CHARTERS)


def test_every_file_of_the_store_stands_in_the_design() -> None:
    source = Path(store.__file__).read_text()
    names = {
        *re.findall(r'return f"(\w+)/', source),
        *re.findall(r'^[A-Z]+ = "(\w+)\.jsonl"', source, re.MULTILINE),
    }
    assert len(names) >= 9
    rows = re.findall(r"^\| `(\w+)(?:/<\w+>)?\.jsonl` \|", "\n".join(DESIGN), re.MULTILINE)
    assert sorted(rows) == sorted(names)


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


def test_every_file_that_a_document_names_is_there() -> None:
    root = PACKAGE.parent
    for path in [*DOCS.glob("*.md"), root / "README.md", *(root / "benchmarks").rglob("README.md")]:
        text = path.read_text()
        links = re.findall(r"\]\((?!https?:|…)([^)#\s]+)", text)
        names = re.findall(r"`((?:infx|tests|docs|configs|benchmarks|\.github)/[\w./-]+\.[a-z]+)`", text)
        assert [name for name in links if not (path.parent / name).exists()] == [], path
        assert [name for name in names if not (root / name).exists()] == [], path
