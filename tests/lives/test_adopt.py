"""docs/adopt.md, done as it says on the embedded GitHub; `INFX_WRITE=1` puts what was shown into the page."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from infx.edge.git import Git
from tests.lives.project import ROOT
from tests.lives.world import FAST, NAME, Life
from tests.oracle.recorded import BUNDLE

pytestmark = [pytest.mark.act, pytest.mark.clients]
PAGE = ROOT / "docs" / "adopt.md"
COMMAND = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = r"(<!-- shown: {} -->\n```\n)(.*?)(```)"
MOVING = re.compile(r"\b[0-9a-f]{7,40}\b|\d[\d,.]*(?= tok/s| s\b)|[\d.]+ %|127\.0\.0\.1:\d+")
"""What differs from one run of the page to the next: commits, measurements, the port."""
HIDDEN = re.compile(r"<!--.*?-->\n?", re.DOTALL)
"""What a reader of a comment does not see."""


class Reader:
    """Somebody who does what the page says."""

    def __init__(self, life: Life, clone: Path) -> None:
        self.life, self.clone = life, clone
        bare = life.forge.store.repository(NAME).git_dir
        subprocess.run(["git", "clone", "-q", str(bare), str(clone)], check=True)
        self.env = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "GITHUB_REPOSITORY": NAME,
            "GITHUB_TOKEN": life.forge.user("olga"),
            "GITHUB_API_URL": life.forge.api,
            **{f"GIT_{who}_{what}": "mia@x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        }
        life.forge.role(NAME, "olga", "admin")

    def run(self, command: str) -> str:
        """What one command says; doctor may find faults."""
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.clone, env=self.env, capture_output=True, text=True
        )
        assert done.returncode == 0 or (command == "infx doctor" and done.returncode == 1), done.stderr
        if "git push" in command:
            self.life.mia.pushed()
        return done.stdout


def commands() -> list[str]:
    return [line for block in COMMAND.findall(PAGE.read_text()) for line in block.strip().splitlines()]


def compare(shown: dict[str, str]) -> None:
    """What the page shows is what was said, but for what moves."""
    page = PAGE.read_text()
    if os.environ.get("INFX_WRITE"):
        for name, text in shown.items():
            before, _, rest = page.partition(f"<!-- shown: {name} -->\n```\n")
            page = f"{before}<!-- shown: {name} -->\n```\n{text}```{rest.partition('```')[2]}"
        PAGE.write_text(page)
    for name, text in shown.items():
        found = re.search(SHOWN.format(name), page, re.DOTALL)
        assert found, f"docs/adopt.md does not show {name}"
        assert MOVING.sub("…", found[2]) == MOVING.sub("…", text), f"INFX_WRITE=1 renews {name}"


def follow(life: Life, clone: Path) -> dict[str, str]:
    """Do the whole page; what it shows."""
    reader = Reader(life, clone)
    todo = commands()
    assert len(todo) == 6
    said = [reader.run(command) for command in todo]
    number = life.mia.open_pull("shorter-input", title="Shorter input")
    life.mia.label(number, FAST)
    life.rest()
    [sweep] = life.sweeps()
    assert life.states(sweep.id) == dict.fromkeys(("C1", "C4", "C16", "C64"), "valid")
    status = life.status(number)
    assert "4 of 4 points" in status
    visible = "\n".join(HIDDEN.sub("", status).strip().splitlines()[:12]) + "\n…\n"
    return {"init": said[0], "doctor": said[3], "status": visible}


def test_the_page_does_what_it_says(live: Callable[..., Life], tmp_path: Path) -> None:
    life = live({"README.md": b"bench\n"}, env={"PYTHONPATH": str(ROOT)})
    compare(follow(life, tmp_path / "clone"))


@pytest.mark.oracle
def test_a_repository_of_the_community_does_the_same_and_keeps_its_files(
    live: Callable[..., Life], tmp_path: Path
) -> None:
    data = tmp_path / "data"
    subprocess.run(["git", "clone", "-q", str(BUNDLE), str(data)], check=True)
    own = {path: (data / path).read_bytes() for path in Git(data).tree("HEAD")}
    life = live(own, env={"PYTHONPATH": str(ROOT)})
    follow(life, tmp_path / "clone")
    changed = {path for path, content in own.items() if (tmp_path / "clone" / path).read_bytes() != content}
    assert changed == {"perf-changelog.yaml"}
