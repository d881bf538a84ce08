"""CODEOWNERS: lines become rules by GitHub's documented syntax; an invalid line is skipped and reported.

The library `codeowners` turns patterns into expressions. Its reader of lines is not used: it takes words of
comments for owners and knows sections that GitHub does not have.
"""

import re
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

from infx.owners import SIZE_LIMIT, Fault, Owners, Rule

WORD = re.compile(r"(?:\\.|\S)+")
BAD_PATTERN = re.compile(r"^!|^\\#|(?<!\\)[\[\]]|\*\*\*|\\$")
"""Negation, a leading escaped `#` and ranges work in .gitignore and not here."""
OWNER = re.compile(r"@[A-Za-z0-9](?:[\w-]*)(?:/[\w.-]+)?|[^@\s#]+@[^@\s.]+(?:\.+[^@\s.]+)+\.*")
WILD = re.compile(r"[*?]")


def read(data: bytes) -> Owners:
    """The file's rules. One that is too large, or that has lines and no valid one, does not count at all."""
    if len(data) > SIZE_LIMIT:
        return Owners(trouble=f"CODEOWNERS has {len(data)} bytes; GitHub loads at most {SIZE_LIMIT}")
    rules: list[Rule] = []
    faults: list[Fault] = []
    lines = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        found = list(words(line))
        if not found:
            continue
        wrong = list(wrongs(number, line, found))
        faults += wrong
        if not wrong:
            rules.append(rule(number, found[0][0], tuple(word for word, _ in found[1:])))
    trouble = ""
    if faults and not rules:
        trouble = f"CODEOWNERS has no valid line: line {faults[0].line} has an {faults[0].kind.lower()}"
    return Owners(tuple(rules), tuple(faults), trouble)


def words(line: str) -> Iterator[tuple[str, int]]:
    """Words of a line before its comment, each with its offset. A `#` inside a word is no comment."""
    for match in WORD.finditer(line):
        if match[0].startswith("#"):
            return
        yield match[0], match.start()


def wrongs(number: int, line: str, found: list[tuple[str, int]]) -> Iterator[Fault]:
    """What GitHub has against the syntax of one line."""
    (pattern, start), *owners = found
    if BAD_PATTERN.search(pattern) or not pattern.strip("/"):
        yield Fault(line=number, column=start + 1, kind="Invalid pattern", source=line, word=pattern)
    for owner, at in owners:
        if not OWNER.fullmatch(owner):
            yield Fault(line=number, column=at + 1, kind="Invalid owner", source=line, word=owner)


def rule(number: int, pattern: str, owners: tuple[str, ...]) -> Rule:
    """One valid line."""
    return Rule(
        line=number,
        pattern=plain(pattern),
        owners=owners,
        regex=partial(expression, pattern),
        **simple(pattern),
    )


@cache
def expression(pattern: str) -> re.Pattern[str]:
    """Matches the paths of a pattern."""
    from codeowners import path_to_regex  # late: most commands ask for no owner

    made = path_to_regex(pattern)
    # A file's name may hold a line break, which `.` would stop at.
    return re.compile(made.pattern, re.DOTALL) if "**" in pattern else made


def simple(pattern: str) -> dict[str, Any]:
    """What a pattern is that is no more than a path, a name, or the ending of names; empty for any other."""
    folder = pattern.endswith(("/", "/**"))
    core = pattern.removesuffix("**").removesuffix("/") if folder else pattern
    anywhere = core.startswith("**/")
    core = core.removeprefix("**/")
    anchored = not anywhere and "/" in pattern.rstrip("/")
    bare = re.sub(r"\\.", "", core)
    if not bare.strip("/") or (anywhere and "/" in core):
        return {}
    if not WILD.search(bare):
        return {"literal": plain(core).strip("/"), "anchored": anchored, "folder": folder}
    ending = core[1:]
    if anchored or not re.fullmatch(r"[\w-]*\.[\w.-]*\w", ending) or core[0] != "*":
        return {}
    return {"ending": ending, "folder": folder}


def plain(pattern: str) -> str:
    """Without escapes."""
    return re.sub(r"\\(.)", r"\1", pattern)
