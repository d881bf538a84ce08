"""The results database: whole or not there, and never without the rows that the store has."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from infx.edge import database
from infx.edge.database import Damaged, Source
from infx.edge.migrations import MIGRATIONS
from infx.errors import BadInput, CouldNotReport
from infx.flat import flat
from infx.retraction import Retraction
from tests.shelving import NOW, publication


def source(merge: int = 0, blob: str = "1", concs: tuple[int, ...] = (4, 16)) -> Source:
    found = [flat(publication(conc, merge)) for conc in concs]
    return Source(path=f"published/{merge}.jsonl", blob=blob, rows=found)


def put(path: Path, *sources: Source, gone: tuple[str, ...] = ()) -> None:
    with database.building(path):
        database.build(path, sources, gone, commit="c")


def ask(path: Path, sql: str) -> list[dict[str, Any]]:
    with database.open_read(path) as connection:
        return database.rows(connection, sql, path=path)


def count(path: Path, table: str = "rows") -> int:
    return int(ask(path, f"SELECT count(*) AS n FROM {table}")[0]["n"])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.duckdb"


def test_the_same_file_again_replaces_itself(path: Path) -> None:
    put(path, source())
    put(path, source(), source(1))
    assert (count(path), count(path, "latest")) == (4, 2)
    assert database.blobs(path) == {"published/0.jsonl": "1", "published/1.jsonl": "1"}


def test_every_column_comes_back_as_it_was(path: Path) -> None:
    one = flat(publication(4), notes="it's 1 superseded")
    put(path, Source(path="published/0.jsonl", blob="1", rows=[one]))
    (row,) = ask(path, "SELECT * EXCLUDE (source) FROM rows")
    assert row == vars(one)


def test_a_file_that_is_gone_takes_its_rows_along(path: Path) -> None:
    put(path, source(), source(1))
    put(path, gone=("published/1.jsonl",))
    assert {row["merge"] for row in ask(path, "SELECT merge FROM rows")} == {"1" * 40}


def test_a_withdrawn_row_stays_and_the_one_before_is_the_latest(path: Path) -> None:
    no = Retraction(run=501, point=publication(4).point, reason="wrong draft", by="ada", at=NOW)
    put(path, source(), source(1), Source(path="retracted/501.jsonl", blob="1", retractions=[no]))
    runs = {row["conc"]: row["run"] for row in ask(path, "SELECT conc, run FROM latest")}
    assert runs == {4: 500, 16: 501}
    marked = ask(path, "SELECT retracted, retracted_by FROM marked WHERE retracted IS NOT NULL")
    assert marked == [{"retracted": "wrong draft", "retracted_by": "ada"}]


def test_a_crash_in_the_middle_leaves_what_was_there(path: Path) -> None:
    put(path, source())

    def crashing() -> Iterator[Source]:
        yield source(1)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), database.building(path):
        database.build(path, crashing(), (), commit="d")
    assert count(path) == 2
    assert sorted(one.name for one in path.parent.iterdir()) == ["results.duckdb", "results.duckdb.lock"]


@pytest.mark.parametrize("size", [0, 100, 4096, 12288, 0.5, 0.9])
def test_a_truncated_file_says_so(path: Path, size: float) -> None:
    put(path, source(0, concs=tuple(range(1, 400))))
    os.truncate(path, int(size if size > 1 else size * path.stat().st_size))
    with pytest.raises(Damaged, match=r"damaged.*; run `infx results build`"):
        ask(path, "SELECT max(body), max(notes), max(fingerprint) FROM rows")


def test_another_file_is_no_database(path: Path) -> None:
    path.write_text("not a database")
    with pytest.raises(Damaged, match="damaged"):
        database.open_read(path)
    assert database.blobs(path) == {}


def test_a_database_that_is_not_there(path: Path) -> None:
    with pytest.raises(BadInput, match="there is no results database; run `infx results build`"):
        database.open_read(path)


def test_an_older_format_is_brought_up_with_its_rows(path: Path) -> None:
    put(path, source())
    with duckdb.connect(str(path)) as connection:
        connection.execute("DROP VIEW marked")
        connection.execute("DROP TABLE latest")
        connection.execute("UPDATE meta SET value = '1' WHERE name = 'format'")
    with pytest.raises(Damaged, match="format 1 of the database is not"):
        database.open_read(path)
    put(path, source(1))
    assert (count(path), count(path, "latest")) == (4, 2)


def test_a_newer_format_is_made_again(path: Path) -> None:
    put(path, source())
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE name = 'format'", [str(len(MIGRATIONS) + 1)])
    assert database.blobs(path) == {}
    put(path, source(1))
    assert count(path) == 2


def test_no_room_is_said_and_costs_nothing(path: Path) -> None:
    put(path, source())
    with pytest.raises(CouldNotReport, match="make room"):
        fill(path)
    assert count(path) == 2


def fill(path: Path) -> None:
    """A build in a process that may write no file above 300 kB."""
    code = (
        "import resource, sys; from pathlib import Path; from tests.edge.test_database import put, source\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))\n"
        "from infx.errors import CouldNotReport\n"
        "try: put(Path(sys.argv[1]), source(1, concs=tuple(range(1, 2000))))\n"
        "except (CouldNotReport, OSError) as error: print(error); sys.exit(3)\n"
    )
    argv = [sys.executable, "-c", code, str(path)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    raise CouldNotReport(done.stdout + " make room")


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_export_is_read_back_by_others(path: Path, name: str) -> None:
    put(path, source())
    to = path.with_name(name)
    with database.open_read(path) as connection:
        database.export(connection, "SELECT * FROM latest WHERE conc >= ?", [16], to=to)
    reader = "read_csv" if name.endswith("csv") else "read_parquet"
    assert duckdb.execute(f"SELECT conc, tput FROM {reader}(?)", [str(to)]).fetchall() == [(16, 19752.0)]


def test_export_knows_two_forms(path: Path) -> None:
    put(path, source())
    wrong = pytest.raises(BadInput, match=r"end it in \.parquet or \.csv")
    with database.open_read(path) as connection, wrong:
        database.export(connection, "SELECT 1", [], to=path.with_name("rows.xlsx"))
