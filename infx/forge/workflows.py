"""Workflow files: which ones a repository has, under which id and name."""

import re

from infx.forge.database import Row
from infx.forge.visit import Visit

FOLDER = ".github/workflows"
NAME = re.compile(rb"^name:[ \t]*(.+?)[ \t]*(?:#.*)?$", re.M)


def known(at: Visit, path: str, *, name: str = "") -> Row:
    """Row of the workflow with that path, made on first sight; a given name is taken over."""
    now = at.site.stamp()
    at.db.run(
        "INSERT INTO workflows (repo, path, name, state, created_at, updated_at) "
        "VALUES (?, ?, ?, 'active', ?, ?) "
        "ON CONFLICT (repo, path) DO UPDATE SET name = coalesce(nullif(?, ''), name)",
        *(at.repo["id"], path, name or path, now, now, name),
    )
    row = at.db.row("SELECT * FROM workflows WHERE repo = ? AND path = ?", at.repo["id"], path)
    assert row
    return row


def listing(at: Visit) -> list[Row]:
    """Workflows of the default branch, and those that ran from another one."""
    bare, ref = at.bare, f"refs/heads/{at.branch}"
    tip = bare.ref(ref)
    for path in bare.tree(tip, FOLDER) if tip else ():
        if path.endswith((".yml", ".yaml")) and path.count("/") == FOLDER.count("/") + 1:
            known(at, path, name=title(bare.show(str(tip), path) or b"", path))
    return at.db.rows("SELECT * FROM workflows WHERE repo = ? ORDER BY id", at.repo["id"])


def title(text: bytes, path: str) -> str:
    """Top-level `name:` of a workflow file, else its path."""
    found = NAME.search(text)
    return found[1].decode("utf-8", "replace").strip("'\"") if found else path


def find(at: Visit, name: str) -> Row | None:
    """By id or by file name."""
    for row in listing(at):
        if name in (str(row["id"]), row["path"].rsplit("/", 1)[-1], row["path"]):
            return row
    return None
