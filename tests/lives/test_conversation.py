"""The conversation of one pull request, as a reader sees it in a browser after all that repeats itself."""

import os
import re
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from infx.say import comment, welcome
from tests.groups import BROWSER
from tests.lives.world import FAST, KEY, NAME, Life, change, small

pytestmark = [pytest.mark.act, pytest.mark.clients, pytest.mark.chromium]
FLAGS = ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run")
SIZE = (1200, 2400)
TOPIC = re.compile(r"^<!-- infx:[^>]*-->")


def browse(life: Life, number: int, folder: Path) -> tuple[str, bytes]:
    """The document as it stands once its scripts ran, and its picture."""
    picture = folder / "conversation.png"
    own = [f"--user-data-dir={folder / 'profile'}", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    look = [f"--screenshot={picture}", f"--window-size={SIZE[0]},{SIZE[1]}", "--virtual-time-budget=8000"]
    page = f"{life.forge.url}/{NAME}/pull/{number}"
    dom = subprocess.run(
        [BROWSER, *FLAGS, *own, "--virtual-time-budget=8000", "--dump-dom", page],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout
    subprocess.run([BROWSER, *FLAGS, *own, *look, page], capture_output=True, timeout=120, check=True)
    return dom, picture.read_bytes()


def test_one_comment_a_topic_whatever_repeats_itself(live: Callable[..., Life], tmp_path: Path) -> None:
    life = live(small({KEY: [1]}))
    # Two deliveries that come twice: the opening, and a label.
    life.forge.fault("duplicate pull_request.opened")
    life.forge.fault("duplicate pull_request.labeled")
    package = {"infx/errors.py": life.tree["infx/errors.py"].decode() + "# one line more\n"}
    number = life.propose({**change(life.tree, KEY), **package}, FAST)
    life.rest(limit_s=300)
    first = life.sweeps()[0].id
    for turn in range(3):
        life.mia.push_to_pull(number, {"README.md": f"turn {turn}\n"}, message=f"Turn {turn}")
        life.rest(limit_s=300)
    for _ in range(2):
        life.mia.unlabel(number, FAST)
        life.mia.label(number, FAST)
        life.rest(limit_s=300)
    newest = life.status(number)
    life.forge.engine.rerun(first, failed_only=False, actor="mia")
    life.rest(limit_s=300)
    bodies = [one.body for one in life.comments(number)]
    topics = Counter(found[0] for body in bodies if (found := TOPIC.match(body)))
    assert set(topics.values()) == {1}, topics
    assert {welcome.MARK, comment.STATUS} <= set(topics)
    assert len(topics) == len(bodies)
    assert life.status(number) == newest
    dom, picture = browse(life, number, tmp_path)
    head = life.mia.pull(number)["head"]["sha"][:7]
    assert dom.count("How this pull request gets measured and merged") == 1
    assert dom.count("infx diff: +1 -0") == 1
    assert f"Sweep of {head}: 1 of 1 points valid" in dom
    assert "still block" in dom
    assert "infx:section" not in re.sub(r"<!--.*?-->", "", dom, flags=re.S)
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 20_000
    kept = os.environ.get("INFX_SCREENSHOTS")
    if kept:
        (Path(kept) / "conversation.png").write_bytes(picture)
