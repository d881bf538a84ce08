"""Owners: what GitHub has to say against a CODEOWNERS file."""

import re
from collections.abc import Iterator

from infx.forge.site import Json
from infx.forge.tokens import at_least, role_of
from infx.forge.visit import Visit

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""In this order; the first file counts (docs: About code owners)."""
OWNER = re.compile(r"@[\w-]+(/[\w.-]+)?|[^@\s]+@[^@\s]+\.[^@\s]+")
BAD_PATTERN = re.compile(r"^!|\[|\]|\*\*\*|^\\#")
"""Negation, character ranges and an escaped `#` work in .gitignore and not here."""


def path_at(at: Visit, commit: str) -> str | None:
    """Where the file is in that commit."""
    listed = at.bare.attempt("ls-tree", "--name-only", "-z", commit, "--", *PLACES).text.split("\0")
    return next((path for path in PLACES if path in listed), None)


def errors(at: Visit, commit: str, path: str) -> list[Json]:
    """One entry for each fault, in the order of the lines."""
    text = at.bare("cat-file", "blob", f"{commit}:{path}").decode("utf-8", "replace")
    return [
        {**fault, "path": path}
        for number, line in enumerate(text.splitlines(), 1)
        for fault in faults(at, number, line)
    ]


def faults(at: Visit, number: int, line: str) -> Iterator[Json]:
    said = line.partition(" #")[0].rstrip()
    words = list(re.finditer(r"(?:\\.|\S)+", said))
    if not words or words[0][0].startswith("#"):
        return
    if BAD_PATTERN.search(words[0][0]):
        better = words[0][0].replace("***", "**")
        hint = f"Did you mean `{better}`?" if "***" in words[0][0] else "make sure the pattern is supported"
        yield fault(number, line, words[0].start(), "Invalid pattern", hint)
    for word in words[1:]:
        if not OWNER.fullmatch(word[0]):
            yield fault(number, line, word.start(), "Invalid owner")
        elif not known(at, word[0]):
            hint = f"make sure {word[0]} exists and has write access to the repository"
            yield fault(number, line, word.start(), "Unknown owner", hint)


def fault(number: int, line: str, column: int, kind: str, hint: str | None = None) -> Json:
    pointer = " " * column + "^"
    return {
        "line": number,
        "column": column + 1,
        "kind": kind,
        "source": line,
        "suggestion": hint,
        "message": f"{kind} on line {number}:{f' {hint}' if hint else ''}\n\n  {line}\n  {pointer}",
    }


def known(at: Visit, owner: str) -> bool:
    """A person who may write, a team of the organization, or the address of somebody known."""
    if not owner.startswith("@"):
        return at.site.by_email(owner) is not None
    login, slash, slug = owner[1:].partition("/")
    if slash:
        same = login.lower() == at.repo["owner"].lower()
        return same and at.db.row("SELECT 1 FROM teams WHERE org = ? AND slug = ?", login, slug) is not None
    there = at.db.row("SELECT 1 FROM users WHERE login = ?", login)
    return there is not None and at_least(role_of(at, login), "write")
