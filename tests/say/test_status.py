"""Big and hostile sweeps stay readable."""

import re
from dataclasses import replace

import pytest

from infx.event import Run
from infx.ledger import Ledger, State
from infx.plan import Plan
from infx.policy.blocking import blocking
from infx.record import Outcome
from infx.results.tally import Facts, ledger
from infx.say import preview, status
from infx.say.comment import LIMIT, ROOM, compose
from tests import builders as build
from tests.say.samples import beside, planned, shown


def big(keys: int, points: int) -> tuple[Plan, Ledger]:
    """Every third point failed."""
    made = [
        build.point(conc, key=f"model-{key:03d}-fp8-h200-sglang")
        for key in range(keys)
        for conc in range(1, points + 1)
    ]
    plan = build.plan(*made, fail_fast=False)
    records = [
        build.record(one, Outcome.FAILURE if n % 3 == 0 else Outcome.SUCCESS) for n, one in enumerate(made)
    ]
    return plan, ledger(plan, records, Facts(run_id=build.RUN, attempt=1))


@pytest.mark.parametrize(("keys", "points"), [(1, 1000), (50, 20), (1000, 1), (2, 1024)])
def test_a_thousand_points_fit_and_the_rest_is_counted(keys: int, points: int) -> None:
    plan, done = big(keys, points)
    body = compose(compose("", preview.section(planned(plan))), status.section(shown(plan, done)))
    assert len(body) < LIMIT
    assert body.count("<details>") == body.count("</details>")
    hidden = sum(int(count) for count in re.findall(r"and (\d+) (?:more: see the ledger|points of)", body))
    listed = len(re.findall(r"^- C\d+ (?:valid|invalid)", body, re.M))
    assert listed + hidden == keys * points


@pytest.mark.seeds
def test_a_thousand_changes_fit_beside_a_thousand_points() -> None:
    plan, done = big(20, 50)
    points = build.plan(*(build.point(conc) for conc in range(1, 1001)))
    found = beside(points, 1.2, 0.9)
    assert len(found.points) == 4000
    section = status.section(replace(shown(plan, done), compared=found))
    assert len(section.text) <= ROOM["run"]
    assert "**Compared with main**: " in section.text
    assert "与主分支相比：" in section.text
    assert section.text.count("<details>") == section.text.count("</details>")


def test_each_section_keeps_to_its_room() -> None:
    plan, done = big(60, 30)
    assert len(status.section(shown(plan, done)).text) <= ROOM["run"]
    assert len(preview.section(planned(plan)).text) <= ROOM["plan"]


def test_the_first_screen_of_a_big_sweep_needs_no_unfolding() -> None:
    text = status.section(shown(*big(50, 20))).text
    first = text[: text.index("<details>")]
    assert "❌ Sweep of adc40a2: 666 of 1000 points valid" in first
    assert "invalid" not in first.splitlines()[0]


@pytest.mark.parametrize("times", [1, 30], ids=["open", "folded"])
def test_names_from_a_pull_request_cannot_act(times: int) -> None:
    point = build.point(1, key="@octo/all <!-- infx:end -->\n# hi", task="<script>@x")
    done = ledger(build.plan(point), [build.record(point)], Facts(run_id=build.RUN, attempt=1))
    entry = replace(done.entries[0], notes=("@octo\n<!-- infx:end -->",), sha="--> x", node="<b>")
    text = status.section(shown(build.plan(point), replace(done, entries=(entry,)))).text
    assert "<script" not in text
    assert "<!--" not in text
    assert not re.search(
        r"(?<![`\w])@\w", re.sub(r"`[^`]*`", "", re.sub(r"<summary>.*?</summary>", "", text))
    )


def test_unpublishable_numbers_say_so() -> None:
    plan = build.plan(reusable=False, modifiers=("agentx-fast",))
    done = ledger(plan, [build.record(point) for point in plan.points], Facts(run_id=build.RUN, attempt=1))
    assert "never published (`agentx-fast`)" in status.section(shown(plan, done)).text


def test_C47_the_comment_says_how_many_superseded_results_were_dropped() -> None:
    one, two = build.point(1), build.point(16, task="gsm8k")
    copies = [build.record(two, attempt=n, result=build.eval_row(0.7 + n / 100)) for n in range(1, 7)]
    done = ledger(build.plan(one, two), [build.record(one), *copies], Facts(run_id=build.RUN, attempt=6))
    text = status.section(shown(build.plan(one, two), done)).text
    assert "- Dropped: 5 superseded results of 1 point; the newest attempt counts." in text
    odd = (replace(done.entries[0], notes=("٣ superseded", "9" * 40 + " superseded")),)
    assert "Dropped" not in status.section(shown(build.plan(one, two), replace(done, entries=odd))).text


def test_an_eval_below_its_threshold_is_not_shown_as_reached() -> None:
    point = build.point(64, task="gsm8k")
    row = build.eval_row(0.85)
    done = ledger(build.plan(point), [build.record(point, result=row)], Facts(run_id=build.RUN, attempt=1))
    assert "C64 gsm8k 85 % < 90 %" in status.section(shown(build.plan(point), done)).text


def test_links_are_left_out_when_there_are_none() -> None:
    plan, done = big(1, 1)
    bare = status.Status(run=Run(id=5, head_sha=build.HEAD), plan=plan, ledger=done, blockers=blocking(done))
    assert "](" not in status.section(bare).text


def test_the_summary_has_no_hidden_marks() -> None:
    text = status.summary(shown(*big(1, 3)))
    assert "<!--" not in text
    assert text.startswith("## ❌ Sweep of adc40a2: 2 of 3 points valid")


def test_states_of_a_running_sweep_are_not_blamed_on_anybody() -> None:
    plan = build.plan()
    done = ledger(plan, [], Facts(run_id=build.RUN, attempt=1, finished=False))
    assert {entry.state for entry in done.entries} == {State.NOT_STARTED}
    assert "· nobody: nothing to do" in status.sections(shown(plan, done, "in_progress"))[1].text


def test_C55_after_a_rerun_that_left_nothing_the_comment_says_whose_ledger_and_page_they_are() -> None:
    plan, done = big(1, 2)
    run = Run(id=9, attempt=2, url="https://github.com/o/r/actions/runs/9", conclusion="failure")
    told = replace(shown(plan, done), run=run, links=status.Links(run=run.url))
    line = "Ledger and run page belong to attempt 1: [attempt 2](https://github.com/o/r/actions/runs/9/attempts/2)"
    assert line in status.section(told).text
    whole = replace(told, ledger=replace(done, attempt=2))
    assert "belong to attempt" not in status.section(whole).text
