"""C31: records release keys, colours do not."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from infx.cli import main
from infx.edge.world import World
from infx.record import Outcome
from tests import builders as build

POINTS = [build.point(conc) for conc in (1, 4, 8)]


def world(folder: Path, **env: str) -> World:
    return World(
        env={"GITHUB_OUTPUT": str(folder / "output"), **env}, cwd=folder, out=StringIO(), err=StringIO()
    )


def released(folder: Path, plan: Any, *records: Any) -> list[str]:
    """Titles of the released cells of all shards, read from the step's outputs."""
    (folder / "plan.json").write_text(json.dumps(plan.as_json()))
    for record in records:
        place = folder / "records" / plan.by_id[record.point].artifact("bmk")
        place.mkdir(parents=True)
        (place / "record.json").write_text(json.dumps(record.as_json()))
    assert main(["job", "fanout", "--plan", "plan.json", "--records", "records"], world(folder)) == 0
    lines = (folder / "output").read_text().splitlines()
    assert [line.split("<<")[0] for line in lines[::3]] == [f"s{shard}" for shard in range(8)]
    cells = [cell for line in lines[1::3] for cell in json.loads(line)]
    return [plan.by_id[cell["id"]].title for cell in cells]


@pytest.mark.parametrize(
    ("outcome", "titles"),
    [
        (Outcome.SUCCESS, ["C4", "C8"]),
        (Outcome.FAILURE, []),
        (Outcome.CANCELLED, []),
        (Outcome.NOT_STARTED, []),
        (None, []),
    ],
    ids=lambda value: f"C31-{value}" if not isinstance(value, list) else None,
)
def test_C31_only_success_releases(tmp_path: Path, outcome: Outcome | None, titles: list[str]) -> None:
    records = [build.record(POINTS[0], outcome)] if outcome else []
    assert released(tmp_path, build.plan(*POINTS), *records) == titles


def test_C31_no_canary_in_the_plan_releases_all(tmp_path: Path) -> None:
    assert released(tmp_path, build.plan(*POINTS, canary=False)) == ["C1", "C4", "C8"]


def test_whoever_is_expected_to_take_longest_starts_first(tmp_path: Path) -> None:
    seconds = {1: 60, 4: 900, 8: 300}
    points = [replace(point, duration_s=seconds[max(point.concurrencies)]) for point in POINTS]
    assert released(tmp_path, build.plan(*points, canary=False)) == ["C4", "C8", "C1"]


def test_an_unreadable_canary_record_releases_nothing_and_is_named(tmp_path: Path) -> None:
    plan, place = build.plan(*POINTS), tmp_path / "records" / POINTS[0].artifact("bmk")
    place.mkdir(parents=True)
    (place / "record.json").write_text("{")
    assert released(tmp_path, plan) == []


def test_no_plan_is_bad_input_in_one_sentence(tmp_path: Path) -> None:
    here = world(tmp_path)
    assert main(["job", "fanout"], here) == 2
    assert here.err.getvalue() == "infx: infx-in/plan: there is no plan; look at the job `plan`\n"  # type: ignore[attr-defined]
