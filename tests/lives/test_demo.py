"""The demo as a person runs it: a process of its own, to its last line, and what it leaves to look at."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from infx.edge import files
from infx.forge import sample
from infx.forge.cast import BOT, REPOSITORY
from infx.forge.chapters import MASTER
from infx.forge.demo import FOLDER
from infx.launch.guard import default_signals
from infx.say import aftermath, comment, welcome
from tests.lives.project import ROOT
from tests.lives.world import CLUSTERS, PATIENCE_S

pytestmark = [pytest.mark.act, pytest.mark.node, pytest.mark.clients]
UP = re.compile(r"^ +(http://127\.0\.0\.1:\d+)/(\S+)/pull/1 ", re.M)
LESS = {
    MASTER: {"conc-list: [1, 4, 16, 64]": "conc-list: [1]"},
    CLUSTERS: {"ready: 30.0": "ready: 600.0", "waves: 3": "waves: 1", "requests: 10": "requests: 2"},
}
"""Fewer points and less load: what is shown here is the story."""
STEPS = (
    "Ann changes two config keys and adds the changelog entry",
    "pull request #1 is open, and its changelog entry can name it",
    "the bot's welcome",
    "the gate has passed; the status comment holds the plan",
    "Mia sets full-sweep-fail-fast: canaries, then the matrix, on a CPU engine",
    "the pull request's status comment",
    "the ledger of run ",
    "Mia authorises the results: /use ",
    "Nova, code owner of the configs, reviews and signs off",
    "Mia merges",
    "ingest published ",
    "what the bot says after the merge",
    "#1 has the label post-merge-green",
)


class Demo:
    """The process, and what it has said so far."""

    def __init__(self, project: Path) -> None:
        self.project, self.path = project, project.with_name("said.txt")
        env = {**os.environ, "INFX_CLIENTS": str(ROOT / ".venv-clients")}
        with self.path.open("wb") as out:
            words = [sys.executable, "-m", "infx", "forge", "demo", "--keep"]
            # Whoever runs the tests in the background has them ignore Ctrl-C; a person's terminal does not.
            self.process = subprocess.Popen(
                words, cwd=project, env=env, stdout=out, stderr=out, preexec_fn=default_signals
            )

    @property
    def said(self) -> str:
        return self.path.read_text()

    def stays_up(self) -> str:
        """Address of the embedded GitHub, once the story is told."""
        end = time.monotonic() + 2 * PATIENCE_S
        while (found := UP.search(self.said)) is None:
            assert self.process.poll() is None, self.said
            assert time.monotonic() < end, self.said
            time.sleep(0.2)
        assert found[2] == REPOSITORY
        return found[1]

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    project = tmp_path / "project"
    sample.repository(ROOT, project)
    (project / "node_modules").symlink_to(ROOT / "node_modules")
    for path, changes in LESS.items():
        text = files.read_text(project / path)
        for old, new in changes.items():
            assert old in text
            text = text.replace(old, new)
        files.write_text(project / path, text)
    made = Demo(project)
    yield made
    made.process.kill()
    made.process.wait()


def ask(url: str, path: str) -> Any:
    with urllib.request.urlopen(f"{url}/api/v3/repos/{REPOSITORY}{path}") as answer:
        return json.load(answer)


def test_the_demo_tells_the_whole_life_and_leaves_it_to_look_at(demo: Demo) -> None:
    url = demo.stays_up()
    bodies = [one["body"] for one in ask(url, "/issues/1/comments") if one["user"]["login"] == BOT]
    pull = ask(url, "/pulls/1")
    assert demo.interrupt() == 0, demo.said
    told = re.findall(r"^\[ *[\d.]+ s\] (.*)$", demo.said, re.M)
    story = [line for line in told if not line.startswith("  sweep")]
    assert len(story) == len(STEPS)
    assert [line[: len(step)] for line, step in zip(story, STEPS, strict=True)] == list(STEPS)
    topics = Counter(body.split("\n", 1)[0] for body in bodies)
    assert {welcome.MARK, comment.STATUS, aftermath.MARK} <= set(topics)
    assert set(topics.values()) == {1}
    assert pull["merged"]
    left = demo.project / FOLDER
    assert "<html" in (left / "report/index.html").read_text()
    assert json.loads((left / "facts/facts.json").read_text())
    assert "Traceback" not in demo.said
