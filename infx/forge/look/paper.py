"""Paper: the log of a job for a page: groups fold, marks get a colour, the rest is plain text."""

import re
from pathlib import Path
from typing import Any

SHOWN = 512 * 1024
"""Bytes at the end of a log that a page shows; the raw log has all."""
STAMP = re.compile(r"^\d{4}-\d\d-\d\dT(\d\d:\d\d:\d\d)\S* ?")
COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
MARK = re.compile(r"##\[(group|endgroup|error|warning|notice|debug)\](.*)")


def read(path: Path) -> tuple[str, bool]:
    """The end of the log, and whether its beginning was left out."""
    if not path.exists():
        return "", False
    with path.open("rb") as file:
        length = file.seek(0, 2)
        file.seek(max(0, length - SHOWN))
        text = file.read().decode("utf-8", "replace")
    return text, length > SHOWN


def blocks(text: str) -> list[dict[str, Any]]:
    """Lines under the group that they stand in; `title` is empty outside of one."""
    found: list[dict[str, Any]] = []
    current: dict[str, Any] | None = None
    for line in text.splitlines():
        clock = STAMP.match(line)
        words = COLOUR.sub("", line[clock.end() :] if clock else line)
        marked = MARK.match(words)
        kind, rest = (marked[1], marked[2]) if marked else ("", words)
        if kind == "endgroup":
            current = None
            continue
        if kind == "group" or current is None:
            current = {"title": rest if kind == "group" else "", "lines": []}
            found.append(current)
        if kind != "group":
            current["lines"].append({"clock": clock[1] if clock else "", "kind": kind, "text": rest})
    return found
