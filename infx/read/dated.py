"""Dated: changelog entries with the moment at which each was added, from `git blame --porcelain`."""

import re

from infx.entry import Entry
from infx.read.changelog import read_entries

HEADER = re.compile(r"([0-9a-f]{40,64}) \d+ \d+(?: \d+)?")


def dated(blame: str, *, where: str) -> list[tuple[float, Entry]]:
    """Unix seconds of the commit that wrote an entry's first line, and the entry; file order.

    Empty when lines and entries do not fit together. BadInput when the changelog cannot be read.
    """
    lines = _lines(blame)
    begins = [time for time, text in lines if text.startswith("- ")]
    entries = read_entries("\n".join(text for _, text in lines) + "\n", where=where)
    return list(zip(begins, entries, strict=True)) if len(begins) == len(entries) else []


def _lines(blame: str) -> list[tuple[float, str]]:
    """Commit time and text of every line. A commit tells its time only where it comes first."""
    times: dict[str, float] = {}
    commit, found = "", []
    for line in blame.split("\n"):
        if line.startswith("\t"):
            found.append((times.get(commit, 0.0), line[1:]))
        elif match := HEADER.fullmatch(line):
            commit = match[1]
        elif line.startswith("committer-time "):
            times[commit] = float(line.split()[1])
    return found
