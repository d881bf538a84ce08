"""Show: templates, and how times, states and sizes are written."""

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from infx.forge.look import markdown

FOLDER = Path(__file__).parent
MARKS = {
    "success": "✓",
    "failure": "✕",
    "error": "✕",
    "startup_failure": "✕",
    "timed_out": "✕",
    "cancelled": "⊘",
    "skipped": "–",
    "neutral": "–",
    "action_required": "!",
    "in_progress": "●",
}
"""A letter for each state, so that colour is not all there is; whatever waits is `○`."""
MINUTE, HOUR, DAY = 60, 3600, 86400


def state(thing: Any) -> str:
    """Conclusion, else status, of a run, job, step or check."""
    return str(thing["conclusion"] or thing["status"])


def mark(name: str) -> str:
    return MARKS.get(name, "○")


def seconds(stamp: str) -> float:
    return datetime.fromisoformat(stamp.replace("Z", "+00:00")).timestamp()


def ago(stamp: str, now: float) -> str:
    passed = now - seconds(stamp)
    if passed < MINUTE:
        return "just now"
    for unit, name in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        count = int(passed // unit)
        if count:
            return f"{count} {name}{'s' * (count > 1)} ago"
    return "just now"


def took(thing: Any, now: float) -> str:
    """How long a job or step has run; empty before its start."""
    if not thing["started_at"]:
        return ""
    end = seconds(thing["completed_at"]) if thing["completed_at"] else now
    passed = max(0, int(end - seconds(thing["started_at"])))
    return f"{passed // 60}m {passed % 60}s" if passed >= MINUTE else f"{passed}s"


def size(count: int) -> str:
    for unit, name in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")):
        if count >= unit:
            return f"{count / unit:.1f} {name}"
    return f"{count} bytes"


def hue(text: str) -> int:
    """One of twelve colours of faces, always the same for the same person."""
    return hashlib.sha256(text.encode()).digest()[0] % 12


def ink(color: str) -> str:
    """`dark` or `light`: what is readable on a label of this colour."""
    red, green, blue = (int(color[place : place + 2], 16) for place in (0, 2, 4))
    return "dark" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "light"


WRITER = Environment(
    loader=FileSystemLoader(FOLDER / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
WRITER.filters |= {one.__name__: one for one in (state, mark, ago, took, size, hue, ink)}
WRITER.filters["markdown"] = markdown.render


def page(template: str, **known: Any) -> str:
    """HTML of one page. `now` (Unix seconds) is the forge's time."""
    known.setdefault("now", datetime.now(UTC).timestamp())
    known.setdefault("live", False)
    return WRITER.get_template(f"{template}.html").render(known)
