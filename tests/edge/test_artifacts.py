"""Artifacts are hostile until proven readable."""

import json
from pathlib import Path
from typing import Any

import pytest

from infx.edge import artifacts
from infx.errors import BadInput, Refused
from infx.ledger import Ledger
from tests import builders as build

ONE, FOUR = build.point(1), build.point(4)


def put(folder: Path, point: Any, text: str | None = None) -> Path:
    place: Path = folder / point.artifact("bmk")
    place.mkdir()
    (place / "record.json").write_text(json.dumps(build.record(point).as_json()) if text is None else text)
    return place


def test_reads_what_a_cell_wrote(tmp_path: Path) -> None:
    put(tmp_path, ONE)
    (tmp_path / "plan").mkdir()
    assert artifacts.records(tmp_path) == ([build.record(ONE)], [])


def test_C44_points_that_look_alike_are_told_apart_by_what_is_inside(tmp_path: Path) -> None:
    twins = [build.point(64, decode={"num-worker": workers}) for workers in (1, 2)]
    for twin in twins:
        put(tmp_path, twin)
    found, problems = artifacts.records(tmp_path)
    assert problems == []
    assert {record.identity["row"]["decode"]["num-worker"] for record in found} == {1, 2}


@pytest.mark.parametrize("length", [100, 255, 256, 257, 400])
def test_C46_a_cut_name_still_leads_to_its_point(length: int) -> None:
    point = build.point(1, key="k" * length)
    data = json.dumps(build.record(point).as_json()).encode()
    assert artifacts.record_of(data, point.artifact("eval")).identity["key"] == point.key


def test_a_download_of_one_artifact_has_no_folder_for_it(tmp_path: Path) -> None:
    (tmp_path / "record.json").write_text(changed())
    assert artifacts.records(tmp_path) == ([build.record(ONE)], [])


def test_no_folder_means_no_records(tmp_path: Path) -> None:
    assert artifacts.records(tmp_path / "absent") == ([], [])


def changed(**fields: Any) -> str:
    return json.dumps({**build.record(ONE).as_json(), **fields})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{}",
        "[" * 100_000,
        changed(extra=1),
        changed(result={"tput_per_gpu": 1}).replace(": 1}", ": NaN}"),
        changed(result={"tput_per_gpu": 1}).replace(": 1}", ": 1e999}"),
        changed(result=[1]),
        changed(identity=None),
        changed(attempt="1"),
        changed(attempt=True),
        changed(sha="main"),
        changed(reason="<!-- infx:status -->"),
        changed(node="n" * 501),
        changed(notes=["n"] * 21),
        changed(notes=[None]),
        changed(outcome="green"),
        changed(ended=None),
        changed(point=FOUR.id),
        " " * (artifacts.RECORD_LIMIT + 1),
    ],
    ids=lambda text: text[:12] + text[-40:],
)
def test_C50_unreadable_is_named_and_the_rest_is_kept(tmp_path: Path, text: str) -> None:
    put(tmp_path, ONE, text)
    put(tmp_path, FOUR)
    found, problems = artifacts.records(tmp_path)
    assert found == [build.record(FOUR)]
    assert [problem.artifact for problem in problems] == [ONE.artifact("bmk")]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (put(tmp_path, ONE) / "record.json").unlink()
    (tmp_path / "secret").write_text(changed())
    (tmp_path / ONE.artifact("bmk") / "record.json").symlink_to(tmp_path / "secret")
    assert artifacts.records(tmp_path)[0] == []


WRONG: list[Any] = [None, 0, -1, 1.5, True, "", "\ud800", "x" * 600, [], [[]], [["a", 1]], {}, {"a": None}]


@pytest.mark.parametrize("field", sorted(build.record(ONE).as_json()))
@pytest.mark.parametrize("value", WRONG, ids=lambda value: repr(value)[:12])
def test_any_damage_is_a_problem_or_a_record(tmp_path: Path, field: str, value: Any) -> None:
    put(tmp_path, ONE, changed(**{field: value}))
    found, problems = artifacts.records(tmp_path)
    assert len(found) + len(problems) == 1


@pytest.mark.parametrize("field", sorted(build.plan(ONE).as_json()))
@pytest.mark.parametrize("value", WRONG, ids=lambda value: repr(value)[:12])
def test_a_damaged_plan_is_refused_or_can_be_shown(field: str, value: Any) -> None:
    text = json.dumps({**build.plan(ONE).as_json(), field: value})
    try:
        made = artifacts.plan(text.encode())
    except BadInput:
        return
    assert f"{made.gpu_hours:.1f} {made.digest} {[point.title for point in made.points]}"


def test_plan_and_ledger_come_back() -> None:
    plan = build.plan(ONE)
    assert artifacts.plan(json.dumps(plan.as_json()).encode()) == plan
    empty = Ledger(run_id=1, attempt=1, head_sha=build.HEAD, plan_digest=plan.digest, entries=())
    assert artifacts.ledger(json.dumps(empty.as_json()).encode()) == empty


def test_plan_and_ledger_of_an_earlier_version_can_be_read() -> None:
    """Those of the sweep on a real H200, which stay as they were written."""
    folder = Path(__file__).parents[2] / "docs" / "evidence" / "h200"
    plan = artifacts.plan((folder / "plan.json").read_bytes())
    done = artifacts.ledger((folder / "ledger.json").read_bytes())
    assert [entry.point for entry in done.entries] == [point.id for point in plan.points]
    assert {str(entry.state) for entry in done.entries} == {"valid"}
    assert (len(done.entries), done.head_sha) == (6, plan.head_sha)


@pytest.mark.parametrize(
    "text", ["{}", "[]", "3", '{"points": 1}', "\\ud800", '{"points": [{}], "keys": [], "modifiers": []}']
)
def test_a_bad_plan_is_one_sentence(text: str) -> None:
    with pytest.raises(BadInput):
        artifacts.plan(text.encode())


def test_a_plan_that_a_cell_uploaded_in_place_of_the_first_is_refused(tmp_path: Path) -> None:
    plan = build.plan(ONE)
    (tmp_path / "plan.json").write_text(json.dumps(plan.as_json()))
    assert artifacts.plan_at(tmp_path, seal=plan.seal) == plan
    with pytest.raises(Refused, match="not what the job `plan` wrote"):
        artifacts.plan_at(tmp_path, seal=build.plan(FOUR).seal)


@pytest.mark.parametrize("place", ["plan.json", "down/plan.json", "down/plan/plan.json"])
def test_the_plan_is_found_where_downloads_put_it(tmp_path: Path, place: str) -> None:
    file = tmp_path / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(build.plan(ONE).as_json()))
    assert artifacts.plan_at(tmp_path / place.split("/")[0]) == build.plan(ONE)
    assert artifacts.plan_at(tmp_path / "absent") is None
