"""Settings of a repository by kind: variables, secrets, environments (their rules as JSON)."""

from infx.forge.database import Row
from infx.forge.visit import Visit

SETTING = "SELECT rowid AS id, * FROM settings WHERE repo = ? AND kind = ?"


def find(at: Visit, kind: str, name: str) -> Row | None:
    return at.db.row(f"{SETTING} AND name = ?", at.repo["id"], kind, name)


def every(at: Visit, kind: str) -> list[Row]:
    return at.db.rows(f"{SETTING} ORDER BY name", at.repo["id"], kind)


def put(at: Visit, kind: str, name: str, *, value: str = "") -> None:
    now = at.site.stamp()
    at.db.run(
        "INSERT INTO settings (repo, kind, name, value, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (repo, kind, name) DO UPDATE SET value = excluded.value, updated_at = ?",
        *(at.repo["id"], kind, name, value, now, now, now),
    )


def remove(at: Visit, kind: str, name: str) -> None:
    at.db.run("DELETE FROM settings WHERE repo = ? AND kind = ? AND name = ?", at.repo["id"], kind, name)
