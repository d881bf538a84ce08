"""Database: one SQLite connection behind one lock, and the few ways in which it is asked."""

import json
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from infx.forge.tables import FIRST_IDS, SCHEMA

Row = dict[str, Any]
VERSION = zlib.crc32(SCHEMA.encode()) >> 1
"""Stands in the file, and changes with the tables."""


def as_dict(cursor: sqlite3.Cursor, values: tuple[Any, ...]) -> Row:
    return {column[0]: value for column, value in zip(cursor.description, values, strict=True)}


class Database:
    """Safe from any thread. One lock costs less than SQLite's own hand-over between connections."""

    def __init__(self, path: Path) -> None:
        new = not path.exists()
        self._lock = threading.RLock()
        self._depth = 0
        self._link = sqlite3.connect(
            path, check_same_thread=False, isolation_level=None, cached_statements=512
        )
        self._link.row_factory = as_dict
        self._link.execute("PRAGMA journal_mode = WAL")
        self._link.execute("PRAGMA synchronous = OFF")
        if new:
            self._link.executescript(SCHEMA)
            self._link.executemany("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", FIRST_IDS.items())
        elif self.value("PRAGMA user_version") != VERSION:
            self._grow()
        self._link.execute(f"PRAGMA user_version = {VERSION}")

    def _grow(self) -> None:
        """A folder of an older forge gets the tables and columns that came since."""
        model = sqlite3.connect(":memory:")
        model.executescript(SCHEMA)
        known = {row["name"] for row in self.rows("SELECT name FROM sqlite_master")}
        for name, kind, sql in model.execute("SELECT name, type, sql FROM sqlite_master ORDER BY rowid"):
            if name.startswith("sqlite_"):
                continue
            if name not in known:
                self.run(sql)
            elif kind == "table":
                self._widen(name, model.execute(f"PRAGMA table_info({name})").fetchall())
        model.close()

    def _widen(self, table: str, columns: Sequence[tuple[Any, ...]]) -> None:
        """`columns` as `PRAGMA table_info` lists them."""
        known = {row["name"] for row in self.rows(f"PRAGMA table_info({table})")}
        for _, name, kind, *_ in columns:
            if name not in known:
                self.run(f'ALTER TABLE {table} ADD COLUMN "{name}" {kind}')

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, and nobody else in between; may be nested."""
        with self._lock:
            if self._depth == 0:
                self._link.execute("BEGIN IMMEDIATE")
            self._depth += 1
            try:
                yield
            except BaseException:
                self._depth -= 1
                if self._depth == 0:
                    self._link.execute("ROLLBACK")
                raise
            self._depth -= 1
            if self._depth == 0:
                self._link.execute("COMMIT")

    def rows(self, sql: str, *values: Any) -> list[Row]:
        with self._lock:
            return self._link.execute(sql, values).fetchall()

    def row(self, sql: str, *values: Any) -> Row | None:
        with self._lock:
            found: Row | None = self._link.execute(sql, values).fetchone()
            return found

    def value(self, sql: str, *values: Any) -> Any:
        """First column of the first row; None when there is none."""
        found = self.row(sql, *values)
        return next(iter(found.values())) if found else None

    def run(self, sql: str, *values: Any) -> int:
        """Number of rows that a statement changed."""
        with self._lock:
            return self._link.execute(sql, values).rowcount

    def insert(self, table: str, **columns: Any) -> int:
        """Id of the new row. Column names come from code, never from a request."""
        names = ", ".join(f'"{name}"' for name in columns)
        marks = ", ".join("?" for _ in columns)
        with self._lock:
            cursor = self._link.execute(
                f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(columns.values())
            )
            return int(cursor.lastrowid or 0)

    def change(self, table: str, row_id: int, **columns: Any) -> None:
        """Set columns of the row with that id."""
        pairs = ", ".join(f'"{name}" = ?' for name in columns)
        self.run(f"UPDATE {table} SET {pairs} WHERE id = ?", *columns.values(), row_id)

    def close(self) -> None:
        with self._lock:
            self._link.close()


def pack(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def unpack(text: str | None) -> Any:
    return json.loads(text) if text else None
