"""The pages in a real browser."""

import os
import subprocess

import pytest

from infx.forge.look import show
from tests.forge.client import REPO
from tests.forge.look.test_pages import STATUS, artifact
from tests.groups import BROWSER

FLAGS = ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--virtual-time-budget=8000")
pytestmark = pytest.mark.chromium


@pytest.fixture
def browse(world, tmp_path):
    """The document as it stands once its scripts ran; fails when the browser refused anything."""

    def see(path: str) -> str:
        own = [f"--user-data-dir={tmp_path / 'profile'}", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        command = [BROWSER, *FLAGS, *own, "--enable-logging=stderr", "--dump-dom", world.forge.url + path]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        assert "CONSOLE" not in done.stderr, done.stderr
        return done.stdout

    return see


def test_a_person_reads_the_status_comment(world, pull, browse):
    world.at("will").label(pull, "full-sweep-enabled")
    world.at("olga").comment(pull, STATUS)
    dom = browse(f"/{REPO}/pull/{pull}")
    assert "<h3>Sweep of abc</h3>" in dom
    assert "<summary>why</summary>" in dom
    assert "full-sweep-enabled" in dom
    assert "infx:status" not in dom


def test_an_open_page_follows_what_happens(world, pull, browse, monkeypatch):
    shown = show.page

    def once(template, **known):
        html = shown(template, **known)
        monkeypatch.setattr(show, "page", shown)
        world.at("olga").comment(pull, "said later")
        return html

    monkeypatch.setattr(show, "page", once)
    assert "said later" in browse(f"/{REPO}/pull/{pull}")


def test_the_report_opens_and_runs_no_script(world, browse):
    """The browser blocks the script and says so on its console, which `browse` takes as a fault."""
    page = b"<h1>report</h1><p>still here</p><script>document.body.textContent = 'ran'</script>"
    here = artifact(world, {"index.html": page})
    with pytest.raises(AssertionError, match="sandbox"):
        browse(f"{here}/files/index.html")
    assert "<iframe" in browse(artifact(world, {"index.html": b"<h1>report</h1>"}))
