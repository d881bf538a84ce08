"""A folder of an older forge opens in a newer one, with everything that was in it."""

import sqlite3
from pathlib import Path

from infx.forge.database import Database
from infx.forge.tables import SCHEMA


def older(path: Path) -> None:
    """Without rulesets, milestones and locks."""
    link = sqlite3.connect(path)
    link.executescript(SCHEMA)
    link.executescript(
        "DROP TABLE documents; DROP TABLE milestones; DROP INDEX comments_issue;"
        "ALTER TABLE issues DROP COLUMN locked; ALTER TABLE members DROP COLUMN role;"
        "INSERT INTO issues (repo, number, title) VALUES (1, 7, 'kept');"
    )
    link.close()


def shape(db: Database) -> set[tuple[str, str]]:
    names = [row["name"] for row in db.rows("SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")]
    return {(name, row["name"]) for name in names for row in db.rows(f"PRAGMA table_info({name})")}


def test_what_came_since_is_added(tmp_path):
    older(tmp_path / "old.db")
    old, new = Database(tmp_path / "old.db"), Database(tmp_path / "new.db")
    assert shape(old) == shape(new)
    assert old.row("SELECT title, locked FROM issues WHERE number = 7") == {"title": "kept", "locked": None}
    old.close()
    again = Database(tmp_path / "old.db")
    assert again.insert("documents", place="org acme", kind="k", name="n", data="{}") == 1
    for one in (again, new):
        one.close()
