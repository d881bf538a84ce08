"""Documents: what is kept as JSON and read as a whole, such as rulesets, runner groups, settings of Actions.

The place is `repo 500` or `org acme`; a kind's documents have a name each.
"""

from infx.forge.database import Row, pack, unpack
from infx.forge.problem import not_found
from infx.forge.site import Json, Site
from infx.forge.visit import Visit

DOCUMENTS = "SELECT * FROM documents WHERE place = ? AND kind = ?"


def of_repo(at: Visit) -> str:
    return f"repo {at.repo['id']}"


def of_org(org: str) -> str:
    return f"org {org}"


def find(site: Site, place: str, kind: str, *, name: str = "") -> Row | None:
    return site.db.row(f"{DOCUMENTS} AND name = ?", place, kind, name)


def by_id(site: Site, place: str, kind: str, *, number: int) -> Row:
    row = site.db.row(f"{DOCUMENTS} AND id = ?", place, kind, number)
    if not row:
        raise not_found()
    return row


def read(site: Site, place: str, kind: str, *, name: str = "") -> Json:
    """The document, empty when nobody ever wrote it."""
    row = find(site, place, kind, name=name)
    return data(row) if row else {}


def data(row: Row) -> Json:
    kept: Json = unpack(row["data"])
    return kept


def every(site: Site, place: str, kind: str) -> list[Row]:
    return site.db.rows(f"{DOCUMENTS} ORDER BY id", place, kind)


def put(site: Site, place: str, kind: str, *, name: str = "", value: Json) -> int:
    """Write the document of that name; its id."""
    now = site.stamp()
    site.db.run(
        "INSERT INTO documents (place, kind, name, data, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (place, kind, name) DO UPDATE "
        "SET data = excluded.data, updated_at = excluded.updated_at",
        *(place, kind, name, pack(value), now, now),
    )
    row = find(site, place, kind, name=name)
    assert row
    return int(row["id"])


def change(site: Site, row: Row, *, name: str, value: Json) -> None:
    site.db.change("documents", row["id"], name=name, data=pack(value), updated_at=site.stamp())


def remove(site: Site, row: Row) -> None:
    site.db.run("DELETE FROM documents WHERE id = ?", row["id"])
