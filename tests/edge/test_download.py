"""Artifacts of a run are fetched a few at a time, and one that fails is named and costs no other."""

import io
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest

from infx.edge.download import AT_ONCE, into
from infx.errors import CouldNotTell
from infx.event import Artifact


def artifact(name: str, number: int = 1) -> Artifact:
    return Artifact(id=number, name=name, expired=False, created_at="2026-07-01", size=1, run_id=500)


def archive(**files: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as made:
        for path, text in files.items():
            made.writestr(path.replace("__", "."), text)
    return target.getvalue()


class GitHub:
    """Answers what was put in, and counts how many ask at the same time."""

    def __init__(self, **answers: Any) -> None:
        self.answers, self.now, self.most, self.lock = answers, 0, 0, threading.Lock()

    def download(self, one: Artifact, *, limit: int) -> bytes:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        threading.Event().wait(0.002)
        with self.lock:
            self.now -= 1
        answer = self.answers.get(one.name, archive(record__json=one.name))
        if isinstance(answer, Exception):
            raise answer
        return bytes(answer)


def test_C50_two_of_forty_fail_and_thirty_eight_are_kept(tmp_path: Path) -> None:
    bad = {"bmk_17": CouldNotTell("HTTP status 502 after 3 attempts"), "bmk_22": b"no zip"}
    problems = into(tmp_path, GitHub(**bad), [artifact(f"bmk_{number}") for number in range(40)])
    assert [(one.artifact, one.lost) for one in problems] == [("bmk_17", True), ("bmk_22", True)]
    assert "502" in problems[0].what
    assert "not a readable zip archive" in problems[1].what
    assert len(list(tmp_path.glob("bmk_*/record.json"))) == 38


def test_C50_an_outage_is_not_missing_data(tmp_path: Path) -> None:
    github = GitHub(bmk_1=CouldNotTell("HTTP status 502"))
    with pytest.raises(CouldNotTell, match="none of 1 artifacts could be fetched: HTTP status 502"):
        into(tmp_path, github, [artifact("bmk_1")])
    assert into(tmp_path, github, []) == []


def test_no_more_than_eight_at_a_time(tmp_path: Path) -> None:
    github = GitHub()
    into(tmp_path, github, [artifact(f"bmk_{number}") for number in range(60)])
    assert 1 < github.most <= AT_ONCE == 8


@pytest.mark.parametrize("name", ["..", ".", "", "../x", "a/b"])
def test_a_name_cannot_leave_the_folder(tmp_path: Path, name: str) -> None:
    problems = into(tmp_path / "in", GitHub(), [artifact(name), artifact("bmk_1")])
    assert [one.what for one in problems] == ["its name leaves the folder"]
    assert [path.name for path in tmp_path.rglob("record.json")] == ["record.json"]


def test_only_what_collecting_needs_is_kept(tmp_path: Path) -> None:
    github = GitHub(plan=archive(plan__json="{}", other__txt="x"))
    into(tmp_path, github, [artifact("plan")])
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["plan.json"]
