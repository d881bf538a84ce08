"""`python -m tests.lint_workflows`: every finding of GitHub's own parser, actionlint and zizmor.

Exit 0 when there is none, 1 otherwise. The rules of this project are in tests/test_workflows.py.
"""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from infx.forge.actions.parser import Parser
from tests.simulator.files import workflows

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent


def official() -> list[str]:
    """What @actions/workflow-parser finds, with the file."""
    with Parser() as parser:
        return [
            f"{path.relative_to(ROOT)}: {complaint}"
            for path in workflows().values()
            for complaint in parser.read(path, name=path.name)[1]
        ]


def actionlint() -> list[str]:
    """What actionlint finds, with shellcheck inside where that is installed."""
    if not shutil.which("shellcheck"):
        sys.stderr.write("actionlint: shellcheck is not installed, shell steps are not looked at\n")
    return tool("actionlint", *(str(path) for path in workflows().values()))


def zizmor() -> list[str]:
    """What zizmor finds without asking the network; its exceptions are in .github/zizmor.yml."""
    return tool("zizmor", "--offline", "--no-progress", "--quiet", ".github")


def tool(name: str, *arguments: str) -> list[str]:
    """Lines that a linter of this environment printed; none when it was content."""
    done = subprocess.run(
        [str(BIN / name), *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    said = (done.stdout + done.stderr).splitlines()
    return (said or [f"{name} ended with {done.returncode}"]) if done.returncode else []


LINTERS: dict[str, Callable[[], list[str]]] = {
    "@actions/workflow-parser": official,
    "actionlint": actionlint,
    "zizmor": zizmor,
}


def main() -> int:
    found = {name: linter() for name, linter in LINTERS.items()}
    for name, lines in found.items():
        sys.stdout.write(f"{name}: {'these findings' if lines else 'clean'}\n")
        sys.stdout.writelines(f"  {line}\n" for line in lines)
    return int(any(found.values()))


if __name__ == "__main__":
    sys.exit(main())
