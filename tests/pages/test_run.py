"""The page of one run in Chromium, with scripts and without."""

from pathlib import Path

import pytest

from infx import press
from infx.record import Outcome
from infx.results.tally import Facts, ledger
from tests import builders as build
from tests.pages.drive import drive, told

pytestmark = pytest.mark.chromium


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    points = [build.point(conc) for conc in (1, 4, 16, 64)]
    score = build.point(64, task="gsm8k")
    plan = build.plan(*points, score)
    records = [build.record(one, result=build.published_row(one.concurrencies[0])) for one in points[:3]]
    records += [build.record(points[3], Outcome.FAILURE, reason="engine-died"), build.record(score)]
    done = ledger(plan, records, Facts(run_id=build.RUN, attempt=2))
    path = tmp_path_factory.mktemp("run") / "index.html"
    shown = press.of_run(plan, done, address="https://github.test/octo/bench/actions/runs/500")
    press.write(path, shown, {"HOME": str(Path.home())})
    return path.as_uri()


def text(selector: str) -> tuple[str, str]:
    return ("see", f"document.querySelector({selector!r}).innerText")


def test_a_stranger_learns_what_ran_where_when_on_which_commit_and_what_is_missing(page: str) -> None:
    title, lead, banner, points, facts, rows = drive(
        ("goto", page),
        text("h1"),
        text(".lead"),
        text(".banner"),
        text("#points"),
        text("body > dl"),
        text("#rows"),
    )
    assert title == "Run 500 of octo/bench"
    assert lead == "3 of 4 points valid · 1 of 1 evals valid · commit adc40a2 · attempt 2"
    assert banner == "Incomplete: 1 of 5 planned points have no valid result."
    assert "C64\tinvalid(engine-died)\t1\th200-dgxc_03\tadc40a2" in points
    for fact in ("octo/bench", "#7", build.HEAD, build.BASE, "lmsysorg/sglang:v0.5.16", "runs/500"):
        assert fact in facts
    assert "2026-09-21" in rows


def test_evals_have_a_view_of_their_own(page: str) -> None:
    scores, bars = drive(
        ("goto", f"{page}#view=accuracy"),
        text("#rows"),
        ("see", "document.querySelectorAll('#scores .mark-rect path').length"),
    )
    assert "97.57 %\t90.0 %" in scores
    assert bars >= 1


def test_without_scripts_there_are_pictures_and_every_point(page: str) -> None:
    seen = told(
        ("open", {"javaScriptEnabled": False}),
        ("visit", page),
        ("see", "[...document.querySelectorAll('noscript img')].map((one) => one.naturalWidth > 100)"),
        text("#points"),
        ("see", "document.querySelector('#app').hidden"),
    )
    pictures, points, hidden = seen["answers"]
    assert pictures == [True, True, True]
    assert "invalid(engine-died)" in points
    assert hidden
