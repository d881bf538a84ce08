"""A run beside what stands on main: read from the store of record, without what was withdrawn."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from infx.beside import Main
from infx.compared import Change, Compared
from infx.edge import settings
from infx.edge.world import World
from infx.results.tally import Facts, ledger
from infx.retraction import Retraction
from tests import builders as build
from tests.shelving import NOW, Shelf, publication


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def compared(shelf: Shelf, *points: Any, rate: float = 4000.0) -> Compared | None:
    plan = build.plan(*points) if points else build.plan(build.point(4))
    records = [build.record(one, result=build.published_row(4, tput_per_gpu=rate)) for one in plan.points]
    done = ledger(plan, records, Facts(run_id=build.RUN, attempt=1))
    shelf.err = StringIO()
    world = World(env={}, cwd=shelf.folder, out=StringIO(), err=shelf.err, now=lambda: NOW)
    return Main(world=world, rules=settings.parse("")).compared(plan, done)


def verdict(found: Compared | None) -> Change:
    assert found is not None
    return next(one.verdict for one in found.points if one.measure == "tok/s/GPU")


def test_a_slower_run_is_told(shelf: Shelf) -> None:
    shelf.publish(publication(4), publication(16))
    assert verdict(compared(shelf)) == Change.WORSE
    assert verdict(compared(shelf, rate=4938.0)) == Change.SAME


def test_what_was_withdrawn_stands_no_longer(shelf: Shelf) -> None:
    shelf.publish(publication(4, 0), publication(4, 1, row={"tput_per_gpu": 4000.0}))
    assert verdict(compared(shelf)) in (Change.SAME, Change.CANNOT_TELL)
    gone = Retraction(run=501, reason="wrong draft", by="mia", at=NOW)
    shelf.store.put({"retracted/501.jsonl": {"*": gone.as_json()}}, why="withdraw")
    assert verdict(compared(shelf)) == Change.WORSE


def test_lines_of_other_hardware_are_not_even_read(shelf: Shelf) -> None:
    shelf.publish(publication(4), publication(16, row={"hw": "b200"}, run="x"))
    assert verdict(compared(shelf)) == Change.WORSE
    assert shelf.err.getvalue() == ""


@pytest.mark.parametrize("rows", [[], [publication(64)], [publication(4, row={"hw": "b200"})]], ids=len)
def test_nothing_to_compare_with_is_nothing_to_tell(shelf: Shelf, rows: list[Any]) -> None:
    if rows:
        shelf.publish(*rows)
    assert compared(shelf) is None
    assert shelf.err.getvalue() == ""


def test_a_store_that_cannot_be_read_costs_only_the_comparison(shelf: Shelf) -> None:
    shelf.publish(publication(4))
    (shelf.folder.parent / "origin.git").rename(shelf.folder.parent / "gone.git")
    assert compared(shelf) is None
    assert "infx: not compared with main: " in shelf.err.getvalue()
    assert shelf.err.getvalue().count("\n") == 1
