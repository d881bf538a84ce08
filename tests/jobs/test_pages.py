"""`infx report`: pages from the database, from a run's ledger, from rows in the community's format."""

import json
from pathlib import Path

import pytest

from infx.edge.artifacts import plan
from infx.results.tally import Facts, ledger
from tests import builders as build
from tests.results.test_page import data
from tests.shelving import Shelf, publication


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    made = Shelf(tmp_path)
    made.publish(publication(4), publication(16), publication(4, 1, row={"tput_per_gpu": 4000.0}))
    return made


def shown(shelf: Shelf) -> str:
    return (shelf.folder / "infx-report/index.html").read_text()


def test_everything_published_without_what_was_withdrawn(shelf: Shelf) -> None:
    shelf("report")
    assert all((shelf.folder / one / ".gitignore").exists() for one in ("infx-report", ".infx"))
    found = data(shown(shelf))
    assert found["count"] == 3
    values = list(zip(found["shown"]["conc"]["v"], found["shown"]["tput"]["v"], strict=True))
    assert [values[at] for at in found["newest"]] == [(16, 19752.0), (4, 4000.0)]
    shelf("results", "retract", "501", "--reason", "wrong draft")
    shelf("report")
    assert data(shown(shelf))["count"] == 2
    assert "wrong draft" not in shown(shelf)


def test_one_pull_request_beside_what_stood_before(shelf: Shelf) -> None:
    said = shelf("report", "--pr", "8", "--markdown")
    assert said.startswith("**Compared with main**: 1 worse and 3 cannot tell of 4 numbers.")
    assert ">Pull request #8</h1>" in shown(shelf)
    assert '<td class="worse"' in shown(shelf)
    shelf("report", "--pr", "99", code=2)
    assert "nothing of #99 was published" in shelf.err.getvalue()


def test_one_run_beside_main(shelf: Shelf) -> None:
    shelf("results", "build")
    point, lost = build.point(4), build.point(64)
    made = build.plan(point, lost)
    record = build.record(point, result=build.published_row(4, tput_per_gpu=4000.0))
    done = ledger(made, [record], Facts(run_id=build.RUN, attempt=1))
    folder = shelf.folder / "artifact"
    folder.mkdir()
    (folder / "plan.json").write_text(json.dumps(made.as_json()))
    (folder / "ledger.json").write_text(json.dumps(done.as_json()))
    assert plan((folder / "plan.json").read_bytes()) == made
    shelf("report", "--ledger", "artifact")
    text = shown(shelf)
    assert "missing(no-artifact)" in text
    assert "Compared with main" in text
    assert "Incomplete: 1 of 2" in text


def test_rows_in_the_community_s_format_and_their_faults(shelf: Shelf) -> None:
    bad = {**build.published_row(8), "median_ttft": -1}
    twice = [build.published_row(4, tput_per_gpu=rate) for rate in (100.0, 120.0)]
    path = shelf.folder / "agg_bmk.json"
    path.write_text(json.dumps([*twice, twice[0], bad]))
    shelf("report", "--rows", "agg_bmk.json", "--charts", "svg", "--charts", "png")
    text = shown(shelf)
    assert data(text)["count"] == 2
    assert "1 row could not be read: agg_bmk.json[3]: negative (median_ttft is -1)." in text
    assert "Several values, and nothing tells which is newer, so all are shown: C4" in text
    assert "agg_bmk.json[3]: negative" in shelf.err.getvalue()
    charts = sorted(one.name for one in (shelf.folder / "infx-report/charts").iterdir())
    names = ("first-token", "interactivity", "latency")
    assert charts == [f"{name}.{kind}" for name in names for kind in ("png", "svg")]
    assert (shelf.folder / "infx-report/charts/latency.svg").read_text().startswith("<svg")
    assert (shelf.folder / "infx-report/charts/latency.png").read_bytes()[:4] == b"\x89PNG"


def test_what_is_no_list_of_rows_is_refused(shelf: Shelf) -> None:
    (shelf.folder / "rows.json").write_text("[")
    shelf("report", "--rows", "rows.json", code=2)
    assert "rows.json: not JSON" in shelf.err.getvalue()
    assert not (shelf.folder / "infx-report").exists()


@pytest.mark.parametrize(
    "spoil", [{"run": "x"}, {"merge": []}, {"merged_at": "once"}, {"merged_at": 7}, {"task": [1]}], ids=repr
)
def test_a_publication_of_a_stranger_costs_no_other_row(shelf: Shelf, spoil: dict[str, object]) -> None:
    bad = {**publication(8).as_json(), **spoil}
    (shelf.folder / "rows.json").write_text(json.dumps([bad, publication(4).as_json()]))
    shelf("report", "--rows", "rows.json")
    assert data(shown(shelf))["count"] == 1
    assert "rows.json: C8: no published row" in shelf.err.getvalue()
    assert "1 row could not be read" in shown(shelf)
