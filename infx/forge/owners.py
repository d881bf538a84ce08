"""Owners: what GitHub has to say against a CODEOWNERS file."""

from infx.forge.site import Json
from infx.forge.tokens import at_least, role_of
from infx.forge.visit import Visit
from infx.owners import PLACES
from infx.read import codeowners


def path_at(at: Visit, commit: str) -> str | None:
    """Where the file is in that commit."""
    listed = at.bare.attempt("ls-tree", "--name-only", "-z", commit, "--", *PLACES).text.split("\0")
    return next((path for path in PLACES if path in listed), None)


def errors(at: Visit, commit: str, path: str) -> list[Json]:
    """One entry for each fault, in the order of the lines."""
    data = at.bare("cat-file", "blob", f"{commit}:{path}")
    lines = data.decode("utf-8-sig", "replace").split("\n")
    found = codeowners.read(data)
    faults = [
        fault(one.line, one.source, one.column - 1, one.kind, hint_of(one.kind, one.word))
        for one in found.faults
    ]
    for rule in found.rules:
        line = lines[rule.line - 1]
        for word, column in list(codeowners.words(line))[1:]:
            if not known(at, word):
                hint = f"make sure {word} exists and has write access to the repository"
                faults.append(fault(rule.line, line, column, "Unknown owner", hint))
    return [{**one, "path": path} for one in sorted(faults, key=lambda one: (one["line"], one["column"]))]


def hint_of(kind: str, word: str) -> str | None:
    if kind != "Invalid pattern":
        return None
    better = word.replace("***", "**")
    return f"Did you mean `{better}`?" if better != word else "make sure the pattern is supported"


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
