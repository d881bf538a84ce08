"""From the store of record to what people read, on real git: nothing lost, doubled or hidden."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import duckdb
import pytest

from infx.edge.store import retracted
from infx.shelf import FILE
from tests.shelving import MERGES, Shelf, publication


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    made = Shelf(tmp_path)
    made.publish(publication(4), publication(16), publication(4, 1, row={"tput_per_gpu": 5100.0}))
    return made


def latest(shelf: Shelf, *argv: str) -> list[tuple[int, float, int]]:
    found = json.loads(shelf("results", "latest", "--json", *argv))
    return sorted((one["conc"], one["tput"], one["run"]) for one in found)


def test_the_newest_row_of_every_point_with_its_provenance(shelf: Shelf) -> None:
    assert latest(shelf) == [(4, 5100.0, 501), (16, 19752.0, 500)]
    (one,) = json.loads(shelf("results", "latest", "--json", "--conc", "4"))
    known = {name: one[name] for name in ("merge", "pr", "run", "attempt", "sha", "node", "matched", "key")}
    assert known == {
        "merge": MERGES[1],
        "pr": 8,
        "run": 501,
        "attempt": 1,
        "sha": "adc40a2" + "0" * 33,
        "node": "h200-dgxc_03",
        "matched": "equal",
        "key": "qwen3.5-fp8-h200-sglang-agentic-mtp",
    }
    assert one["row"]["image"] == "lmsysorg/sglang:v0.5.16"
    assert set(one["fingerprint"]) == {"row", "recipe", "shared"}


def test_a_build_reads_only_what_is_new(shelf: Shelf) -> None:
    assert "2 files read, 3 rows, 0 problems" in shelf("results", "build")
    assert "0 files read, 0 rows" in shelf("results", "build")
    shelf.publish(publication(64, 2))
    assert "1 file read, 1 row," in shelf("results", "build")
    assert len(latest(shelf)) == 3


def test_what_a_merge_published_first_stands_and_a_later_line_is_kept_beside_it(shelf: Shelf) -> None:
    shelf.publish(publication(4, 1, row={"tput_per_gpu": 5000.0}))
    assert latest(shelf)[0] == (4, 5100.0, 501)
    text = shelf("results", "history", "--conc", "4")
    assert text.count("a later line, which changes nothing") == 1
    assert text.count("\n") == 4


def test_a_withdrawn_run_is_gone_from_latest_and_stays_in_history(shelf: Shelf) -> None:
    said = shelf("results", "retract", "501", "--reason", "wrong draft model", "--by", "ada")
    assert said.startswith("1 row of run 501: withdrawn")
    assert latest(shelf) == [(4, 4938.0, 500), (16, 19752.0, 500)]
    assert "withdrawn: wrong draft model" in shelf("results", "history")
    (one,) = shelf.store.read(retracted(501)).values()
    assert (one["reason"], one["by"], one["point"]) == ("wrong draft model", "ada", "*")


def test_a_withdrawal_can_be_undone_and_both_are_recorded(shelf: Shelf) -> None:
    point = publication(4).point
    shelf("results", "retract", "501", "--point", point, "--reason", "wrong draft model")
    shelf("results", "retract", "501", "--point", point, "--undo", "--reason", "it was another run")
    assert latest(shelf)[0] == (4, 5100.0, 501)
    assert [value["undone"] for _, value in shelf.store.history(retracted(501))] == [False, True]


@pytest.mark.parametrize(
    ("argv", "code", "sentence"),
    [
        (("retract", "9", "--reason", "x"), 2, "nothing of run 9 was published"),
        (("retract", "501", "--reason", " "), 2, "the reason has 0 characters"),
        (("latest", "--limit", "-1"), 2, "--limit -1 is below 0"),
        (("latest", "--limit", "9" * 30), 2, "is above 1000000000"),
        (("retract", "501", "--reason", "x", "--undo"), 1, "run 501 is not withdrawn"),
        (("since", "yesterday"), 2, "'yesterday' is no date"),
        (("export", "rows.xlsx"), 2, "end it in .parquet or .csv"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    shelf: Shelf, argv: tuple[str, ...], code: int, sentence: str
) -> None:
    shelf("results", "build")
    shelf("results", *argv, code=code)
    assert sentence in shelf.err.getvalue()


def test_since_tells_new_again_and_withdrawn(shelf: Shelf) -> None:
    assert "+3.3 %" in shelf("results", "since", "2026-09-22")
    shelf("results", "retract", "500", "--reason", "clock ran backwards")
    text = shelf("results", "since", "2026-09-22")
    assert text.count("withdrawn: clock ran backwards") == 2
    assert shelf("results", "since", "2027-01-01") == "no published row fits\n"


def test_a_line_that_is_no_record_costs_no_other(shelf: Shelf) -> None:
    shelf.store.put({f"published/{MERGES[3]}.jsonl": {"p": {"row": {"conc": "many"}, "run": 1}}}, why="odd")
    said = shelf("results", "build")
    assert "3 rows, 1 problem" in said
    assert f"published/{MERGES[3]}.jsonl:1: no published row" in shelf.err.getvalue()


@pytest.mark.parametrize("size", [0.0, 0.3, 0.9])
def test_a_truncated_database_is_made_again(shelf: Shelf, size: float) -> None:
    shelf.publish(*(publication(conc, 2) for conc in range(100, 400)))
    shelf("results", "build")
    path = shelf.folder / FILE
    os.truncate(path, int(size * path.stat().st_size))
    shelf.publish(publication(64, 3))
    shelf("results", "build")
    assert len(latest(shelf, "--limit", "0")) == 303


def test_asking_makes_a_database_that_is_not_there_or_damaged(shelf: Shelf) -> None:
    assert len(latest(shelf)) == 2
    assert "there is no results database" in shelf.err.getvalue()
    (shelf.folder / FILE).write_text("junk")
    assert len(latest(shelf)) == 2
    assert "damaged" in shelf.err.getvalue()


def test_a_point_of_a_withdrawn_run_does_not_count_again_alone(shelf: Shelf) -> None:
    point = publication(4).point
    shelf("results", "retract", "501", "--reason", "wrong draft model")
    shelf("results", "retract", "501", "--point", point, "--undo", "--reason", "it was right", code=1)
    assert "all of run 501 is withdrawn; undo it without --point" in shelf.err.getvalue()
    assert latest(shelf)[0] == (4, 4938.0, 500)


@pytest.mark.parametrize("words", [("build",), ("latest",), ("retract", "501", "--reason", "x")])
def test_what_is_no_results_database_is_left_alone(shelf: Shelf, words: tuple[str, ...]) -> None:
    text, other = shelf.folder / "notes.csv", shelf.folder / "other.duckdb"
    text.write_text("a,b\n1,2\n")
    with duckdb.connect(str(other)) as connection:
        connection.execute("CREATE TABLE mine AS SELECT 1 AS one")
    before = {path: path.read_bytes() for path in (text, other)}
    for path in (text, other, shelf.folder):
        shelf("results", *words, "--database", str(path), code=2)
        assert "this is no results database; give another --database" in shelf.err.getvalue()
    assert {path: path.read_bytes() for path in before} == before


def test_a_database_that_another_program_writes_is_left_alone(shelf: Shelf) -> None:
    shelf("results", "build")
    code = "import duckdb, sys; held = duckdb.connect(sys.argv[1]); print(flush=True); sys.stdin.read()"
    argv = [sys.executable, "-c", code, str(shelf.folder / FILE)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        other.stdout.readline()
        shelf("results", "latest", code=3)
        shelf("results", "build", code=3)
        other.communicate()
    assert shelf.err.getvalue().count("another program has the results database open; close it there") >= 1
    assert len(latest(shelf)) == 2


def test_builds_at_once_do_it_once(shelf: Shelf) -> None:
    said: list[str] = []
    runners = [Shelf.__new__(Shelf) for _ in range(4)]
    for one in runners:
        one.folder, one.store = shelf.folder, shelf.store
    threads = [
        threading.Thread(target=lambda one=one: said.append(one("results", "build"))) for one in runners
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(line.split(", ")[1] for line in said) == ["0 rows", "0 rows", "0 rows", "3 rows"]
    assert len(latest(shelf)) == 2


def test_a_store_without_records(tmp_path: Path) -> None:
    empty = Shelf(tmp_path)
    assert "the store has no records yet" in empty("results", "build")
    assert empty("results", "latest") == "no published row fits\n"
