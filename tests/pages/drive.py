"""Drive: a browser goes through steps on a page, and says what it saw."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from tests.groups import BROWSER, ROOT

SCRIPT = Path(__file__).with_suffix(".mjs")
WIDE, NARROW = {"width": 1400, "height": 1000}, {"width": 420, "height": 900}
OVERLAPS = ("see", Path(__file__).with_name("overlaps.js").read_text())
"""Words of charts that lie on each other, leave their chart, and charts that leave their frame."""
SIDEWAYS = ("see", "document.documentElement.scrollWidth - document.documentElement.clientWidth")


def drive(*steps: tuple[str, Any], **window: int) -> list[Any]:
    """Answers of the `see` steps. Fails when the page complained, or asked for anything but itself."""
    seen = told(*steps, **window)
    assert seen["complaints"] == []
    assert [url for url in seen["requests"] if not url.startswith("file:")] == []
    answers: list[Any] = seen["answers"]
    return answers


def told(*steps: tuple[str, Any], **window: int) -> dict[str, Any]:
    given = {"browser": BROWSER, "steps": steps, "sandbox": os.geteuid() != 0, **window}
    done = subprocess.run(
        ["node", str(SCRIPT)],
        input=json.dumps(given),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found
