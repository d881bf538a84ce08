"""Sections from different jobs live in one comment, and newer ones stay."""

from typing import Any

import pytest

from infx.forge.look.markdown import render
from infx.say.comment import LIMIT, ROOM, STATUS, Section, compose, sections
from tests import builders as build


def part(name: str = "run", order: tuple[int, ...] = (500, 1, 1), **fields: Any) -> Section:
    return Section(**{"name": name, "order": order, "head": build.HEAD, "text": f"text of {order}", **fields})


def test_a_section_survives_the_round_trip() -> None:
    body = compose("", part())
    assert body.startswith(STATUS)
    assert sections(body) == [part(head="adc40a2")]
    assert compose(body, part()) == body


@pytest.mark.parametrize("older", [(499, 9, 1), (500, 0, 1), (500, 1, 0)], ids=["run", "attempt", "stage"])
def test_an_older_run_never_replaces_a_newer_one(older: tuple[int, ...]) -> None:
    body = compose("", part())
    assert compose(body, part(order=older)) == body


def test_a_newer_run_replaces_its_own_section_only() -> None:
    body = compose(compose("", part("plan", (40, 1))), part())
    newer = compose(body, part(order=(501, 1, 0)))
    assert [(one.name, one.order) for one in sections(newer)] == [("run", (501, 1, 0)), ("plan", (40, 1))]


def test_results_of_another_head_come_after_the_plan_and_say_so() -> None:
    body = compose(compose("", part()), part("plan", (40, 1), head="b" * 40))
    assert [one.name for one in sections(body)] == ["plan", "run"]
    assert "Results below are of `adc40a2`: later commits are not covered." in body


@pytest.mark.parametrize("broken", ["<!-- infx:section {} -->", '<!-- infx:section {"name": -->', "[]", "\n"])
def test_a_damaged_comment_is_written_anew(broken: str) -> None:
    body = f"{STATUS}\n{broken}\nhello\n<!-- infx:end -->\n"
    assert sections(compose(body, part())) == [part(head="adc40a2")]


def test_a_hostile_head_cannot_end_the_mark() -> None:
    assert "evil" not in compose("", part(head="--> evil"))


def test_all_sections_at_their_limits_fit() -> None:
    assert len(compose("", *(part(name, text="x" * room) for name, room in ROOM.items()))) < LIMIT


def test_a_section_that_ended_is_not_brought_back_by_an_older_job() -> None:
    body = compose(compose("", part(), part("notice", (50, 1))), part("notice", (51, 1), text=""))
    assert "text of (5" in body
    assert "text of (50, 1)" not in body
    assert compose(body, part("notice", (50, 2))) == body
    assert "text of (52, 1)" in compose(body, part("notice", (52, 1)))


def test_a_comment_of_nothing_is_none() -> None:
    assert compose("", part(text="")) == ""


def test_copies_become_one_and_the_newest_of_each_section_stays() -> None:
    one = compose(compose("", part("plan", (40, 1))), part(order=(501, 1, 1)))
    other = compose(compose("", part("plan", (41, 1))), part(order=(500, 1, 1)))
    assert {section.order for section in sections(compose(one + other))} == {(41, 1), (501, 1, 1)}


def test_what_blocks_comes_first_and_the_welcome_last() -> None:
    body = compose("", *(part(name, (1,)) for name in ("welcome", "plan", "run", "blocks-pull", "advice")))
    assert [one.name for one in sections(body)] == ["blocks-pull", "run", "plan", "advice", "welcome"]


def test_a_fold_at_the_end_of_a_section_does_not_swallow_the_next_heading() -> None:
    """Markdown: what follows `</details>` is HTML until an empty line."""
    fold = part(text="<details><summary>x</summary>\n\ny\n\n</details>")
    body = compose(compose("", fold), part("plan", (1,), text="### Plan"))
    assert "<h3>Plan</h3>" in render(body)
