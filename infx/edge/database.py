"""Database: published rows in an embedded DuckDB file, which the store of record can always make again.

A build works on a copy and moves it into place at its end, under a lock of its own: readers never wait, a
crash leaves the old file, and of two builds the second finds nothing left to do.
"""

import fcntl
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from types import UnionType
from typing import Any, get_args

from infx.edge.migrations import MIGRATIONS
from infx.errors import BadInput, CouldNotReport, CouldNotTell
from infx.flat import COLUMNS, TYPES, Flat
from infx.retraction import Retraction

SQL_TYPES = {str: "VARCHAR", int: "BIGINT", float: "DOUBLE", bool: "BOOLEAN"}
REBUILD = "run `infx results build`, which makes it again from the store"
FILE_TYPE = ".duckdb"
"""Ending of a file that may be replaced when nothing can be read in it."""
LOCKED = "Could not set lock"
FULL = ("No space left", "File too large", "disk quota", "out of disk")
"""What DuckDB says of a disk that takes no more."""


class Damaged(CouldNotTell):
    """The file is no database of infx, or only a part of one. Nothing is lost: it can be made again."""


class Outdated(Damaged):
    """A database of another format; its rows can be taken over."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """What one file of the store says in one commit."""

    path: str
    blob: str
    """Object id of the file: equal ids, equal content."""
    rows: Sequence[Flat] = ()
    retractions: Sequence[Retraction] = ()
    """Those that stand; an undone one is left out."""


def open_read(path: Path) -> Any:
    """A connection that only reads. BadInput when there is no file, Damaged when it cannot be read."""
    import duckdb  # late: it costs more than most commands take

    if not path.is_file():
        raise BadInput("there is no results database", where=str(path), todo="run `infx results build`")
    with told(path):
        connection = duckdb.connect(str(path), read_only=True)
        found = _format(connection)
        if found != len(MIGRATIONS):
            connection.close()
            raise Outdated(
                f"format {found} of the database is not {len(MIGRATIONS)}", where=str(path), todo=REBUILD
            )
        return connection


def rows(connection: Any, sql: str, values: Sequence[Any] = (), *, path: Path) -> list[dict[str, Any]]:
    """Rows of one query, as mappings by column."""
    with told(path):
        done = connection.execute(sql, list(values))
        names = [one[0] for one in done.description]
        return [dict(zip(names, row, strict=True)) for row in done.fetchall()]


def blobs(path: Path) -> dict[str, str]:
    """Path in the store → object id that the database holds, also one of an older format; empty when there is
    no database that can be built upon."""
    import duckdb

    if not path.is_file():
        return {}
    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            known = 0 < _format(connection) <= len(MIGRATIONS)
            return dict(connection.execute("SELECT path, blob FROM files").fetchall()) if known else {}
    except duckdb.Error:
        return {}


def current(path: Path) -> bool:
    """There is a database, and it is of the newest format."""
    try:
        open_read(path).close()
    except (BadInput, Damaged):
        return False
    return True


def claim(path: Path) -> None:
    """BadInput where something stands at `path` that is no results database, damaged or whole: a build would
    take its place. CouldNotTell while another program has it open."""
    import duckdb

    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        return
    other = BadInput("this is no results database", where=str(path), todo="give another --database")
    if not path.is_file():
        raise other
    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            found = {
                name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
            }
    except duckdb.Error as error:
        _locked(error, path)
        if path.suffix == FILE_TYPE:
            return
        raise other from error
    if found and not {"meta", "rows", "files"} <= found:
        raise other


def _locked(error: Exception, path: Path) -> None:
    if LOCKED in str(error):
        raise CouldNotTell(
            "another program has the results database open", where=str(path), todo="close it there"
        ) from error


@contextmanager
def building(path: Path) -> Iterator[None]:
    """Holds the lock of all builds of `path`; waits for another one to end. Refuses what `claim` refuses."""
    claim(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f"{path.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def build(path: Path, sources: Iterable[Source], gone: Iterable[str], *, commit: str) -> None:
    """Take in the files of `sources` and forget those that are `gone`, in one step, under `building`.

    A file that the database already has is replaced, so that the same build again changes nothing.
    CouldNotReport when the disk is full: then the old database is still there.
    """
    fresh = not path.is_file() or not blobs(path)
    with TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        draft = Path(folder) / path.name
        if not fresh:
            shutil.copyfile(path, draft)
        with told(path):
            _fill(draft, sources, gone, commit)
        draft.replace(path)


def _fill(draft: Path, sources: Iterable[Source], gone: Iterable[str], commit: str) -> None:
    import duckdb

    connection = duckdb.connect(str(draft))
    try:
        migrate(connection)
        connection.execute("BEGIN")
        for path in gone:
            _forget(connection, path)
        _insert(connection, sources, draft.parent)
        connection.execute("DELETE FROM meta WHERE name = 'commit'")
        connection.execute("INSERT INTO meta VALUES ('commit', ?)", [commit])
        connection.execute("DELETE FROM latest")
        connection.execute(LATEST)
        connection.execute("COMMIT")
    finally:
        connection.close()


LATEST = """
INSERT INTO latest SELECT * FROM marked WHERE "current" AND retracted IS NULL
QUALIFY row_number() OVER (PARTITION BY series ORDER BY published DESC, measured DESC NULLS LAST, merge) = 1
"""


def migrate(connection: Any) -> None:
    """Bring a database of an older format to the newest, step by step, each whole or not at all."""
    for number in range(_format(connection), len(MIGRATIONS)):
        connection.execute("BEGIN")
        for statement in MIGRATIONS[number]:
            connection.execute(statement)
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('format', ?)", [str(number + 1)])
        connection.execute("COMMIT")


def _format(connection: Any) -> int:
    found = connection.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = 'meta'").fetchall()
    if not found:
        return 0
    (value,) = connection.execute("SELECT value FROM meta WHERE name = 'format'").fetchone() or ("0",)
    return int(value)


def _forget(connection: Any, path: str) -> None:
    for table in ("rows", "retractions", "files"):
        connection.execute(
            f"DELETE FROM {table} WHERE {'path' if table == 'files' else 'source'} = ?", [path]
        )


def _insert(connection: Any, sources: Iterable[Source], folder: Path) -> None:
    """Rows go through one file of JSON lines, which DuckDB reads many times faster than single inserts."""
    with NamedTemporaryFile("w", dir=folder, suffix=".jsonl") as file:
        for source in sources:
            _forget(connection, source.path)
            connection.execute("INSERT INTO files VALUES (?, ?)", [source.path, source.blob])
            for row in source.rows:
                file.write(json.dumps({"source": source.path, **vars(row)}) + "\n")
            for one in source.retractions:
                values = [source.path, one.run, one.point, one.reason, one.by, one.at]
                connection.execute("INSERT INTO retractions VALUES (?, ?, ?, ?, ?, ?)", values)
        file.flush()
        columns = {"source": "VARCHAR"} | {name: _sql(TYPES[name]) for name in COLUMNS}
        typed = ", ".join(f"'{name}': '{kind}'" for name, kind in columns.items())
        names = ", ".join(f'"{name}"' for name in columns)
        read = f"read_json(?, format = 'newline_delimited', columns = {{{typed}}})"
        connection.execute(f"INSERT INTO rows ({names}) SELECT {names} FROM {read}", [file.name])


def _sql(kind: Any) -> str:
    return SQL_TYPES[get_args(kind)[0] if isinstance(kind, UnionType) else kind]


@contextmanager
def told(path: Path) -> Iterator[None]:
    """DuckDB's errors as ours."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        _locked(error, path)
        what = str(error).splitlines()[0][:200]
        if any(words.lower() in what.lower() for words in FULL):
            raise CouldNotReport(what, where=str(path), todo="make room, and try again") from error
        raise Damaged(f"the results database is damaged ({what})", where=str(path), todo=REBUILD) from error


def export(connection: Any, sql: str, values: Sequence[Any], *, to: Path) -> None:
    """Rows of a query as a Parquet or CSV file, by the ending of its name; whole or not there."""
    forms: Mapping[str, str] = {".parquet": "FORMAT parquet, COMPRESSION zstd", ".csv": "FORMAT csv, HEADER"}
    form = forms.get(to.suffix)
    if form is None:
        raise BadInput(
            f"cannot write {to.suffix or 'a file without ending'}",
            where=str(to),
            todo="end it in .parquet or .csv",
        )
    to.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=to.parent, prefix=f".{to.name}.") as folder, told(to):
        draft = str(Path(folder) / to.name).replace("'", "''")
        connection.execute(f"COPY ({sql}) TO '{draft}' ({form})", list(values))
        (Path(folder) / to.name).replace(to)
