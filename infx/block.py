"""Block: the bytes of one changelog entry. The changelog is compared and repaired in these, never in YAML."""

import re
from collections.abc import Iterator, Sequence

MARKER = re.compile(rb"^(?:<{7}|>{7}|\|{7})(?: .*)?$|^={7} *$")
"""A line that a merge leaves behind."""


def blocks(data: bytes) -> list[bytes]:
    """Entries in order, each without the blank lines around it; joined by `tail` they make a file again.

    A block begins at a line `- …`, at the comment directly above one, or at an unindented line after a blank
    one. Blank lines inside a block stay.
    """
    found: list[list[bytes]] = []
    for line in data.split(b"\n"):
        if _starts(line, found[-1] if found else []):
            found.append([line])
        elif found:
            found[-1].append(line)
    return [block for block in (_trim(lines) for lines in found) if block]


def tail(base: bytes, added: Sequence[bytes]) -> bytes:
    """What must follow `base` so that `added` stands at its end, one empty line before each block."""
    if not added:
        return b""
    return _joint(base) + b"\n\n".join(added) + b"\n"


def clean(data: bytes) -> bytes:
    """UTF-8 without byte order mark, CR, tab and NUL; bytes that are not UTF-8 are read as Latin-1."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").replace("\ufeff", "")
    text = re.sub(r"(?m)^[ \t]+$", "", text)
    return (
        re.sub(r"(?m)^[ \t]+", lambda indent: indent[0].replace("\t", "  "), text).replace("\t", " ").encode()
    )


def markers(data: bytes) -> list[int]:
    """Numbers of the lines that are conflict markers, from 1."""
    return [number for number, line in enumerate(data.split(b"\n"), 1) if MARKER.match(line.rstrip(b"\r"))]


def unmarked(data: bytes) -> bytes:
    """Both sides of every conflict, without the markers."""
    return b"\n".join(line for line in data.split(b"\n") if not MARKER.match(line.rstrip(b"\r")))


def link(block: bytes) -> bytes:
    """Text of the block's `pr-link`; empty when it has none."""
    match = re.search(rb"""^[ \t]*(?:- )?pr-link:[ \t]*["']?([^"'\s]*)""", block, re.MULTILINE)
    return match[1] if match else b""


def linked(block: bytes, address: bytes) -> bytes:
    """The block with another `pr-link`."""
    return re.sub(
        rb"""^([ \t]*(?:- )?pr-link:[ \t]*["']?)([^"'\s]*)""",
        lambda match: match[1] + address,
        block,
        count=1,
        flags=re.MULTILINE,
    )


def likeness(one: bytes, other: bytes) -> float:
    """Share of lines that two blocks have in common, 0 to 1."""
    mine, theirs = set(_lines(one)), set(_lines(other))
    return len(mine & theirs) / max(len(mine), len(theirs), 1)


def _lines(block: bytes) -> Iterator[bytes]:
    return (line.strip() for line in block.split(b"\n") if line.strip())


def _starts(line: bytes, before: Sequence[bytes]) -> bool:
    """True when a line opens a block; `before` is the open one."""
    if not line.strip() or line[:1] in b" \t":
        return False
    if not before or not before[-1].strip():
        return True
    return (line.startswith(b"- ") or line == b"-") and not all(one.startswith(b"#") for one in before)


def _trim(lines: Sequence[bytes]) -> bytes:
    return b"\n".join(lines).strip(b"\r\n")


def _joint(base: bytes) -> bytes:
    """What is missing after `base` up to one empty line; blank lines already there count."""
    if not base.strip():
        return b""
    if base.endswith(b"\n\n") or base.endswith(b"\n\r\n"):
        return b""
    return b"\n" if base.endswith(b"\n") else b"\n\n"
